//! Names by how they are spelt without case and separators (rule C2).

use crate::index::letters_of;
use crate::names::squash;
use crate::snapshot::{Input, Output};
use crate::tool::Tool;
use crate::vocabulary::Vocabulary;
use std::borrow::Cow;

/// A name as it is looked up: without case and separators, or as it is where nothing else is in it, such as an emoji.
pub(crate) fn spelling(name: &str) -> Cow<'_, str> {
    let squashed = squash(name);
    if squashed.is_empty() { Cow::Borrowed(name) } else { squashed }
}

/// No entry.
const NONE: u32 = u32::MAX;

/// The tools of a catalog, by slot, under the spellings of their callable and raw names, and of the latter behind their
/// server's. Changes take time in proportion to the tools that change, however many are spelt alike.
#[derive(Debug, Default)]
pub(crate) struct Spellings {
    texts: Vocabulary,
    /// By the number of the text.
    heads: Vec<Head>,
    /// By slot: the first entry of the tool there.
    firsts: Vec<u32>,
    entries: Vec<Entry>,
    /// Entries that are free.
    free: Vec<u32>,
    /// How many texts have an entry.
    used: usize,
}

/// What there is of a text.
#[derive(Debug, Clone, Copy)]
struct Head {
    looks: Looks,
    /// Its first entry.
    first: u32,
}

/// What a text looks like from afar.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Looks {
    /// Which letters it has.
    letters: u32,
    /// Its first bytes, three where it has so many.
    start: u32,
}

impl Looks {
    pub(crate) fn of(text: &str) -> Self {
        let start = text.bytes().take(3).fold(0, |start, byte| start << 8 | u32::from(byte));
        Self { letters: letters_of(text), start }
    }

    /// Whether it could be within so many single edits of another: one takes a letter away, brings one, or both.
    #[inline(always)]
    pub(crate) fn could_be(self, other: Self, edits: usize) -> bool {
        (self.letters ^ other.letters).count_ones() as usize <= 2 * edits
    }

    /// Whether one of them could begin with the other, if that has three bytes at least.
    #[inline(always)]
    pub(crate) fn could_begin(self, other: Self) -> bool {
        self.start == other.start
    }
}

/// One tool under one text.
#[derive(Debug, Clone, Copy)]
struct Entry {
    slot: u32,
    text: u32,
    /// The entries of the same text around it.
    before: u32,
    next: u32,
    /// The next entry of the same tool.
    other: u32,
}

impl Spellings {
    pub(crate) fn add(&mut self, tool: &Tool) {
        texts_of(tool, &mut |text| {
            let number = self.texts.intern(text);
            if number as usize == self.heads.len() {
                self.heads.push(Head { looks: Looks::of(text), first: NONE });
            }
            let head = self.heads[number as usize].first;
            // The last that came is the first.
            if self.entries.get(head as usize).is_none_or(|entry| entry.slot != tool.slot) {
                self.enter(tool.slot, number);
            }
        });
    }

    /// Puts a tool in front of the others of a text.
    fn enter(&mut self, slot: u32, text: u32) {
        let head = &mut self.heads[text as usize].first;
        self.firsts.resize(self.firsts.len().max(slot as usize + 1), NONE);
        let first = &mut self.firsts[slot as usize];
        let entry = Entry { slot, text, before: NONE, next: *head, other: *first };
        let at = self.free.pop().unwrap_or(self.entries.len() as u32);
        match self.entries.get_mut(*head as usize) {
            Some(next) => next.before = at,
            None => self.used += 1,
        }
        (*head, *first) = (at, at);
        match self.entries.get_mut(at as usize) {
            Some(free) => *free = entry,
            None => self.entries.push(entry),
        }
    }

    pub(crate) fn remove(&mut self, tool: &Tool) {
        let Some(first) = self.firsts.get_mut(tool.slot as usize) else { return };
        let mut at = std::mem::replace(first, NONE);
        while let Some(&Entry { text, before, next, other, .. }) = self.entries.get(at as usize) {
            match self.entries.get_mut(before as usize) {
                Some(before) => before.next = next,
                None => {
                    self.heads[text as usize].first = next;
                    self.used -= usize::from(next == NONE);
                }
            }
            if let Some(next) = self.entries.get_mut(next as usize) {
                next.before = before;
            }
            self.free.push(at);
            at = other;
        }
    }

    /// Writes it down with `place` in place of slots.
    pub(crate) fn write(&self, out: &mut Output, place: &dyn Fn(u32) -> u32) {
        let mut texts = Vocabulary::default();
        let (mut ends, mut places): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for (text, _, slots) in self.iter(|_| true) {
            let before = places.len();
            places.extend(slots.map(place).filter(|place| *place != NONE));
            if places.len() > before {
                texts.intern(text);
                ends.push(places.len() as u32);
            }
        }
        texts.write(out);
        out.numbers(&ends);
        out.numbers(&places);
    }

    /// `None` when it is not of a catalog with so many slots.
    pub(crate) fn read(input: &mut Input<'_>, slots: usize) -> Option<Self> {
        let texts = Vocabulary::read(input)?;
        let (ends, places) = (input.numbers()?, input.numbers()?);
        let fits =
            ends.is_sorted() && ends.len() == texts.len() && places.len() == ends.last().map_or(0, |e| *e as usize);
        if !fits || places.iter().any(|place| *place as usize >= slots) {
            return None;
        }
        let mut all = Self::default();
        all.heads.reserve(ends.len());
        all.entries.reserve(places.len());
        all.firsts.resize(slots, NONE);
        let mut start = 0;
        for ((text, number), end) in texts.words().zip(0..).zip(ends) {
            all.heads.push(Head { looks: Looks::of(text), first: NONE });
            // Backwards, since each is put in front.
            places[start..end as usize].iter().rev().for_each(|place| all.enter(*place, number));
            start = end as usize;
        }
        all.texts = texts;
        Some(all)
    }

    /// Whether most of what it holds is of tools that are gone.
    pub(crate) fn is_worn(&self) -> bool {
        self.texts.len() > 2 * self.used + 64
    }

    /// The tools that a name of this spelling may mean.
    #[inline]
    pub(crate) fn slots(&self, text: &str) -> impl Iterator<Item = u32> + use<'_> {
        self.chain(self.texts.get(text).map_or(NONE, |number| self.heads[number as usize].first))
    }

    #[inline]
    fn chain(&self, mut at: u32) -> impl Iterator<Item = u32> + use<'_> {
        std::iter::from_fn(move || {
            let entry = self.entries.get(at as usize)?;
            at = entry.next;
            Some(entry.slot)
        })
    }

    /// Every text whose looks `fit`, with the slots of its tools.
    pub(crate) fn iter<F: Fn(Looks) -> bool>(
        &self,
        fit: F,
    ) -> impl Iterator<Item = (&str, Looks, impl Iterator<Item = u32> + use<'_, F>)> {
        let heads = (0..).zip(&self.heads).filter(move |(_, head)| fit(head.looks));
        heads.map(|(text, head)| (self.texts.word(text), head.looks, self.chain(head.first)))
    }
}

fn texts_of(tool: &Tool, visit: &mut dyn FnMut(&str)) {
    let (callable, own) = (spelling(tool.name()), spelling(tool.raw_name()));
    visit(&callable);
    visit(&own);
    // `github.create_issue` where the callable name has no server in it.
    if let Some(server) = tool.server() {
        let server = squash(server);
        if callable.strip_prefix(&*server) != Some(&*own) {
            visit(&(server.into_owned() + &own));
        }
    }
}
