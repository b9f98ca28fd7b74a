//! BM25F over stems, with a bonus for the exact form.
//!
//! S. Robertson, H. Zaragoza: "The Probabilistic Relevance Framework: BM25 and Beyond", 2009. A word's frequencies in
//! the fields of a tool are weighted and added up before they saturate, so that a word in the name and the description
//! is one word, not two.

use super::terms::Term;
use super::{Explain, Scored};
use crate::index::{FIELDS, Field, Index, Keywords, Postings};
use crate::text;
use crate::tool::Tool;

/// How fast repetition saturates.
const K1: f64 = 1.2;
/// What the exact form counts beside the stem: `list` before `lists`.
const EXACT: f64 = 0.5;
/// What a tool gains whose name consists of the query's words alone (rule C6), as a share of their weight.
const WHOLE_NAME: f64 = 0.25;

/// The candidates of a query, with what is needed to judge and explain them.
#[derive(Debug)]
pub(crate) struct Ranked {
    pub scored: Vec<Scored>,
    /// What the scores of tools found by stand-ins alone were multiplied by.
    scale: f64,
}

/// What one query has found of one tool so far.
#[derive(Clone, Copy, Default)]
struct Found {
    score: f64,
    /// What the current term adds, and which term that is.
    gain: f64,
    term: u32,
    literal: bool,
    name_hits: u8,
    name_gain: f64,
}

/// How a posting list stands for a term.
#[derive(Clone, Copy, PartialEq)]
enum As {
    Stem,
    Form,
    StandIn,
}

/// Calls `visit` with every list that a term stands for: how, which, and what a full match in it weighs.
fn lists(index: &Index, term: &Term, visit: &mut dyn FnMut(As, u32, f64)) {
    let full =
        |postings: &Postings, id: u32, weight: f64| weight * term.weight * idf(index.count, postings.frequency(id));
    if let Some(stem) = term.stem {
        visit(As::Stem, stem, full(&index.stem_postings, stem, 1.0));
    }
    if let Some(form) = term.form {
        visit(As::Form, form, full(&index.form_postings, form, EXACT));
    }
    for &(stem, weight) in &term.stand_ins {
        visit(As::StandIn, stem, full(&index.stem_postings, stem, weight));
    }
}

/// Scores every tool that any term finds and `eligible` lets in. Tools found by stand-ins alone come after all others
/// (rule B6): their scores are scaled to end below the least literal one.
pub(crate) fn rank(index: &Index, terms: &[Term], eligible: &dyn Fn(usize) -> bool) -> Ranked {
    let mut found = vec![Found::default(); index.name_words.len()];
    let mut touched: Vec<usize> = Vec::new();
    for (number, term) in (1..).zip(terms) {
        lists(index, term, &mut |how, id, weight| {
            let postings = if how == As::Form { &index.form_postings } else { &index.stem_postings };
            for posting in postings.of(id) {
                let f = &mut found[posting.place as usize];
                if f.term != number {
                    if f.term == 0 {
                        touched.push(posting.place as usize);
                    }
                    f.score += f.gain;
                    (f.term, f.gain) = (number, 0.0);
                }
                let gain = weight * saturate(f64::from(posting.weight));
                if how == As::StandIn {
                    f.gain = f.gain.max(gain);
                    continue;
                }
                f.gain += gain;
                f.literal = true;
                if how == As::Stem && term.counts && posting.fields & Field::Name.bit() != 0 {
                    f.name_hits = f.name_hits.saturating_add(1);
                    f.name_gain += gain;
                }
            }
        });
    }
    touched.retain(|&place| eligible(place));
    let (mut least_literal, mut most_other) = (f64::INFINITY, 0.0f64);
    for &place in &touched {
        let f = &mut found[place];
        f.score += f.gain;
        if f.name_hits > 0 && f.name_hits == index.name_words[place] {
            f.score += WHOLE_NAME * f.name_gain;
        }
        if f.literal {
            least_literal = least_literal.min(f.score);
        } else {
            most_other = most_other.max(f.score);
        }
    }
    let scale = behind(least_literal, most_other);
    let score = |place: usize| found[place].score * if found[place].literal { 1.0 } else { scale };
    Ranked { scored: touched.iter().map(|&place| Scored { place, score: score(place) }).collect(), scale }
}

impl Ranked {
    /// The addends of one match's score, by term and field.
    pub(crate) fn explain(
        &self,
        index: &Index,
        terms: &[Term],
        place: usize,
        tool: &Tool,
        keywords: &Keywords,
    ) -> Vec<Explain> {
        let mut all: Vec<Explain> = Vec::new();
        let (mut literal, mut name_hits, mut name_gain) = (false, 0, 0.0);
        for term in terms {
            let mut own: Vec<Explain> = Vec::new();
            let mut other: Vec<Explain> = Vec::new();
            lists(index, term, &mut |how, id, weight| {
                let postings = if how == As::Form { &index.form_postings } else { &index.stem_postings };
                let list = postings.of(id);
                let Ok(at) = list.binary_search_by_key(&(place as u32), |p| p.place) else { return };
                let gain = weight * saturate(f64::from(list[at].weight));
                let word =
                    if how == As::Form { &index.forms.words()[id as usize] } else { &index.stems.words()[id as usize] };
                let shares = index.fields_of(tool, keywords, &|w| match how {
                    As::Form => w == &**word,
                    _ => text::stem(w) == **word,
                });
                let total: f64 = shares.iter().sum();
                let shown = if how == As::StandIn { format!("~{word}") } else { term.word.clone() };
                let addends = FIELDS.iter().zip(shares).filter(|(_, share)| *share > 0.0);
                let addends = addends.map(|(f, share)| Explain {
                    term: shown.clone(),
                    field: f.name,
                    weight: gain * share / total,
                });
                if how == As::StandIn {
                    if sum(&other) < gain {
                        other = addends.collect();
                    }
                    return;
                }
                own.extend(addends);
                literal = true;
                if how == As::Stem && term.counts && list[at].fields & Field::Name.bit() != 0 {
                    name_hits += 1;
                    name_gain += gain;
                }
            });
            all.append(if sum(&other) > sum(&own) { &mut other } else { &mut own });
        }
        if name_hits > 0 && name_hits == index.name_words[place] {
            all.push(Explain {
                term: "(whole name)".to_owned(),
                field: Field::Name.name(),
                weight: WHOLE_NAME * name_gain,
            });
        }
        if !literal {
            all.iter_mut().for_each(|e| e.weight *= self.scale);
        }
        all
    }
}

fn sum(addends: &[Explain]) -> f64 {
    addends.iter().map(|e| e.weight).sum()
}

/// The factor that brings what only stand-ins found below what a word itself found.
fn behind(least_literal: f64, most_other: f64) -> f64 {
    if most_other < least_literal || most_other <= 0.0 { 1.0 } else { 0.99 * least_literal / most_other }
}

/// ln(1 + (N - n + ½) / (n + ½)): never negative. `libm` gives the same bits on every platform (rule C8).
fn idf(count: usize, frequency: usize) -> f64 {
    let (n, f) = (count as f64, frequency as f64);
    libm::log(1.0 + (n - f + 0.5) / (f + 0.5))
}

fn saturate(tf: f64) -> f64 {
    tf * (K1 + 1.0) / (tf + K1)
}
