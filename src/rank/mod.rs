//! Ranking: which tools a query's words mean.
//!
//! `terms` turns words into what the index knows, `bm25f` scores by it, `additive` is the plain keyword scorer.

pub(crate) mod additive;
pub(crate) mod bm25f;
pub(crate) mod terms;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

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

/// The best `count` of them, best first; equal ones in catalog order (rule C8).
pub(crate) fn best(all: Vec<Scored>, count: usize) -> Vec<Scored> {
    // The worst that is kept is on top.
    let mut kept: BinaryHeap<Rank> = BinaryHeap::with_capacity(count.min(all.len()) + 1);
    for scored in all {
        if kept.len() < count {
            kept.push(Rank(scored));
        } else if kept.peek().is_some_and(|worst| scored.score >= worst.0.score && Rank(scored) < *worst) {
            kept.pop();
            kept.push(Rank(scored));
        }
    }
    kept.into_sorted_vec().into_iter().map(|rank| rank.0).collect()
}

/// A place in the order of matches: the better, the less.
struct Rank(Scored);

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.score.total_cmp(&self.0.score).then(self.0.place.cmp(&other.0.place))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rank {}
