//! From the words of a query to terms of the index: the words themselves, what they are part of or fall into, their
//! synonyms, and what a misspelt one was meant to be (rules B6, C5, C6).

use crate::index::{Index, NONE, letters_of};
use crate::names::Distance;
use crate::text::{self, Kind};
use std::ops::Range;
use std::sync::Mutex;

/// What a synonym counts against the word itself.
const SYNONYM: f64 = 0.35;
/// What the nearest known word counts for a misspelt one.
const MENDED: f64 = 0.5;
/// What the two halves of an unknown compound count.
const HALF: f64 = 0.7;
/// How fast a word that the query repeats saturates: said twice it counts a third more, and never double (BM25's k3).
const REPEATED: f64 = 1.0;

/// How many distinct words of a query are searched for. What has more is a text; its beginning says what it is about.
const MOST_TERMS: usize = 128;
/// For how many unknown words the nearest known one is looked for, which takes a look at much of the vocabulary.
const MOST_MENDED: usize = 8;
/// How many required words are held against each tool.
const MOST_REQUIRED: usize = 128;

/// The terms of a query, each distinct stem once, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    all: Vec<Term>,
    /// Stems that stand for a term at a lower weight, term by term.
    stand_ins: Vec<(u32, f64)>,
    words: Vec<Word>,
    /// The words behind one another, lower case.
    text: String,
}

/// What is kept from query to query: making room takes as long as reading a word.
pub(crate) type Kept = Mutex<Terms>;

/// One word of a query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    word: Slice,
    /// What the word itself is in the index, if anything.
    pub stem: Option<u32>,
    pub form: Option<u32>,
    /// Which of the stand-ins are its own.
    stand_ins: Slice,
    /// Whether the query means it as a word of its own; a joined form beside its parts is not.
    pub counts: bool,
    /// What the whole of it counts: 1, less for half of a compound, more for a word that the query repeats.
    pub weight: f64,
    /// The number of the query's clause that has it first.
    pub clause: u32,
    /// How often the query has it.
    times: u32,
    /// Whether no tool has the word or a synonym: what is searched for it, if anything, is a guess.
    pub unknown: bool,
}

/// A part of a list or a text.
#[derive(Debug, Clone, Copy, Default)]
struct Slice {
    start: usize,
    end: usize,
}

impl Slice {
    fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl Terms {
    /// The terms of a text. A stem is `known` when the search may see a tool that has it.
    pub(crate) fn of(text: &str, index: &Index, known: &dyn Fn(u32) -> bool) -> Self {
        let mut terms = index.terms.lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default();
        terms.all.clear();
        terms.stand_ins.clear();
        terms.text.clear();
        terms.read(text, &Lookup { index, known }, MOST_MENDED);
        terms
    }

    /// The terms of words that a tool must have, each read by itself. A guess is none of them, so that none is looked for.
    pub(crate) fn required(words: &[&str], index: &Index, known: &dyn Fn(u32) -> bool) -> Self {
        let mut terms = Self::default();
        words.iter().take(MOST_REQUIRED).for_each(|word| terms.read(word, &Lookup { index, known }, 0));
        terms
    }

    /// Leaves what they are kept in to the queries that follow, if it is no more than most need.
    pub(crate) fn leave(self, index: &Index) {
        if self.words.len() <= MOST_TERMS
            && let Ok(mut kept) = index.terms.lock()
        {
            *kept = self;
        }
    }

    pub(crate) fn all(&self) -> &[Term] {
        &self.all
    }

    /// One of them as written, lower case.
    pub(crate) fn word(&self, term: &Term) -> &str {
        &self.text[term.word.range()]
    }

    /// The stems that stand for one of them, and what each counts.
    pub(crate) fn stand_ins(&self, term: &Term) -> &[(u32, f64)] {
        &self.stand_ins[term.stand_ins.range()]
    }

    /// Adds the terms of a text.
    fn read(&mut self, query: &str, lookup: &Lookup<'_>, most_mended: usize) {
        self.words.clear();
        read(query, lookup, &mut self.text, &mut self.words);
        let Self { all, stand_ins, words, text } = self;
        let Lookup { index, known } = *lookup;
        let first = all.len();
        let mut before: Option<&Word> = None;
        let mut guesses = 0;
        for (at, word) in words.iter().enumerate() {
            if all.len() - first >= MOST_TERMS {
                break;
            }
            if word.is_stop {
                before = None;
                continue;
            }
            let counts = word.kind == Kind::Part;
            let none = Slice { start: stand_ins.len(), end: stand_ins.len() };
            let mut push = |term| push(all, first, text, term);
            if counts {
                // `web fetch` is also the `webfetch` that somebody wrote as one word.
                let left = before.replace(word).filter(|left| left.text.end == word.text.start);
                if let Some(left) = left {
                    let both = Slice { start: left.text.start, end: word.text.end };
                    if let Some((form, stem)) = lookup.form(&text[both.range()]) {
                        push(Term {
                            counts: false,
                            form: Some(form),
                            ..Term::new(both, Some(stem), none, word.clause)
                        });
                    }
                }
            }
            let stem = word.stem.filter(|stem| word.form.is_some() || known(*stem));
            let mut term = Term { form: word.form, counts, ..Term::new(word.text, stem, none, word.clause) };
            if let Some(number) = word.stem {
                let thesaurus = index.thesaurus();
                let next = words[at + 1..].iter().find(|next| next.kind == Kind::Part).and_then(|next| next.stem);
                let phrase = next.map(|next| thesaurus.phrase(number, next)).unwrap_or_default();
                let synonyms = phrase.iter().chain(thesaurus.others(number)).filter(|stem| known(**stem));
                stand_ins.extend(synonyms.map(|stem| (*stem, SYNONYM)));
            }
            if word.form.is_none() && counts && stem.is_none() && stand_ins.len() == none.start {
                term.unknown = true;
                let own = &text[word.text.range()];
                if let Some(halves) = halves(own, lookup) {
                    for (form, stem) in halves {
                        push(Term { form: Some(form), stem: Some(stem), weight: HALF, ..term });
                    }
                    continue;
                }
                guesses += 1;
                if guesses <= most_mended {
                    stand_ins.extend(nearest(own, lookup).map(|form| (index.stem_of(form), MENDED)));
                }
            }
            term.stand_ins.end = stand_ins.len();
            push(term);
        }
        for term in &mut all[first..] {
            let times = f64::from(term.times);
            term.weight *= times * (1.0 + REPEATED) / (times + REPEATED);
        }
    }
}

/// A word of the query and what the index has of it.
#[derive(Debug)]
struct Word {
    /// Where it stands in the text of all words.
    text: Slice,
    kind: Kind,
    clause: u32,
    is_stop: bool,
    form: Option<u32>,
    /// Of a tool or of the thesaurus.
    stem: Option<u32>,
}

/// Reads the words of a query, and what they are in: one text, lower case.
fn read(query: &str, lookup: &Lookup<'_>, all: &mut String, words: &mut Vec<Word>) {
    let index = lookup.index;
    let mut joints = 0;
    for (marks, part) in (0..).zip(text::clauses(query)) {
        text::words(part, &mut |word, kind| {
            joints += u32::from(matches!(word, "and" | "then"));
            if kind == Kind::Single {
                return;
            }
            let found = index.form(word);
            let is_stop = matches!(found, Some((_, NONE)));
            // Most words stand in some tool as they are, and are stemmed already.
            let stem = match found {
                Some((_, stem)) if !is_stop => Some(stem),
                // A stop word has one as the second of a phrase: `look for`.
                _ => index.stem(&text::stem(word)),
            };
            let form = found.filter(|found| !is_stop && lookup.has(*found)).map(|(form, _)| form);
            // A joined form is what its parts are side by side.
            if kind == Kind::Part || !all.ends_with(word) {
                all.push_str(word);
            }
            let text = Slice { start: all.len() - word.len(), end: all.len() };
            words.push(Word { text, kind, clause: marks + joints, is_stop, form, stem });
        });
    }
}

/// The words of the index that the search may see.
struct Lookup<'i> {
    index: &'i Index,
    known: &'i dyn Fn(u32) -> bool,
}

impl Lookup<'_> {
    /// The form and the stem of a word that stands in some tool as it is written.
    fn form(&self, word: &str) -> Option<(u32, u32)> {
        self.index.form(word).filter(|found| self.has(*found))
    }

    #[inline]
    fn has(&self, (form, stem): (u32, u32)) -> bool {
        self.index.form_count(form) > 0 && stem != NONE && (self.known)(stem)
    }
}

impl Term {
    fn new(word: Slice, stem: Option<u32>, stand_ins: Slice, clause: u32) -> Self {
        let (form, times) = (None, 1);
        Self { word, stem, form, stand_ins, counts: true, weight: 1.0, clause, times, unknown: false }
    }

    /// Whether others may stand for it.
    pub(crate) fn has_stand_ins(&self) -> bool {
        self.stand_ins.end > self.stand_ins.start
    }
}

/// Adds a term to those from `first` on, or to the one of them that is the same.
fn push(all: &mut Vec<Term>, first: usize, text: &str, term: Term) {
    let word = |term: &Term| &text[term.word.range()];
    let same = |t: &&mut Term| if term.stem.is_some() { t.stem == term.stem } else { word(t) == word(&term) };
    match all[first..].iter_mut().find(same) {
        Some(twin) => {
            // An identifier's joined form beside its parts is no repetition.
            twin.times += u32::from(twin.counts && term.counts);
            twin.counts |= term.counts;
            twin.weight = twin.weight.max(term.weight);
            twin.unknown &= term.unknown;
        }
        None => all.push(term),
    }
}

/// The first way to part a word into two that the catalog knows, of three letters or more each: their stems and forms.
fn halves(word: &str, lookup: &Lookup<'_>) -> Option<[(u32, u32); 2]> {
    if !word.is_ascii() || word.len() < 6 {
        return None;
    }
    (3..=word.len() - 3).find_map(|at| {
        let (left, right) = word.split_at(at);
        Some([lookup.form(left)?, lookup.form(right)?])
    })
}

/// What a word was meant to be that neither a tool nor the thesaurus has.
pub(crate) fn mended<'i>(word: &str, index: &'i Index, known: &dyn Fn(u32) -> bool) -> Option<&'i str> {
    if index.stem(&text::stem(word)).is_some() {
        return None;
    }
    nearest(word, &Lookup { index, known }).map(|form| index.form_text(form))
}

/// The nearest known word: one edit away, two for eight letters and more, the first letter kept. Of several
/// the nearest, then the one that most tools have, then the first by alphabet.
fn nearest(word: &str, lookup: &Lookup<'_>) -> Option<u32> {
    let length = word.chars().count();
    let initial = word.chars().next()?;
    if length < 5 || !word.chars().all(char::is_alphabetic) {
        return None;
    }
    let max = if length < 8 { 1 } else { 2 };
    let index = lookup.index;
    let mut distance = Distance::from(word);
    let candidates = index.near(initial, letters_of(word), max as u32).filter_map(|(candidate, form)| {
        let edits = distance.to(candidate, max)?;
        let stem = index.stem_of(form);
        let fits = candidate.chars().count() >= 4 && (lookup.known)(stem);
        fits.then(|| (edits, std::cmp::Reverse(index.stem_count(stem)), candidate, form))
    });
    candidates.min().map(|(.., form)| form)
}
