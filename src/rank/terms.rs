//! From the words of a query to terms of the index: the words themselves, what they are part of or fall into, their
//! synonyms, and what a misspelt one was meant to be (rules B6, C5, C6).

use crate::index::Index;
use crate::names::distance;
use crate::text::{self, Kind};
use crate::thesaurus;

/// What a synonym counts against the word itself.
const SYNONYM: f64 = 0.35;
/// What the nearest known word counts for a misspelt one.
const MENDED: f64 = 0.5;
/// What the two halves of a compound that nobody writes as one word count.
const HALF: f64 = 0.7;

/// One word of a query.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    /// As written, lower case.
    pub word: String,
    /// What the word itself is in the index, if anything.
    pub stem: Option<u32>,
    pub form: Option<u32>,
    /// Stems that stand for it at a lower weight.
    pub stand_ins: Vec<(u32, f64)>,
    /// Whether the query means it as a word of its own; a joined form beside its parts is not.
    pub counts: bool,
    /// What the whole of it counts: 1, or less for half of a compound.
    pub weight: f64,
    /// A misspelt or unknown word.
    pub unknown: bool,
}

/// The terms of a text, each distinct stem once, in the order of the text.
pub(crate) fn terms(query: &str, index: &Index, known: &dyn Fn(u32) -> bool) -> Vec<Term> {
    let mut words: Vec<(String, Kind)> = Vec::new();
    text::words(query, &mut |word, kind| words.push((word.to_owned(), kind)));
    let find_stem = |stem: &str| index.stems.get(stem).filter(|&s| known(s));
    let literal = |word: &str| find_stem(&text::stem(word));

    let mut all: Vec<Term> = Vec::new();
    let mut before: Option<String> = None;
    for (at, (word, kind)) in words.iter().enumerate() {
        let stem = text::stem(word).into_owned();
        let next = words[at + 1..].iter().find(|(_, k)| *k == Kind::Part).map(|(w, _)| w);
        let phrase = next.map(|next| thesaurus::others(&format!("{stem} {}", text::stem(next)))).unwrap_or_default();
        if text::is_stop(word) {
            before = None;
            continue;
        }
        if *kind == Kind::Part {
            // `web fetch` is also the `webfetch` that somebody wrote as one word.
            if let Some(joined) =
                before.replace(word.clone()).map(|b| b + word).filter(|j| index.forms.get(j).is_some())
            {
                push(&mut all, Term { counts: false, ..Term::new(&joined, literal(&joined), index) });
            }
        }
        let mut term = Term::new(word, find_stem(&stem), index);
        term.counts = *kind == Kind::Part;
        let synonyms = phrase.into_iter().chain(thesaurus::others(&stem));
        term.stand_ins = synonyms.filter_map(|s| find_stem(&s)).map(|s| (s, SYNONYM)).collect();
        if term.stem.is_none() && term.stand_ins.is_empty() && term.counts {
            if let Some((left, right)) = halves(word, &literal) {
                for half in [left, right] {
                    push(&mut all, Term { weight: HALF, ..Term::new(half, literal(half), index) });
                }
                continue;
            }
            term.unknown = true;
            term.stand_ins.extend(nearest(word, index, known).map(|s| (s, MENDED)));
        }
        push(&mut all, term);
    }
    all
}

impl Term {
    fn new(word: &str, stem: Option<u32>, index: &Index) -> Self {
        let form = stem.and_then(|_| index.forms.get(word));
        Self { word: word.to_owned(), stem, form, stand_ins: Vec::new(), counts: true, weight: 1.0, unknown: false }
    }

    /// Whether no tool has the word or one that stands for it.
    pub(crate) fn is_lost(&self) -> bool {
        self.counts && self.stem.is_none() && self.stand_ins.is_empty()
    }
}

fn push(all: &mut Vec<Term>, term: Term) {
    let same = |t: &&mut Term| if term.stem.is_some() { t.stem == term.stem } else { t.word == term.word };
    match all.iter_mut().find(same) {
        Some(twin) => {
            twin.counts |= term.counts;
            twin.weight = twin.weight.max(term.weight);
        }
        None => all.push(term),
    }
}

/// The first way to part a word into two that the catalog knows, of three letters or more each.
fn halves<'w>(word: &'w str, literal: &dyn Fn(&str) -> Option<u32>) -> Option<(&'w str, &'w str)> {
    if !word.is_ascii() || word.len() < 6 {
        return None;
    }
    (3..=word.len() - 3)
        .map(|at| word.split_at(at))
        .find(|(left, right)| literal(left).is_some() && literal(right).is_some())
}

/// The stem of the nearest known word: one edit away, two for eight letters and more, the first letter kept. Of several
/// the nearest, then the one that most tools have, then the first by alphabet.
fn nearest(word: &str, index: &Index, known: &dyn Fn(u32) -> bool) -> Option<u32> {
    let length = word.chars().count();
    if length < 5 || !word.chars().all(char::is_alphabetic) {
        return None;
    }
    let max = if length < 8 { 1 } else { 2 };
    let first = word.chars().next();
    let mut best: Option<(usize, std::cmp::Reverse<usize>, &str, u32)> = None;
    for candidate in index.forms.words() {
        if candidate.len().abs_diff(word.len()) > max * 4
            || candidate.chars().next() != first
            || candidate.chars().count() < 4
        {
            continue;
        }
        let Some(edits) = distance(word, candidate, max) else { continue };
        let Some(stem) = index.stems.get(&text::stem(candidate)).filter(|&s| known(s)) else { continue };
        let this = (edits, std::cmp::Reverse(index.stem_postings.frequency(stem)), candidate.as_ref(), stem);
        if best.as_ref().is_none_or(|b| this < *b) {
            best = Some(this);
        }
    }
    best.map(|(.., stem)| stem)
}
