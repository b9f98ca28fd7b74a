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
/// server's. Changes take time in proportion to the tools that change.
#[derive(Debug, Default)]
pub(crate) struct Spellings {
    texts: Vocabulary,
    /// By the number of the text: its letters, and its first entry.
    heads: Vec<(u32, u32)>,
    /// Slots, each with the next entry of the same text.
    entries: Vec<(u32, u32)>,
    /// The first of the entries that are free.
    free: Option<u32>,
    /// How many texts have an entry.
    used: usize,
}

impl Spellings {
    pub(crate) fn add(&mut self, tool: &Tool) {
        texts_of(tool, &mut |text| {
            let number = self.texts.intern(text) as usize;
            if number == self.heads.len() {
                self.heads.push((letters_of(text), NONE));
            }
            let head = self.heads[number].1;
            if head == NONE {
                self.used += 1;
            } else if self.entries[head as usize].0 == tool.slot {
                return;
            }
            let entry = (tool.slot, head);
            self.heads[number].1 = match self.free {
                Some(at) => {
                    let next = std::mem::replace(&mut self.entries[at as usize], entry).1;
                    self.free = Some(next).filter(|next| *next != NONE);
                    at
                }
                None => {
                    self.entries.push(entry);
                    self.entries.len() as u32 - 1
                }
            };
        });
    }

    pub(crate) fn remove(&mut self, tool: &Tool) {
        texts_of(tool, &mut |text| {
            let Some(number) = self.texts.get(text) else { return };
            let (mut before, mut at) = (NONE, self.heads[number as usize].1);
            while at != NONE && self.entries[at as usize].0 != tool.slot {
                (before, at) = (at, self.entries[at as usize].1);
            }
            if at == NONE {
                return;
            }
            let next = std::mem::replace(&mut self.entries[at as usize].1, self.free.unwrap_or(NONE));
            self.free = Some(at);
            match self.entries.get_mut(before as usize) {
                Some(before) => before.1 = next,
                None => {
                    self.heads[number as usize].1 = next;
                    self.used -= usize::from(next == NONE);
                }
            }
        });
    }

    /// Writes it down with `place` in place of slots.
    pub(crate) fn write(&self, out: &mut Output, place: &dyn Fn(u32) -> u32) {
        let mut texts = Vocabulary::default();
        let (mut ends, mut places): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for (text, _, slots) in self.iter() {
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
        let mut all = Self { used: texts.len(), ..Self::default() };
        let mut start = 0;
        for (text, end) in texts.words().zip(ends) {
            all.heads.push((letters_of(text), if start < end { start } else { NONE }));
            let next = |at: u32| if at + 1 < end { at + 1 } else { NONE };
            all.entries.extend((start..end).map(|at| (places[at as usize], next(at))));
            start = end;
        }
        all.texts = texts;
        Some(all)
    }

    /// Whether most of what it holds is of tools that are gone.
    pub(crate) fn is_worn(&self) -> bool {
        self.texts.len() > 2 * self.used + 64
    }

    /// The tools that a name of this spelling may mean.
    pub(crate) fn slots(&self, text: &str) -> impl Iterator<Item = u32> + use<'_> {
        self.chain(self.texts.get(text).map_or(NONE, |number| self.heads[number as usize].1))
    }

    fn chain(&self, mut at: u32) -> impl Iterator<Item = u32> + use<'_> {
        std::iter::from_fn(move || {
            let &(slot, next) = self.entries.get(at as usize)?;
            at = next;
            Some(slot)
        })
    }

    /// Every text with its letters and the slots of its tools.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, u32, impl Iterator<Item = u32> + use<'_>)> {
        let heads = self.texts.words().zip(&self.heads);
        heads.map(|(text, &(letters, first))| (text, letters, self.chain(first)))
    }
}

fn texts_of(tool: &Tool, visit: &mut dyn FnMut(&str)) {
    let own = spelling(tool.raw_name());
    visit(&spelling(tool.name()));
    visit(&own);
    // `github.create_issue` where the callable name has no server in it.
    if let Some(server) = tool.server() {
        visit(&(squash(server).into_owned() + &own));
    }
}
