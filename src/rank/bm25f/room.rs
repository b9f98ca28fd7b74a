//! Where what a query finds of each tool is added up.

use super::EXACT;
use super::clauses::InClauses;
use crate::index::{Index, Posting};
use crate::rank::terms::Term;

/// How a posting list stands for a term.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum As {
    Stem,
    /// By its stem and, since that has no other form, by its form too.
    StemAndForm,
    Form,
    StandIn,
}

impl As {
    /// What part of the gain is the stem's.
    pub(super) fn stem_share(self) -> f64 {
        if self == Self::StemAndForm { 1.0 / (1.0 + EXACT) } else { 1.0 }
    }
}

/// Calls `visit` with every list that a term stands for: how, which, and what a full match in it weighs.
pub(super) fn lists(index: &Index, term: &Term, visit: &mut dyn FnMut(As, u32, f64)) {
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

/// Which of 64 tools a term is found in: itself, itself in the name, or by what stands for it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    pub own: u64,
    pub in_name: u64,
    pub stood_in: u64,
}

/// Room for what is found of every tool, by number. Scores are zero between queries.
///
/// What is found where is a set of 64 tools at a time: whole sets are counted and compared in a step, where a look at each tool
/// would take most of a query's time.
#[derive(Debug, Default)]
pub(crate) struct Room {
    scores: Vec<f64>,
    /// What of them is for words in the name.
    name_gains: Vec<f64>,
    /// What the term adds that was found last, where it is found; only of terms with stand-ins.
    gains: Vec<f64>,
    /// Only where a query has several clauses.
    pub(super) clauses: Vec<InClauses>,
    /// For each 64 tools, one for each term.
    seen: Vec<Seen>,
    terms: usize,
}

/// What every posting of a list adds to its tool.
struct Adds {
    /// The place of the term.
    term: usize,
    weight: f64,
    /// What part of it is the name's, where it stands there. 0 where that is no matter.
    name_share: f64,
    /// Whether something may still stand in for it.
    widened: bool,
    clause: Option<u32>,
}

impl Room {
    /// Counts in all that some terms find.
    pub(super) fn find_all(&mut self, index: &Index, terms: &[Term], several: bool) {
        let tools = index.numbers();
        self.scores.resize(tools, 0.0);
        self.name_gains.resize(tools, 0.0);
        self.terms = terms.len();
        self.seen.clear();
        self.seen.resize(tools.div_ceil(64) * terms.len(), Seen::default());
        if several {
            self.clauses.clear();
            self.clauses.resize(tools, InClauses::default());
        }
        for (at, term) in terms.iter().enumerate() {
            let widened = !term.stand_ins.is_empty();
            if widened {
                self.gains.resize(tools, 0.0);
            }
            let clause = several.then_some(term.clause);
            lists(index, term, &mut |how, id, weight| {
                let name_share = if term.counts { how.stem_share() } else { 0.0 };
                let adds = Adds { term: at, weight, name_share, widened, clause };
                match how {
                    As::Stem | As::StemAndForm => index.of_stem(id).for_each(|list| self.own(list, &adds)),
                    As::Form => index.of_form(id).for_each(|list| self.more(list, &adds)),
                    As::StandIn => index.of_stem(id).for_each(|list| self.stand_in(list, &adds)),
                }
            });
        }
        if several {
            self.clauses.iter_mut().for_each(InClauses::settle);
        }
    }

    /// Postings of a word of the query itself. Most of a query's time passes here.
    fn own(&mut self, list: &[Posting], adds: &Adds) {
        let &Adds { term, weight, name_share, widened, clause } = adds;
        let Self { scores, name_gains, gains, clauses, seen, terms } = self;
        let (scores, seen, terms) = (&mut scores[..], &mut seen[..], *terms);
        for posting in list {
            let at = posting.number() as usize;
            let gain = weight * f64::from(posting.weight);
            scores[at] += gain;
            let seen = &mut seen[at / 64 * terms + term];
            let bit = 1 << (at % 64);
            seen.own |= bit;
            if posting.in_name() {
                seen.in_name |= bit;
                name_gains[at] += gain * name_share;
            }
            if widened {
                gains[at] = gain;
            }
            if let Some(clause) = clause {
                clauses[at].add(clause, gain, posting.in_name() && name_share > 0.0);
            }
        }
    }

    /// Postings of the form of a word, in tools that its stem has found.
    fn more(&mut self, list: &[Posting], adds: &Adds) {
        for posting in list {
            let at = posting.number() as usize;
            // A forged snapshot may have a form where its stem is not.
            if self.seen[at / 64 * self.terms + adds.term].own >> (at % 64) & 1 == 0 {
                continue;
            }
            let gain = adds.weight * f64::from(posting.weight);
            self.scores[at] += gain;
            if adds.widened {
                self.gains[at] += gain;
            }
            if let Some(clause) = adds.clause {
                self.clauses[at].add(clause, gain, false);
            }
        }
    }

    /// Postings of what stands for a word. Of it and its stand-ins the one counts that adds most.
    fn stand_in(&mut self, list: &[Posting], adds: &Adds) {
        let &Adds { term, weight, clause, .. } = adds;
        let Self { scores, gains, clauses, seen, terms, .. } = self;
        let (scores, gains, seen, terms) = (&mut scores[..], &mut gains[..], &mut seen[..], *terms);
        for posting in list {
            let at = posting.number() as usize;
            let seen = &mut seen[at / 64 * terms + term];
            let bit = 1 << (at % 64);
            let had = if (seen.own | seen.stood_in) & bit == 0 { 0.0 } else { gains[at] };
            seen.stood_in |= bit;
            let gain = weight * f64::from(posting.weight);
            let more = if gain > had { gain - had } else { 0.0 };
            gains[at] = had + more;
            scores[at] += more;
            if let Some(clause) = clause.filter(|_| more > 0.0) {
                clauses[at].add(clause, more, false);
            }
        }
    }

    /// What was found in each 64 tools, one for each term.
    pub(super) fn columns(&self) -> impl ExactSizeIterator<Item = &[Seen]> {
        self.seen.chunks_exact(self.terms.max(1))
    }

    /// The terms of a tool.
    pub(super) fn of(&self, number: usize) -> &[Seen] {
        &self.seen[number / 64 * self.terms..][..self.terms]
    }

    pub(super) fn score(&self, number: usize) -> f64 {
        self.scores[number]
    }

    pub(super) fn name_gain(&self, number: usize) -> f64 {
        self.name_gains[number]
    }

    /// Makes scores zero again, of all tools that stand close together at once.
    pub(super) fn clear(&mut self) {
        let mut start = None;
        let columns = self.seen.chunks_exact(self.terms.max(1));
        let touched = columns.map(|column| column.iter().any(|seen| seen.own | seen.stood_in != 0));
        for (at, is_touched) in touched.chain([false]).enumerate() {
            match start {
                None if is_touched => start = Some(at),
                Some(first) if !is_touched => {
                    let tools = 64 * first..(64 * at).min(self.scores.len());
                    self.scores[tools.clone()].fill(0.0);
                    self.name_gains[tools].fill(0.0);
                    start = None;
                }
                _ => {}
            }
        }
    }
}
