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
const PAGE: usize = 64;

/// The best `count` of them, best first; equal ones in catalog order (rule C8).
pub(crate) fn best(all: Vec<Scored>, count: usize) -> Vec<Scored> {
    let before = |a: &Scored, b: &Scored| a.score > b.score || (a.score == b.score && a.place < b.place);
    if count > PAGE {
        let order = |a: usize, b: usize| if before(&all[a], &all[b]) { Ordering::Less } else { Ordering::Greater };
        return sorted::places(all.len(), &order).iter().take(count).map(|&at| all[at]).collect();
    }
    // In order. There are at most a page of them, and few of all come so far: the best are found early, on average.
    let mut kept: Vec<Scored> = Vec::with_capacity(count.min(all.len()) + 1);
    for scored in all {
        if kept.len() == count && !kept.last().is_some_and(|worst| before(&scored, worst)) {
            continue;
        }
        let at = kept.iter().rposition(|better| before(better, &scored)).map_or(0, |at| at + 1);
        kept.insert(at, scored);
        kept.truncate(count);
    }
    kept
}
