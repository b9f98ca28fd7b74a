//! The fielded index: for every word which tools have it, weighted by field and length (rule B1).
//!
//! Built on the first keyword search, from the definitions; no search text is kept. Then it follows the catalog: what a change
//! costs is in proportion to the tools that change.

mod fields;
mod gathered;
mod segment;
mod tally;

pub(crate) use fields::{FIELDS, Field, Keywords};
pub(crate) use segment::{Posting, Segment};

use crate::meaning::Space;
use crate::memory;
use crate::once::OnceLock;
use crate::order::Order;
use crate::rank::bm25f::Scratch;
use crate::rank::terms::Kept;
use crate::snapshot::{Input, Output};
use crate::text::{self, Kind};
use crate::thesaurus::Thesaurus;
use crate::tool::{Load, Tool};
use crate::vocabulary::Vocabulary;
use fields::{read, weights, words};
use gathered::{Counts, Gathered};
use segment::MOST_TOOLS;
use std::sync::Arc;
use tally::Tally;

/// How many words each tool brings that none before it had, about: 9 among the first 400, and 4 in 100,000.
const WORDS_PER_TOOL: usize = 5;

/// What stands for a tool that is gone, and for the stem of a stop word.
pub(crate) const NONE: u32 = u32::MAX;

/// The words of all deferred tools of a catalog.
#[derive(Debug)]
pub(crate) struct Index {
    /// Words as written (lower case, folded). The first are the stop words, which stand nowhere.
    forms: Vocabulary,
    /// The first are those of the thesaurus.
    stems: Vocabulary,
    thesaurus: Thesaurus,
    /// The stem of each form.
    stem_of: Vec<u32>,
    /// How many tools have each form and each stem.
    form_counts: Vec<u32>,
    stem_counts: Vec<u32>,
    /// How many forms of each stem some tool has.
    forms_of: Vec<u32>,
    segments: Vec<Segment>,
    /// By number, which tools get in the order they come: the slot of the tool, or `NONE`.
    slots: Vec<u32>,
    /// By slot: the number of the tool, or `NONE`.
    numbers: Vec<u32>,
    /// By number: how many distinct stems the raw name has.
    name_words: Vec<u8>,
    /// Tools that are there.
    count: usize,
    /// Forms by their first letter, for finding what a misspelt word was meant to be. Made when one is met.
    by_initial: OnceLock<Vec<Initial>>,
    /// What the tools mean, where the engine has word vectors.
    space: Option<Space>,
    pub scratch: Scratch,
    pub terms: Kept,
}

/// Forms that begin alike.
#[derive(Debug, Default)]
struct Initial {
    forms: Vec<u32>,
    /// The letters of each, when they have been asked for.
    letters: OnceLock<Vec<u32>>,
}

impl Index {
    /// With `meaning`, also what the tools mean.
    pub(crate) fn build(tools: &[Arc<Tool>], keywords: &Keywords, meaning: bool) -> Self {
        let room = WORDS_PER_TOOL * tools.len();
        let (mut forms, mut stems) = (Vocabulary::with_room(room), Vocabulary::with_room(room));
        for word in text::stop_words() {
            forms.intern(word);
        }
        let mut index = Self {
            thesaurus: Thesaurus::new(&mut stems),
            stem_of: vec![NONE; forms.len()],
            form_counts: vec![0; forms.len()],
            forms,
            stem_counts: vec![0; stems.len()],
            forms_of: vec![0; stems.len()],
            stems,
            segments: Vec::new(),
            slots: Vec::new(),
            numbers: Vec::new(),
            name_words: Vec::new(),
            count: 0,
            by_initial: OnceLock::new(),
            space: if meaning { Space::new() } else { None },
            scratch: Scratch::default(),
            terms: Kept::default(),
        };
        index.add(tools, keywords);
        index
    }

    /// Follows a change of the catalog.
    pub(crate) fn update(&mut self, dropped: &[Arc<Tool>], fresh: &[Arc<Tool>], all: &Order, keywords: &Keywords) {
        self.remove(dropped, keywords);
        self.add(fresh, keywords);
        // Most of it is of tools that are gone: their share of the work of building it anew is small.
        if self.slots.len() > 2 * self.count + 64 {
            *self = Self::build(&all.tools, keywords, self.space.is_some());
        }
    }

    fn add(&mut self, tools: &[Arc<Tool>], keywords: &Keywords) {
        let deferred: Vec<&Tool> =
            tools.iter().map(|tool| &**tool).filter(|tool| tool.load == Load::Deferred).collect();
        // To take them in, or to join, takes the memory of a segment once more.
        for tools in deferred.chunks(MOST_TOOLS) {
            let first = self.slots.len();
            let gathered = self.gather(tools, keywords);
            let counts = gathered.counts(&self.stem_of, self.stems.len());
            self.count_words(&counts, 1);
            self.segments.push(Segment::new(first, &gathered, counts, &self.stem_of));
            memory::grow_ahead();
            // Each joins with what is no larger, so that there are few, and each tool moves seldom.
            while let [.., before, last] = &self.segments[..]
                && before.tools() <= last.tools()
                && before.tools() + last.tools() <= MOST_TOOLS
            {
                let parts = self.segments.split_off(self.segments.len() - 2);
                self.segments.push(Segment::join(parts, &self.stem_of, self.stems.len()));
            }
        }
        self.by_initial.take();
        self.scratch = Scratch::default();
    }

    /// Reads tools, which get the next numbers.
    // Not within its caller, which would be larger by more.
    #[inline(never)]
    fn gather(&mut self, tools: &[&Tool], keywords: &Keywords) -> Gathered {
        let mut tally = Tally::new(tools.len());
        let mut gathered = Gathered::with_room(tools);
        for tool in tools {
            tally.read(tool, keywords, self, &mut gathered);
            if let Some(space) = &mut self.space {
                space.add(&self.forms);
            }
            let (number, slot) = (self.slots.len() as u32, tool.slot as usize);
            self.slots.push(tool.slot);
            self.numbers.resize(self.numbers.len().max(slot + 1), NONE);
            self.numbers[slot] = number;
            self.name_words.push(tally.name.len().min(255) as u8);
        }
        self.count += tools.len();
        gathered
    }

    /// Forgets tools: their words are counted down, their postings stay and lead nowhere.
    fn remove(&mut self, tools: &[Arc<Tool>], keywords: &Keywords) {
        if tools.is_empty() {
            return;
        }
        let mut tally = Tally::new(tools.len());
        let mut gathered = Gathered::default();
        for tool in tools {
            let Some(number) = self.number_of(tool) else { continue };
            tally.read(tool, keywords, self, &mut gathered);
            self.slots[number as usize] = NONE;
            self.numbers[tool.slot as usize] = NONE;
        }
        self.count -= gathered.len();
        self.count_words(&gathered.counts(&self.stem_of, self.stems.len()), -1);
    }

    /// So many tools more, or less, have each word.
    fn count_words(&mut self, counts: &Counts, sign: i32) {
        for ((count, own), stem) in self.form_counts.iter_mut().zip(&counts.forms).zip(&self.stem_of) {
            if *own > 0 {
                let had = *count > 0;
                *count = count.saturating_add_signed(sign * *own as i32);
                let forms = &mut self.forms_of[*stem as usize];
                *forms = forms.wrapping_add_signed(i32::from(*count > 0) - i32::from(had));
            }
        }
        for (count, own) in self.stem_counts.iter_mut().zip(&counts.stems) {
            *count = count.saturating_add_signed(sign * *own as i32);
        }
    }

    /// The number of a word; `NONE` for a stop word.
    fn intern(&mut self, word: &[u8]) -> u32 {
        let known = self.forms.len();
        let form = self.forms.intern_bytes(word);
        if form as usize == known {
            let stems = self.stems.len();
            let stem = self.stems.intern(&text::stem(self.forms.word(form)));
            if stem as usize == stems {
                self.stem_counts.push(0);
                self.forms_of.push(0);
            }
            self.stem_of.push(stem);
            self.form_counts.push(0);
        }
        if self.stem_of[form as usize] == NONE { NONE } else { form }
    }

    /// Writes it down with `place` in place of slots.
    pub(crate) fn write(&self, out: &mut Output, place: &dyn Fn(u32) -> u32) {
        self.forms.write(out);
        self.stems.write(out);
        for numbers in [&self.stem_of, &self.form_counts, &self.stem_counts] {
            out.numbers(numbers);
        }
        let places: Vec<u32> = self.slots.iter().map(|slot| if *slot == NONE { NONE } else { place(*slot) }).collect();
        out.numbers(&places);
        out.numbers(&self.name_words.iter().map(|words| u32::from(*words)).collect::<Vec<_>>());
        out.numbers(&[self.segments.len() as u32]);
        self.segments.iter().for_each(|segment| segment.write(out));
        self.space.iter().for_each(|space| space.write(out));
    }

    /// `None` when it is not of a catalog with so many slots, or of other stop words or another thesaurus.
    pub(crate) fn read(input: &mut Input<'_>, slots: usize) -> Option<Self> {
        let (forms, mut stems) = (Vocabulary::read(input)?, Vocabulary::read(input)?);
        let known = stems.len();
        let thesaurus = Thesaurus::new(&mut stems);
        let [stem_of, form_counts, stem_counts, tools, name_words] =
            [input.numbers()?, input.numbers()?, input.numbers()?, input.numbers()?, input.numbers()?];
        let [segments] = input.array()?;
        let stops = text::stop_words().count();
        let mut taken_in = 0;
        let segments = (0..segments).map(|_| {
            let segment = Segment::read(input, stems.len(), forms.len(), stops, taken_in..tools.len())?;
            taken_in += segment.tools();
            Some(segment)
        });
        let segments = segments.collect::<Option<Vec<Segment>>>()?;
        let mut numbers = vec![NONE; slots];
        for (number, &slot) in (0..).zip(&tools).filter(|(_, slot)| **slot != NONE) {
            let own = numbers.get_mut(slot as usize).filter(|own| **own == NONE)?;
            *own = number;
        }
        let mut forms_of = vec![0; stems.len()];
        for (&stem, &count) in stem_of.get(stops..)?.iter().zip(form_counts.get(stops..)?) {
            *forms_of.get_mut(stem as usize)? += u32::from(count > 0);
        }
        let count = numbers.iter().filter(|number| **number != NONE).count();
        let fits = known == stems.len()
            && form_counts.iter().chain(&stem_counts).all(|tools| *tools as usize <= count)
            && forms.words().zip(text::stop_words()).all(|(word, stop)| word == stop)
            && stem_of[..stops].iter().all(|stem| *stem == NONE)
            && form_counts[..stops].iter().all(|count| *count == 0)
            && taken_in == tools.len()
            && [stem_of.len(), form_counts.len()] == [forms.len(); 2]
            && stem_counts.len() == stems.len()
            && name_words.len() == tools.len();
        fits.then(|| Self {
            forms,
            stems,
            thesaurus,
            stem_of,
            form_counts,
            stem_counts,
            forms_of,
            segments,
            count,
            slots: tools,
            numbers,
            name_words: name_words.iter().map(|words| *words as u8).collect(),
            by_initial: OnceLock::new(),
            space: None,
            scratch: Scratch::default(),
            terms: Kept::default(),
        })
    }

    /// Reads what the tools mean, which may stand behind the rest; tells whether it does, by the vectors there are now.
    pub(crate) fn read_space(&mut self, input: &mut Input<'_>) -> bool {
        self.space = Space::read(input, self.slots.len());
        self.space.is_some()
    }

    /// How many tools it holds: what document frequencies are shares of.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether some of them are of tools that are gone.
    pub(crate) fn has_gaps(&self) -> bool {
        self.count < self.slots.len()
    }

    /// The number of a tool, when it is there.
    pub(crate) fn number_of(&self, tool: &Tool) -> Option<u32> {
        self.numbers.get(tool.slot as usize).copied().filter(|number| *number != NONE)
    }

    /// The slot of the tool of a number, when it is there.
    #[inline]
    pub(crate) fn slot_of(&self, number: u32) -> Option<u32> {
        Some(self.slots[number as usize]).filter(|slot| *slot != NONE)
    }

    #[inline]
    pub(crate) fn name_words(&self, number: u32) -> u8 {
        self.name_words[number as usize]
    }

    /// The number of a word as it is written, and of its stem; that of a stop word is `NONE`.
    #[inline]
    pub(crate) fn form(&self, word: &str) -> Option<(u32, u32)> {
        let form = self.forms.get(word)?;
        Some((form, self.stem_of[form as usize]))
    }

    /// The number of a stem, of a tool or of the thesaurus.
    pub(crate) fn stem(&self, stem: &str) -> Option<u32> {
        self.stems.get(stem)
    }

    /// The stem of a form that is no stop word.
    pub(crate) fn stem_of(&self, form: u32) -> u32 {
        self.stem_of[form as usize]
    }

    pub(crate) fn form_text(&self, form: u32) -> &str {
        self.forms.word(form)
    }

    pub(crate) fn stem_text(&self, stem: u32) -> &str {
        self.stems.word(stem)
    }

    /// Whether a stem has one form alone, as most have: then what its form adds is in the same tools.
    pub(crate) fn has_one_form(&self, stem: u32) -> bool {
        self.forms_of[stem as usize] == 1
    }

    /// The lists of postings that a stem has, each with the number of the first tool it could have; tools that are gone may still be in
    /// them.
    pub(crate) fn of_stem(&self, stem: u32) -> impl Iterator<Item = (usize, &[Posting])> {
        self.segments.iter().map(move |segment| (segment.first(), segment.of_stem(stem)))
    }

    pub(crate) fn of_form(&self, form: u32) -> impl Iterator<Item = (usize, &[Posting])> {
        self.segments.iter().map(move |segment| (segment.first(), self.of_form_in(segment, form)))
    }

    /// The lists by run of tools, those of the lowest numbers first.
    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(crate) fn of_form_in<'i>(&'i self, segment: &'i Segment, form: u32) -> &'i [Posting] {
        segment.of_form(form, &self.stem_of)
    }

    /// The posting of a tool in such lists.
    pub(crate) fn find<'a>(lists: impl Iterator<Item = (usize, &'a [Posting])>, number: u32) -> Option<Posting> {
        let own = lists.take_while(|(first, _)| *first <= number as usize).last();
        let (first, list) = own?;
        list.binary_search_by_key(&(number as usize - first), |posting| posting.place()).ok().map(|at| list[at])
    }

    /// The numbers of the tools that are in such lists.
    pub(crate) fn tools<'a>(&self, lists: impl Iterator<Item = (usize, &'a [Posting])>) -> impl Iterator<Item = u32> {
        let numbers = lists.flat_map(|(first, list)| list.iter().map(move |posting| (first + posting.place()) as u32));
        numbers.filter(|number| self.slot_of(*number).is_some())
    }

    /// How many tools have a form.
    pub(crate) fn form_count(&self, form: u32) -> usize {
        self.form_counts[form as usize] as usize
    }

    /// How many tools have a stem.
    pub(crate) fn stem_count(&self, stem: u32) -> usize {
        self.stem_counts[stem as usize] as usize
    }

    /// What a stem or form weighs for being rare: ln(1 + (N - n + ½) / (n + ½)), never negative. `libm` gives the same bits on
    /// every platform (rule C8).
    pub(crate) fn stem_idf(&self, stem: u32) -> f64 {
        self.idf(self.stem_counts[stem as usize])
    }

    pub(crate) fn form_idf(&self, form: u32) -> f64 {
        self.idf(self.form_counts[form as usize])
    }

    fn idf(&self, tools: u32) -> f64 {
        let (all, n) = (self.count as f64, f64::from(tools));
        libm::log(1.0 + (all - n + 0.5) / (n + 0.5))
    }

    /// What its tools mean, where the engine has word vectors.
    pub(crate) fn space(&self) -> Option<&Space> {
        self.space.as_ref()
    }

    pub(crate) fn thesaurus(&self) -> &Thesaurus {
        &self.thesaurus
    }

    /// Forms that begin with a letter and could be within `edits` single edits of a word with these `letters`.
    pub(crate) fn near(&self, initial: char, letters: u32, edits: u32) -> impl Iterator<Item = (&str, u32)> {
        let table = self.by_initial.get_or_init(|| {
            let mut table: Vec<Initial> = Vec::new();
            table.resize_with(INITIALS, Initial::default);
            for (form, word) in (0..).zip(self.forms.words()).filter(|(form, _)| self.form_counts[*form as usize] > 0) {
                table[bucket(word.chars().next().unwrap_or_default())].forms.push(form);
            }
            table
        });
        let Initial { forms, letters: all } = &table[bucket(initial)];
        let all = all.get_or_init(|| forms.iter().map(|form| letters_of(self.form_text(*form))).collect());
        // One edit takes a letter away, brings one, or both.
        let could = move |others: u32| (others ^ letters).count_ones() <= 2 * edits;
        let alike = forms.iter().zip(all).filter(move |(_, others)| could(**others));
        let words = alike.map(|(&form, _)| (self.form_text(form), form));
        words.filter(move |(word, _)| word.starts_with(initial))
    }

    /// The weighted frequency of the words that `wanted` takes, field by field: what the postings hold added up.
    pub(crate) fn fields_of(tool: &Tool, keywords: &Keywords, wanted: &dyn Fn(&str) -> bool) -> [f64; FIELDS.len()] {
        let mut length = [0; FIELDS.len()];
        let mut times = [0.0; FIELDS.len()];
        read(tool, keywords, &mut |field, part, text| {
            words(part, text, &mut |word, kind| {
                if !text::is_stop(word) {
                    length[field as usize] += u32::from(kind == Kind::Part);
                    times[field as usize] += f64::from(u8::from(wanted(word)));
                }
            });
        });
        let weights = weights(&length);
        std::array::from_fn(|field| times[field] * f64::from(weights[field]))
    }
}

/// Into how many lists words are parted by their first letter.
const INITIALS: usize = 64;

fn bucket(initial: char) -> usize {
    initial as usize % INITIALS
}

/// Which letters a word has, as a set of 32: two that share a bit make words look closer than they are, never further.
pub(crate) fn letters_of(word: &str) -> u32 {
    let note = |letters: u32, letter: u32| letters | 1 << (letter & 31);
    if word.is_ascii() {
        return word.bytes().fold(0, |letters, byte| note(letters, byte.into()));
    }
    word.chars().fold(0, |letters, c| note(letters, c.into()))
}
