//! BM25F over stems, with a bonus for the exact form.
//!
//! S. Robertson, H. Zaragoza: "The Probabilistic Relevance Framework: BM25 and Beyond", 2009. A word's frequencies in
//! the fields of a tool are weighted and added up before they saturate, so that a word in the name and the description
//! is one word, not two.

mod clauses;
mod counts;
mod explain;
mod lists;
mod room;

use super::terms::Terms;
use super::{Best, PAGE, Scored};
use crate::index::Index;
use crate::order::Order;
use clauses::InClauses;
use lists::BLOCK;
use room::{Find, Found, Room, Sum};
use std::sync::Mutex;

/// What the exact form counts beside the stem: `list` before `lists`.
const EXACT: f64 = 0.5;
/// What a tool gains whose name consists of the query's words alone (rule C6), as a share of their weight there. Half
/// of a name's words gain a quarter of it: names differ in the words that are left.
const WHOLE_NAME: f64 = 0.5;
/// What a tool gains that has every word of the query, as a share of its score: more distinct words match better than one
/// that stands there again and again (rule C6).
const COVERAGE: f64 = 0.2;
/// What the most that a tool can score is taken for: other steps round otherwise.
const SLACK: f64 = 1.0 + 1e-6;
/// What each point of a score counts at most, and each for a word in the name.
const MOST_COVERED: f64 = (1.0 + COVERAGE) * SLACK;
const MOST_NAMED: f64 = WHOLE_NAME * SLACK;
/// How much the clause that a tool serves best counts beside the query as a whole. A request that says several things
/// is seldom about one tool in all of them, and a word from each is not what one of them in full is.
const BEST_CLAUSE: f64 = 0.2;

/// The room of an index, between queries.
pub(crate) type Scratch = Mutex<Option<Box<Room>>>;

/// The candidates of a query, with what is needed to judge and explain them.
#[derive(Debug)]
pub(crate) struct Ranked {
    pub scored: Vec<Scored>,
    /// Further candidates, which all come behind.
    pub beyond: usize,
    /// What the scores of tools found by stand-ins alone were multiplied by.
    scale: f64,
    /// What tools gained that speak for a clause of their own.
    lifted: Vec<Scored>,
}

/// A tool that was found, by its number in the index.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    scored: Scored,
    number: u32,
    /// Whether it has a word of the query itself.
    literal: bool,
}

/// Scores the tools that any term finds and `eligible`, if there is such a condition, lets in: all of them, or at least the best
/// `enough`. Tools found by stand-ins alone come after all others (rule B6): their scores are scaled to end below the least
/// literal one.
pub(crate) fn rank(
    index: &Index,
    order: &Order,
    terms: &Terms,
    eligible: Option<&dyn Fn(usize) -> bool>,
    enough: usize,
) -> Ranked {
    // Taken out for the time of the query, so that two at once do not wait for each other.
    let room = index.scratch.lock().ok().and_then(|mut room| room.take()).unwrap_or_default();
    let words = terms.all().iter().filter(|t| t.counts).count();
    let place_of = |number| index.slot_of(number).map(|slot| order.place_of(slot));
    let lets_in = |number| place_of(number).is_some_and(|place| eligible.is_none_or(|eligible| eligible(place)));
    let all_fit = eligible.is_none() && !index.has_gaps();
    let mut found = Found::new(index, terms, words, if all_fit { None } else { Some(&lets_in) }, room);
    let judge = Judge { index, order, words };
    let mut ranked = Ranked { scored: Vec::new(), beyond: 0, scale: 1.0, lifted: Vec::new() };
    if !found.several && enough <= PAGE && found.literal >= enough {
        // Then none that stand-ins alone found is among them.
        ranked.scored = judge.best(&mut found, enough);
    } else {
        judge.all(&mut found, &mut ranked);
    }
    ranked.beyond = found.total - ranked.scored.len();
    if let Ok(mut scratch) = index.scratch.lock() {
        *scratch = Some(found.into_room());
    }
    ranked
}

/// Turns what was added up into scores.
struct Judge<'a> {
    index: &'a Index,
    order: &'a Order,
    /// How many the query has.
    words: usize,
}

impl Judge<'_> {
    /// The score of a tool for which the query's words add up to `score`.
    fn scored(&self, sum: &Sum, number: u32, score: f64) -> Scored {
        let mut score = score + score * coverage_bonus(sum.hits(), self.words);
        if sum.name_hits() > 0 {
            score += sum.name_gain * name_bonus(sum.name_hits(), self.index.name_words(number));
        }
        let place = self.index.slot_of(number).map_or(0, |slot| self.order.place_of(slot));
        Scored { place, score }
    }

    /// The best of those that have a word of the query itself.
    fn best(&self, found: &mut Found<'_>, enough: usize) -> Vec<Scored> {
        let mut best = Best::new(enough);
        // First the block that promises most: few others promise more than what is found there.
        let (mut next, mut from) = (Some(found.best), 0);
        while let Some(block) = next {
            found.add_up(block);
            let (first, Find { literal, named, .. }) = found.of(block);
            // Most of the best have a word in the name, and few of the others come near to them.
            self.offer(&found.sums().tools, literal & named, first, &mut best);
            self.offer(&found.sums().tools, literal & !named, first, &mut best);
            next = found.next(from, best.least());
            from = next.map_or(from, |block| block + 1);
        }
        best.into_vec()
    }

    /// Offers the tools of a block. A function of its own: within another, engines have no registers left for the loop.
    #[inline(never)]
    fn offer(&self, sums: &[Sum; BLOCK], literal: u64, first: u32, best: &mut Best) {
        let mut least = best.least();
        each(literal, |at| {
            let sum = &sums[at % BLOCK];
            // What most others score is not worth a closer look.
            if sum.score * MOST_COVERED + sum.name_gain * MOST_NAMED >= least {
                best.offer(self.scored(sum, first + at as u32, sum.score));
                least = best.least();
            }
        });
    }

    /// All that were found.
    #[inline(never)]
    fn all(&self, found: &mut Found<'_>, ranked: &mut Ranked) {
        let several = found.several;
        let mut candidates: Vec<Candidate> = Vec::with_capacity(found.total);
        let mut in_clauses: Vec<InClauses> = Vec::new();
        for block in 0..found.blocks() {
            let (first, Find { any, literal, .. }) = found.of(block);
            if any == 0 {
                continue;
            }
            found.add_up(block);
            let sums = found.sums();
            each(any, |at| {
                let mut score = sums.tools[at].score;
                if several {
                    score = (1.0 - BEST_CLAUSE) * score + BEST_CLAUSE * sums.clauses[at].best_gain;
                    in_clauses.push(sums.clauses[at]);
                }
                let number = first + at as u32;
                let scored = self.scored(&sums.tools[at], number, score);
                candidates.push(Candidate { scored, number, literal: literal >> at & 1 == 1 });
            });
        }
        if found.literal < found.total {
            ranked.scale = put_others_behind(&mut candidates);
        }
        if several {
            ranked.lifted = clauses::speak_for(&mut candidates, &in_clauses, self.index);
        }
        ranked.scored = candidates.into_iter().map(|c| c.scored).collect();
    }
}

/// Calls `visit` with the bits that are set, from the lowest on.
#[inline]
fn each(mut set: u64, mut visit: impl FnMut(usize)) {
    while set != 0 {
        visit(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// Scales the scores of what only stand-ins found, so that they end below the least of what a word itself found; gives the
/// factor.
fn put_others_behind(candidates: &mut [Candidate]) -> f64 {
    let (mut least_literal, mut most_other) = (f64::INFINITY, 0.0);
    for Candidate { scored, literal, .. } in candidates.iter() {
        if *literal && scored.score < least_literal {
            least_literal = scored.score;
        }
        if !literal && scored.score > most_other {
            most_other = scored.score;
        }
    }
    let scale = behind(least_literal, most_other);
    if scale < 1.0 {
        candidates.iter_mut().filter(|c| !c.literal).for_each(|c| c.scored.score *= scale);
    }
    scale
}

/// What a tool gains that has `hits` of the query's `words` itself, as a share of its score.
fn coverage_bonus(hits: usize, words: usize) -> f64 {
    COVERAGE * hits.min(words) as f64 / words.max(1) as f64
}

/// What the words of a tool's name gain when the query has `hits` of its `words`, as a share of their weight.
fn name_bonus(hits: u8, words: u8) -> f64 {
    let share = f64::from(hits) / f64::from(words.max(1));
    WHOLE_NAME * share * share
}

/// The factor that brings what only stand-ins found below what a word itself found.
fn behind(least_literal: f64, most_other: f64) -> f64 {
    if most_other < least_literal || most_other <= 0.0 { 1.0 } else { 0.99 * least_literal / most_other }
}
