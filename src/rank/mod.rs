//! Ranking: which tools a query's words mean.
//!
//! `terms` turns words into what the index knows, `bm25f` scores by it, `meaning` widens that by word vectors, `additive` is the plain
//! keyword scorer.

pub(crate) mod additive;
pub(crate) mod bm25f;
pub(crate) mod meaning;
pub(crate) mod terms;

use crate::sorted;
use std::cmp::Ordering;

/// A tool by its place in catalog order, and how well it matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scored {
    pub place: usize,
    pub score: f64,
}

/// One addend of a match's score.
#[derive(Debug, Clone, PartialEq)]
pub struct Explain {
    /// The word of the query; with `~` before it, another that stands for it.
    pub term: String,
    /// The field it was found in.
    pub field: &'static str,
    /// What it adds to the score.
    pub weight: f64,
}

/// Up to how many of the best are kept in order one by one.
pub(crate) const PAGE: usize = 64;

/// The best `count` of them, best first; equal ones in catalog order (rule C8).
pub(crate) fn best(mut all: Vec<Scored>, count: usize) -> Vec<Scored> {
    if all.is_sorted_by(Scored::is_before) {
        all.truncate(count);
        return all;
    }
    if count > PAGE {
        let order = |a: usize, b: usize| {
            if all[a].is_before(&all[b]) { Ordering::Less } else { Ordering::Greater }
        };
        return sorted::places(all.len(), &order).iter().take(count).map(|&at| all[at]).collect();
    }
    let mut best = Best::new(count);
    all.into_iter().for_each(|scored| best.offer(scored));
    best.into_vec()
}

impl Scored {
    fn is_before(&self, other: &Self) -> bool {
        self.score > other.score || (self.score == other.score && self.place < other.place)
    }
}

/// The best of what it is offered, at most a page of them, in order. Few of all come so far: the best are found early, on average.
pub(crate) struct Best {
    count: usize,
    kept: Vec<Scored>,
}

impl Best {
    pub(crate) fn new(count: usize) -> Self {
        Self { count, kept: Vec::with_capacity(count) }
    }

    /// What is less is not kept.
    #[inline]
    pub(crate) fn least(&self) -> f64 {
        if self.kept.len() < self.count { 0.0 } else { self.kept.last().map_or(f64::INFINITY, |worst| worst.score) }
    }

    pub(crate) fn offer(&mut self, scored: Scored) {
        let mut at = self.kept.len();
        if at < self.count {
            self.kept.push(scored);
        }
        // What is worse moves on by one, the worst of all out.
        while at > 0 && scored.is_before(&self.kept[at - 1]) {
            if at < self.kept.len() {
                self.kept[at] = self.kept[at - 1];
            }
            at -= 1;
        }
        if at < self.kept.len() {
            self.kept[at] = scored;
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Scored> {
        self.kept
    }
}
