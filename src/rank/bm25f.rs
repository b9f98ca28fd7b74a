//! BM25F over stems, with a bonus for the exact form.
//!
//! S. Robertson, H. Zaragoza: "The Probabilistic Relevance Framework: BM25 and Beyond", 2009. A word's frequencies in
//! the fields of a tool are weighted and added up before they saturate, so that a word in the name and the description
//! is one word, not two.

use super::terms::Term;
use super::{Explain, Scored};
use crate::index::{FIELDS, Field, Index, Keywords};
use crate::order::Order;
use crate::text;
use crate::tool::Tool;
use std::sync::Mutex;

/// What the exact form counts beside the stem: `list` before `lists`.
const EXACT: f64 = 0.5;
/// What a tool gains whose name consists of the query's words alone (rule C6), as a share of their weight there. Half
/// of a name's words gain a quarter of it: names differ in the words that are left.
const WHOLE_NAME: f64 = 0.5;
/// What a tool gains that has every word of the query, as a share of its score: more distinct words match better than one
/// that stands there again and again (rule C6).
const COVERAGE: f64 = 0.2;
/// How much the clause that a tool serves best counts beside the query as a whole. A request that says several things
/// is seldom about one tool in all of them, and a word from each is not what one of them in full is.
const BEST_CLAUSE: f64 = 0.2;

/// How much of its name a clause must have, and how much of the best score a tool, to speak for that clause.
const SPEAKS_NAME: f64 = 2.0 / 3.0;
const SPEAKS_SCORE: f64 = 0.3;
/// Each clause's tool comes this little behind the one before it.
const BEHIND: f64 = 0.999;

/// The candidates of a query, with what is needed to judge and explain them.
#[derive(Debug)]
pub(crate) struct Ranked {
    pub scored: Vec<Scored>,
    /// What the scores of tools found by stand-ins alone were multiplied by.
    scale: f64,
    /// What tools gained that speak for a clause of their own.
    lifted: Vec<Scored>,
}

/// What one query has found of one tool so far.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    score: f64,
    /// What the words of its name add.
    name_gain: f64,
    /// What the last term adds that found it, and the number of that term.
    gain: f64,
    term: u16,
    /// How many words of the query it has, as parts of it or joined, itself or by a stand-in; 0 while nothing was found.
    any_words: u16,
    /// How many it has itself, how many of them in its name, and whether it has any, joined ones included.
    words: u8,
    name_hits: u8,
    literal: bool,
}

/// What the clauses of a query have found of one tool so far.
#[derive(Debug, Clone, Copy, Default)]
struct InClauses {
    /// The last clause that found it, what that adds, and how many words of its name it has.
    clause: u32,
    gain: f64,
    hits: u8,
    /// The same of the clause before it that adds most.
    best_gain: f64,
    best_hits: u8,
    best_clause: u32,
}

impl InClauses {
    fn add(&mut self, clause: u32, gain: f64, in_name: bool) {
        if clause != self.clause {
            self.settle();
            self.clause = clause;
        }
        self.gain += gain;
        self.hits += u8::from(in_name);
    }

    fn settle(&mut self) {
        if self.gain > self.best_gain {
            (self.best_gain, self.best_hits, self.best_clause) = (self.gain, self.hits, self.clause);
        }
        (self.gain, self.hits) = (0.0, 0);
    }
}

/// Room for what is found of every tool, all zero between queries, so that none has to clear it.
#[derive(Debug, Default)]
pub(crate) struct Room {
    found: Vec<Found>,
    /// Only where a query has several clauses.
    clauses: Vec<InClauses>,
    touched: Vec<u32>,
}

/// How a posting list stands for a term.
#[derive(Clone, Copy, PartialEq)]
enum As {
    Stem,
    /// By its stem and, since that has no other form, by its form too.
    StemAndForm,
    Form,
    StandIn,
}

impl As {
    /// What part of the gain is the stem's.
    fn stem_share(self) -> f64 {
        if self == Self::StemAndForm { 1.0 / (1.0 + EXACT) } else { 1.0 }
    }
}

/// Calls `visit` with every list that a term stands for: how, which, and what a full match in it weighs.
fn lists(index: &Index, term: &Term, visit: &mut dyn FnMut(As, u32, f64)) {
    match (term.stem, term.form) {
        (Some(stem), Some(_)) if index.has_one_form(stem) => {
            visit(As::StemAndForm, stem, (1.0 + EXACT) * term.weight * index.stem_idf(stem));
        }
        (stem, form) => {
            stem.into_iter().for_each(|stem| visit(As::Stem, stem, term.weight * index.stem_idf(stem)));
            form.into_iter().for_each(|form| visit(As::Form, form, EXACT * term.weight * index.form_idf(form)));
        }
    }
    for &(stem, weight) in &term.stand_ins {
        visit(As::StandIn, stem, weight * term.weight * index.stem_idf(stem));
    }
}

/// The room of an index, between queries.
pub(crate) type Scratch = Mutex<Room>;

impl Room {
    /// Counts in what a term finds.
    fn find(&mut self, index: &Index, number: u16, term: &Term, several: bool) {
        let Self { found, clauses, touched } = self;
        // A joined form is two words in one.
        let size = if term.counts { 1 } else { 2 };
        lists(index, term, &mut |how, id, weight| match how {
            As::Stem | As::StemAndForm => {
                let name_share = if how == As::StemAndForm { 1.0 / (1.0 + EXACT) } else { 1.0 };
                for posting in index.of_stem(id).flatten() {
                    let f = &mut found[posting.number() as usize];
                    if f.any_words == 0 {
                        touched.push(posting.number());
                    }
                    let gain = weight * f64::from(posting.weight);
                    f.score += gain;
                    (f.term, f.gain) = (number, gain);
                    f.any_words += size;
                    f.literal = true;
                    let in_name = term.counts && posting.in_name();
                    f.words += u8::from(term.counts);
                    if in_name {
                        f.name_hits += 1;
                        f.name_gain += gain * name_share;
                    }
                    if several {
                        clauses[posting.number() as usize].add(term.clause, gain, in_name);
                    }
                }
            }
            // In tools that the stem has found.
            As::Form => {
                for posting in index.of_form(id).flatten() {
                    let f = &mut found[posting.number() as usize];
                    let gain = weight * f64::from(posting.weight);
                    f.score += gain;
                    f.gain += gain;
                    if several {
                        clauses[posting.number() as usize].add(term.clause, gain, false);
                    }
                }
            }
            // Of a word and its stand-ins the one counts that adds most.
            As::StandIn => {
                for posting in index.of_stem(id).flatten() {
                    let f = &mut found[posting.number() as usize];
                    if f.term != number {
                        if f.any_words == 0 {
                            touched.push(posting.number());
                        }
                        (f.term, f.gain) = (number, 0.0);
                        f.any_words += size;
                    }
                    let more = weight * f64::from(posting.weight) - f.gain;
                    if more > 0.0 {
                        f.gain += more;
                        f.score += more;
                        if several {
                            clauses[posting.number() as usize].add(term.clause, more, false);
                        }
                    }
                }
            }
        });
    }

    /// What was found is zero again already.
    fn clear(&mut self) {
        for number in self.touched.drain(..) {
            if let Some(clauses) = self.clauses.get_mut(number as usize) {
                *clauses = InClauses::default();
            }
        }
    }
}

/// A tool that was found, by its number in the index.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    scored: Scored,
    number: u32,
    /// Whether it has a word of the query itself.
    literal: bool,
    /// Whether it has half of the words, or one in its name.
    counts: bool,
}

/// Scores every tool that any term finds and `eligible`, if there is such a condition, lets in. Tools found by stand-ins
/// alone come after all others (rule B6): their scores are scaled to end below the least literal one.
pub(crate) fn rank(index: &Index, order: &Order, terms: &[Term], eligible: Option<&dyn Fn(usize) -> bool>) -> Ranked {
    // Taken out for the time of the query, so that two at once do not wait for each other.
    let mut room = index.scratch.lock().map(|mut room| std::mem::take(&mut *room)).unwrap_or_default();
    let several = terms.iter().any(|t| t.clause != terms[0].clause);
    room.found.resize(index.numbers(), Found::default());
    if several {
        room.clauses.resize(index.numbers(), InClauses::default());
    }
    for (number, term) in (1..).zip(terms) {
        room.find(index, number, term, several);
    }
    let words = terms.iter().filter(|t| t.counts).count();
    let mut candidates: Vec<Candidate> = Vec::with_capacity(room.touched.len());
    let (mut whole, mut others) = (false, false);
    for &number in &room.touched {
        let f = std::mem::take(&mut room.found[number as usize]);
        let Some(slot) = index.slot_of(number) else { continue };
        let place = order.place_of(slot);
        if eligible.is_some_and(|eligible| !eligible(place)) {
            continue;
        }
        let mut score = f.score;
        if several {
            let clauses = &mut room.clauses[number as usize];
            clauses.settle();
            score = (1.0 - BEST_CLAUSE) * score + BEST_CLAUSE * clauses.best_gain;
        }
        score += score * coverage_bonus(usize::from(f.words), words);
        if f.name_hits > 0 {
            score += f.name_gain * name_bonus(f.name_hits, index.name_words(number));
        }
        whole |= usize::from(f.words) == words;
        others |= !f.literal;
        let counts = f.name_hits > 0 || usize::from(f.any_words) * 2 >= words;
        candidates.push(Candidate { scored: Scored { place, score }, number, literal: f.literal, counts });
    }
    // Where some tool has every word, those with less than half of them and none in the name are padding (rule C7).
    if words > 2 && whole {
        candidates.retain(|c| c.counts);
    }
    let scale = if others { put_others_behind(&mut candidates) } else { 1.0 };
    let lifted = if several { speak_for_clauses(&mut candidates, &room.clauses, index) } else { Vec::new() };
    room.clear();
    if let Ok(mut scratch) = index.scratch.lock() {
        *scratch = room;
    }
    Ranked { scored: candidates.into_iter().map(|c| c.scored).collect(), scale, lifted }
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

/// Where a request asks for several things, lets each be served before any is served twice: behind the best tool of all
/// comes, for every other clause in turn, the tool that serves it best and has most of its name from it.
fn speak_for_clauses(candidates: &mut [Candidate], clauses: &[InClauses], index: &Index) -> Vec<Scored> {
    let before = |a: &Candidate, b: &Candidate| {
        let (a, b) = (a.scored, b.scored);
        a.score > b.score || (a.score == b.score && a.place < b.place)
    };
    let top = candidates.iter().copied().reduce(|a, b| if before(&b, &a) { b } else { a });
    let Some(top) = top else { return Vec::new() };
    let of = |c: &Candidate| &clauses[c.number as usize];
    let speaks = |c: &Candidate| {
        let name_words = f64::from(index.name_words(c.number).max(1));
        let named = f64::from(of(c).best_hits) >= SPEAKS_NAME * name_words;
        of(c).best_clause != of(&top).best_clause && named && c.scored.score >= SPEAKS_SCORE * top.scored.score
    };
    // By clause: which of the candidates speaks for it.
    let mut speakers: Vec<(u32, usize)> = Vec::new();
    for (at, c) in candidates.iter().enumerate().filter(|(_, c)| speaks(c)) {
        let clause = of(c).best_clause;
        let place = speakers.partition_point(|(of, _)| *of < clause);
        let Some((_, speaker)) = speakers.get_mut(place).filter(|(of, _)| *of == clause) else {
            speakers.insert(place, (clause, at));
            continue;
        };
        let (own, best) = (of(c).best_gain, of(&candidates[*speaker]).best_gain);
        if own > best || (own == best && before(c, &candidates[*speaker])) {
            *speaker = at;
        }
    }
    let mut lifted = Vec::new();
    let mut least = top.scored.score;
    for (_, at) in speakers {
        least *= BEHIND;
        let Scored { place, score } = candidates[at].scored;
        if score < least {
            lifted.push(Scored { place, score: least - score });
            candidates[at].scored.score = least;
        }
    }
    lifted
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
        let Some(number) = index.number_of(tool) else { return Vec::new() };
        let (mut literal, mut hits, mut name_hits, mut name_gain) = (false, 0, 0, 0.0);
        // The addends of each clause.
        let mut clauses: Vec<(u32, Vec<Explain>)> = Vec::new();
        for term in terms {
            let mut own: Vec<Explain> = Vec::new();
            let mut other: Vec<Explain> = Vec::new();
            lists(index, term, &mut |how, id, weight| {
                let posting = match how {
                    As::Form => Index::find(index.of_form(id), number),
                    _ => Index::find(index.of_stem(id), number),
                };
                let Some(posting) = posting else { return };
                let gain = weight * f64::from(posting.weight);
                let shares = Index::fields_of(tool, keywords, &|word| match how {
                    As::Form => word == index.form_text(id),
                    _ => text::stem(word) == index.stem_text(id),
                });
                let total: f64 = shares.iter().sum();
                // The word that stands for it may be one of the user's keywords, which are never shown.
                let shown = if how == As::StandIn { format!("~{}", term.word) } else { term.word.clone() };
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
                if how == As::Form || !term.counts {
                    return;
                }
                hits += 1;
                if posting.in_name() {
                    name_hits += 1;
                    name_gain += gain * how.stem_share();
                }
            });
            let gained = if sum(&other) > sum(&own) { other } else { own };
            match clauses.last_mut() {
                Some((clause, addends)) if *clause == term.clause => addends.extend(gained),
                _ => clauses.push((term.clause, gained)),
            }
        }
        let best = clauses.iter().map(|(_, addends)| sum(addends)).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        for (at, (_, addends)) in clauses.iter_mut().enumerate() {
            if best.is_some_and(|(best, _)| best != at) {
                addends.iter_mut().for_each(|e| e.weight *= 1.0 - BEST_CLAUSE);
            }
        }
        let mut all: Vec<Explain> = clauses.into_iter().flat_map(|(_, addends)| addends).collect();
        let words = terms.iter().filter(|t| t.counts).count();
        let covered = sum(&all) * coverage_bonus(hits, words);
        if covered > 0.0 {
            all.push(Explain { term: format!("({hits} of {words} words)"), field: "query", weight: covered });
        }
        let name_words = index.name_words(number);
        let bonus = name_gain * name_bonus(name_hits, name_words);
        if bonus > 0.0 {
            let term = if name_hits == name_words { "(whole name)" } else { "(part of the name)" };
            all.push(Explain { term: term.to_owned(), field: Field::Name.name(), weight: bonus });
        }
        if !literal {
            all.iter_mut().for_each(|e| e.weight *= self.scale);
        }
        if let Some(lift) = self.lifted.iter().find(|l| l.place == place) {
            all.push(Explain { term: "(best for its part)".to_owned(), field: "query", weight: lift.score });
        }
        all
    }
}

fn sum(addends: &[Explain]) -> f64 {
    addends.iter().map(|e| e.weight).sum()
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
