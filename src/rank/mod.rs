//! Ranking: which tools a query's words mean.
//!
//! `terms` turns words into what the index knows, `bm25f` scores by it, `additive` is the plain keyword scorer.

pub(crate) mod additive;
pub(crate) mod bm25f;
pub(crate) mod terms;

/// A tool by its place in catalog order, and how well it matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scored {
    pub place: usize,
    pub score: f64,
}

/// One addend of a match's score.
#[derive(Debug, Clone, PartialEq)]
pub struct Explain {
    /// The word of the query; `~` before it when it is not the word itself but one that stands for it.
    pub term: String,
    /// The field it was found in.
    pub field: &'static str,
    /// What it adds to the score.
    pub weight: f64,
}

/// Best first; equal ones in catalog order (rule C8).
pub(crate) fn best_first(a: &Scored, b: &Scored) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(a.place.cmp(&b.place))
}
