//! Requests that ask for several things.

use super::Candidate;
use crate::index::Index;
use crate::rank::Scored;

/// How much of its name a clause must have, and how much of the best score a tool, to speak for that clause.
const SPEAKS_NAME: f64 = 2.0 / 3.0;
const SPEAKS_SCORE: f64 = 0.3;
/// Each clause's tool comes this little behind the one before it.
const BEHIND: f64 = 0.999;

/// What the clauses of a query have found of one tool so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InClauses {
    /// The last clause that found it, what that adds, and how many words of its name it has.
    clause: u32,
    gain: f64,
    hits: u8,
    /// The same of the clause before it that adds most; when it is settled, of all.
    pub(super) best_gain: f64,
    best_hits: u8,
    best_clause: u32,
}

impl InClauses {
    // Few queries have several clauses, and there are several places that call it.
    #[inline(never)]
    pub(super) fn add(&mut self, clause: u32, gain: f64, in_name: bool) {
        if clause != self.clause {
            self.settle();
            self.clause = clause;
        }
        self.gain += gain;
        self.hits += u8::from(in_name);
    }

    pub(super) fn settle(&mut self) {
        if self.gain > self.best_gain {
            (self.best_gain, self.best_hits, self.best_clause) = (self.gain, self.hits, self.clause);
        }
        (self.gain, self.hits) = (0.0, 0);
    }
}

/// Where a request asks for several things, lets each be served before any is served twice: behind the best tool of all
/// comes, for every other clause in turn, the tool that serves it best and has most of its name from it.
#[inline(never)]
pub(super) fn speak_for(candidates: &mut [Candidate], of: &[InClauses], index: &Index) -> Vec<Scored> {
    let before = |a: &Candidate, b: &Candidate| {
        let (a, b) = (a.scored, b.scored);
        a.score > b.score || (a.score == b.score && a.place < b.place)
    };
    let first = |a: usize, b: usize| if before(&candidates[b], &candidates[a]) { b } else { a };
    let Some(best) = (0..candidates.len()).reduce(first) else { return Vec::new() };
    let top = candidates[best];
    let speaks = |at: usize, c: &Candidate| {
        let name_words = f64::from(index.name_words(c.number).max(1));
        let named = f64::from(of[at].best_hits) >= SPEAKS_NAME * name_words;
        of[at].best_clause != of[best].best_clause && named && c.scored.score >= SPEAKS_SCORE * top.scored.score
    };
    // By clause: which of the candidates speaks for it.
    let mut speakers: Vec<(u32, usize)> = Vec::new();
    for (at, c) in candidates.iter().enumerate().filter(|(at, c)| speaks(*at, c)) {
        let clause = of[at].best_clause;
        let place = speakers.partition_point(|(of, _)| *of < clause);
        let Some((_, speaker)) = speakers.get_mut(place).filter(|(of, _)| *of == clause) else {
            speakers.insert(place, (clause, at));
            continue;
        };
        let (own, best) = (of[at].best_gain, of[*speaker].best_gain);
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
