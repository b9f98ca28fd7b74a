//! BM25F over stems, with a bonus for the exact form.
//!
//! S. Robertson, H. Zaragoza: "The Probabilistic Relevance Framework: BM25 and Beyond", 2009. A word's frequencies in
//! the fields of a tool are weighted and added up before they saturate, so that a word in the name and the description
//! is one word, not two.

mod clauses;
mod explain;
mod room;

use super::terms::Term;
use super::{Best, PAGE, Scored};
use crate::index::Index;
use crate::order::Order;
use clauses::InClauses;
use room::{Found, Room, Seen, Sums};
use std::sync::Mutex;

/// What the exact form counts beside the stem: `list` before `lists`.
const EXACT: f64 = 0.5;
/// What a tool gains whose name consists of the query's words alone (rule C6), as a share of their weight there. Half
/// of a name's words gain a quarter of it: names differ in the words that are left.
const WHOLE_NAME: f64 = 0.5;
/// What a tool gains that has every word of the query, as a share of its score: more distinct words match better than one
/// that stands there again and again (rule C6).
const COVERAGE: f64 = 0.2;
/// What it then scores at most; with some slack, since other steps round otherwise.
const COVERED: f64 = (1.0 + COVERAGE) * SLACK;
const SLACK: f64 = 1.0 + 1e-9;
/// How much the clause that a tool serves best counts beside the query as a whole. A request that says several things
/// is seldom about one tool in all of them, and a word from each is not what one of them in full is.
const BEST_CLAUSE: f64 = 0.2;

/// The room of an index, between queries.
pub(crate) type Scratch = Mutex<Room>;

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
    terms: &[Term],
    eligible: Option<&dyn Fn(usize) -> bool>,
    enough: usize,
) -> Ranked {
    // Taken out for the time of the query, so that two at once do not wait for each other.
    let room = index.scratch.lock().map(|mut room| std::mem::take(&mut *room)).unwrap_or_default();
    let several = terms.iter().any(|t| t.clause != terms[0].clause);
    let found = Found::new(index, terms, several, room);
    let place_of = |number| index.slot_of(number).map(|slot| order.place_of(slot));
    let lets_in = |number| place_of(number).is_some_and(|place| eligible.is_none_or(|eligible| eligible(place)));
    let all_fit = eligible.is_none() && !index.has_gaps();
    let matches = Matches::of(&found, terms, if all_fit { None } else { Some(&lets_in) });
    let candidate = |sums: &Sums, set: &Set, at: usize, score: f64| {
        let number = set.first + at as u32;
        let (mut hits, mut name_hits) = (0, 0);
        for (seen, _) in found.of(set.block).iter().zip(terms).filter(|(_, term)| term.counts) {
            hits += usize::from(has(seen.own, at));
            name_hits += u8::from(has(seen.in_name, at));
        }
        let mut score = score + score * coverage_bonus(hits, matches.words);
        if name_hits > 0 {
            score += sums.name_gains[at] * name_bonus(name_hits, index.name_words(number));
        }
        let place = place_of(number).unwrap_or_default();
        Candidate { scored: Scored { place, score }, number, literal: has(set.literal, at) }
    };
    let mut ranked = Ranked { scored: Vec::new(), beyond: 0, scale: 1.0, lifted: Vec::new() };
    let mut sums = Sums::new();
    if !several && enough <= PAGE && matches.literal >= enough {
        // Then none that stand-ins alone found is among them, nor is it worth a closer look what most others score.
        let mut best = Best::new(enough);
        for set in &matches.sets {
            if set.most < best.least() {
                continue;
            }
            found.add_up(set.block, &mut sums);
            each(set.literal, |at| {
                let number = set.first + at as u32;
                let score = sums.scores[at];
                // How much it would have to gain by its name, and what it could if that had all words of the query.
                let lacks = best.least() - score * COVERED;
                let could = || sums.name_gains[at] * name_bonus(matches.words as u8, index.name_words(number));
                if lacks <= 0.0 || (has(set.named, at) && could() * SLACK >= lacks) {
                    best.offer(candidate(&sums, set, at, score).scored);
                }
            });
        }
        ranked.scored = best.into_vec();
    } else {
        let mut candidates: Vec<Candidate> = Vec::with_capacity(matches.total);
        let mut in_clauses: Vec<InClauses> = Vec::new();
        for set in &matches.sets {
            found.add_up(set.block, &mut sums);
            each(set.any, |at| {
                let mut score = sums.scores[at];
                if several {
                    score = (1.0 - BEST_CLAUSE) * score + BEST_CLAUSE * sums.clauses[at].best_gain;
                    in_clauses.push(sums.clauses[at]);
                }
                candidates.push(candidate(&sums, set, at, score));
            });
        }
        if matches.literal < matches.total {
            ranked.scale = put_others_behind(&mut candidates);
        }
        if several {
            ranked.lifted = clauses::speak_for(&mut candidates, &in_clauses, index);
        }
        ranked.scored = candidates.into_iter().map(|c| c.scored).collect();
    }
    ranked.beyond = matches.total - ranked.scored.len();
    if let Ok(mut scratch) = index.scratch.lock() {
        *scratch = found.into_room();
    }
    ranked
}

/// Which tools of a block a query matches at all, by a word of its own, and in the name.
struct Set {
    block: usize,
    /// The number of the first tool.
    first: u32,
    /// What none of them scores more than.
    most: f64,
    any: u64,
    literal: u64,
    named: u64,
}

/// Which tools a query matches.
struct Matches {
    /// Of blocks with any, first the one that promises most: few others promise more than what is found there.
    sets: Vec<Set>,
    /// How many there are, and how many by a word of the query itself.
    total: usize,
    literal: usize,
    /// The words of the query.
    words: usize,
}

impl Matches {
    fn of(found: &Found<'_>, terms: &[Term], lets_in: Option<&dyn Fn(u32) -> bool>) -> Self {
        let words = terms.iter().filter(|t| t.counts).count();
        let fitting = |first: u32, set: u64| match lets_in {
            Some(lets_in) => {
                let mut fitting = 0;
                each(set, |at| fitting |= u64::from(lets_in(first + at as u32)) << at);
                fitting
            }
            None => set,
        };
        // Where some tool has every word, those with less than half of them and none in the name are padding (rule C7).
        let has_all = |column: &[Seen]| {
            column.iter().zip(terms).filter(|(_, t)| t.counts).fold(!0, |all, (seen, _)| all & seen.own)
        };
        let only_half = words > 2 && found.blocks().any(|(first, column)| fitting(first, has_all(column)) != 0);
        let mut matches = Self { sets: Vec::new(), total: 0, literal: 0, words };
        for (block, (first, column)) in found.blocks().enumerate() {
            let (mut any, mut literal, mut named) = (0, 0, 0);
            for seen in column {
                any |= seen.own | seen.stood_in;
                literal |= seen.own;
                named |= seen.in_name;
            }
            any = fitting(first, any);
            if only_half && any & !named != 0 {
                any &= named | at_least(words.div_ceil(2), column, terms);
            }
            if any == 0 {
                continue;
            }
            literal &= any;
            matches.total += any.count_ones() as usize;
            matches.literal += literal.count_ones() as usize;
            matches.sets.push(Set { block, first, most: found.most(block), any, literal, named });
            let last = matches.sets.len() - 1;
            if matches.sets[last].most > matches.sets[0].most {
                matches.sets.swap(0, last);
            }
        }
        matches
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

/// Whether a set has the tool in this place of its block.
fn has(set: u64, at: usize) -> bool {
    set >> (at % 64) & 1 == 1
}

/// Which tools of a block have so many of the query's words in some way, as parts of others or by stand-ins.
fn at_least(count: usize, column: &[Seen], terms: &[Term]) -> u64 {
    // 64 counters side by side, the n-th bit of each in the n-th number. They begin where the last of `count` steps overflows.
    let bits = count.ilog2() as usize + 1;
    let start = (1 << bits) - count;
    let mut counters: [u64; 8] = std::array::from_fn(|bit| if start >> bit & 1 == 1 { !0 } else { 0 });
    let counters = &mut counters[..bits];
    let mut reached = 0;
    for (seen, term) in column.iter().zip(terms) {
        // A joined form is two words in one.
        for _ in 0..if term.counts { 1 } else { 2 } {
            let mut carry = seen.own | seen.stood_in;
            for counter in counters.iter_mut() {
                (*counter, carry) = (*counter ^ carry, *counter & carry);
            }
            reached |= carry;
        }
    }
    reached
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
