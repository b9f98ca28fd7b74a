//! What the meaning of a query adds to what its words found.

use super::terms::mended;
use super::{Explain, Scored};
use crate::index::Index;
use crate::meaning::{Sense, Space};
use crate::order::Order;
use crate::tool::{Load, Tool};

/// What full nearness adds to a score. That a score by words is higher where they are rarer and more of them match, and so says itself
/// how much is left to meaning, is better than any share of the best score: measured on the nine sets, 15 to 60 hardly differ in the
/// mean, and above 20 catalogs of many servers lose.
const WEIGHT: f64 = 20.0;
/// In a catalog of fewer tools than these it adds less, by the square of their share: words are rare by chance there, and scores by
/// them small, so that any nearness would undo the order that words give. Measured on random parts of the nine sets, of nine tools: the
/// right one is among the first five either way (.967), and first in .88 of queries instead of .89 (.87 by words alone).
const FEW: f64 = 25.0;
/// A tool that has no word of the query is found from this nearness on, less for the words that are not known. Measured: of a hundred
/// queries about nothing that 6,552 public tools do, none comes so near to any.
const FLOOR: f64 = 0.40;

/// A query's meaning, held against the tools of an index.
pub(crate) struct Meant<'i> {
    index: &'i Index,
    space: &'i Space,
    sense: Sense,
    /// What full nearness adds.
    weight: f64,
}

impl<'i> Meant<'i> {
    /// `None` where none of the query's words has a vector. A stem is `known` when the search may see a tool that has it.
    pub(crate) fn of(query: &str, index: &'i Index, space: &'i Space, known: &dyn Fn(u32) -> bool) -> Option<Self> {
        let sense = space.sense(query, &|word| mended(word, index, known))?;
        let share = (index.count() as f64 / FEW).min(1.0);
        Some(Self { index, space, sense, weight: WEIGHT * share * share })
    }

    /// Adds to the scores of what words found, and what they did not find behind it. Gives the places of the latter, ascending.
    pub(crate) fn widen(&self, scored: &mut Vec<Scored>, order: &Order, passes: &dyn Fn(usize) -> bool) -> Vec<usize> {
        let mut found = vec![false; order.tools.len()];
        for scored in scored.iter_mut() {
            found[scored.place] = true;
            scored.score += self.gain(&order.tools[scored.place]);
        }
        let mut alone = Vec::new();
        for (place, tool) in order.tools.iter().enumerate() {
            if found[place] || tool.load != Load::Deferred {
                continue;
            }
            let Some(number) = self.index.number_of(tool) else { continue };
            let nearness = self.space.nearness(&self.sense, number);
            if nearness * self.sense.known() >= FLOOR && passes(place) {
                scored.push(Scored { place, score: self.weight * nearness });
                alone.push(place);
            }
        }
        alone
    }

    /// What a tool gains.
    fn gain(&self, tool: &Tool) -> f64 {
        let nearness = self.index.number_of(tool).map(|number| self.space.nearness(&self.sense, number));
        self.weight * nearness.unwrap_or_default().max(0.0)
    }

    /// That as an addend of the score.
    pub(crate) fn explain(&self, tool: &Tool) -> Option<Explain> {
        let weight = self.gain(tool);
        (weight > 0.0).then(|| Explain { term: "(meaning)".to_owned(), field: "query", weight })
    }
}
