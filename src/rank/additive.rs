//! The plain additive keyword scorer, as x-code-cli and Claude Code have it: points for hits in the name, points for a
//! whole word of the text, no notion of rare or common. For comparison, and for those who want the same order there.

use super::{Explain, Scored};
use crate::index::Index;
use crate::order::Order;
use crate::sorted;
use crate::text::{self, Kind};
use crate::tool::Tool;
use std::sync::Arc;

/// Points of a hit, for tools of MCP servers and for built-in ones.
struct Points {
    part: f64,
    inside: f64,
}

const MCP: Points = Points { part: 12.0, inside: 6.0 };
const BUILTIN: Points = Points { part: 10.0, inside: 5.0 };
/// Inside the full name, while the tool has no points yet.
const FULL_NAME: f64 = 3.0;
/// A whole word of the search text.
const TEXT: f64 = 2.0;

/// The distinct words of a query, taken as they are: no stems, no synonyms; and the tools whose text has each.
pub(crate) struct Words(Vec<(String, Vec<u32>)>);

impl Words {
    pub(crate) fn of(text: &str, index: &Index, order: &Order) -> Self {
        let mut words: Vec<(String, Vec<u32>)> = Vec::new();
        text::words(text, &mut |word, kind| {
            if kind == Kind::Part && !text::is_stop(word) && words.iter().all(|(have, _)| have != word) {
                let mut places: Vec<u32> = Vec::new();
                if let Some((form, _)) = index.form(word) {
                    let slots = index.tools(index.of_form(form)).filter_map(|number| index.slot_of(number));
                    places = sorted::ascending(&slots.map(|slot| order.place_of(slot) as u32).collect::<Vec<_>>());
                }
                words.push((word.to_owned(), places));
            }
        });
        Self(words)
    }

    /// Scores every eligible tool.
    pub(crate) fn rank(&self, tools: &[Arc<Tool>], eligible: &dyn Fn(usize) -> bool) -> Vec<Scored> {
        let mut scored = Vec::new();
        for (place, tool) in tools.iter().enumerate().filter(|&(place, _)| eligible(place)) {
            let mut score = 0.0;
            self.score(tool, place, &mut |_, _, points| score += points);
            if score > 0.0 {
                scored.push(Scored { place, score });
            }
        }
        scored
    }

    /// The addends of one match's score.
    pub(crate) fn explain(&self, tool: &Tool, place: usize) -> Vec<Explain> {
        let mut all = Vec::new();
        self.score(tool, place, &mut |word, field, weight| all.push(Explain { term: word.to_owned(), field, weight }));
        all
    }

    fn score(&self, tool: &Tool, place: usize, add: &mut dyn FnMut(&str, &'static str, f64)) {
        let points = if tool.server().is_some() { MCP } else { BUILTIN };
        let mut parts: Vec<String> = Vec::new();
        text::name_words(tool.name(), &mut |word, kind| {
            if kind == Kind::Part {
                parts.push(word.to_owned());
            }
        });
        let full = text::lower_case(tool.name());
        let mut none_yet = true;
        for (word, has_it) in &self.0 {
            let in_name = if parts.contains(word) {
                points.part
            } else if parts.iter().any(|part| text::has(part, word)) {
                points.inside
            } else if none_yet && text::has(&full, word) {
                FULL_NAME
            } else {
                0.0
            };
            let in_text = if has_it.binary_search(&(place as u32)).is_ok() { TEXT } else { 0.0 };
            for (field, points) in [("name", in_name), ("text", in_text)] {
                if points > 0.0 {
                    none_yet = false;
                    add(word, field, points);
                }
            }
        }
    }
}
