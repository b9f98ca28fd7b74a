//! The plain additive keyword scorer, as x-code-cli and Claude Code have it: points for hits in the name, points for a
//! whole word of the text, no notion of rare or common. For comparison, and for those who want the same order there.

use super::Scored;
use crate::index::Index;
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

/// Scores every eligible tool by the distinct words of a text, taken as they are: no stems, no synonyms.
pub(crate) fn rank(index: &Index, tools: &[Arc<Tool>], text: &str, eligible: &dyn Fn(usize) -> bool) -> Vec<Scored> {
    let mut words: Vec<String> = Vec::new();
    text::words(text, &mut |word, kind| {
        if kind == Kind::Part && !text::is_stop(word) && !words.iter().any(|have| have == word) {
            words.push(word.to_owned());
        }
    });
    let mut scored: Vec<Scored> = Vec::new();
    let in_text: Vec<Vec<u32>> = words
        .iter()
        .map(|word| {
            let form = index.forms.get(word);
            form.map(|form| index.form_postings.of(form).iter().map(|p| p.place).collect()).unwrap_or_default()
        })
        .collect();
    for (place, tool) in tools.iter().enumerate().filter(|&(place, _)| eligible(place)) {
        let points = if tool.server().is_some() { MCP } else { BUILTIN };
        let mut parts: Vec<String> = Vec::new();
        let whole = tool.name().strip_prefix("mcp__").unwrap_or(tool.name());
        text::name_words(whole, &mut |word, kind| {
            if kind == Kind::Part {
                parts.push(word.to_owned());
            }
        });
        let full = tool.name().to_lowercase();
        let mut score = 0.0;
        for (word, has_it) in words.iter().zip(&in_text) {
            if parts.contains(word) {
                score += points.part;
            } else if parts.iter().any(|part| part.contains(word.as_str())) {
                score += points.inside;
            } else if score == 0.0 && full.contains(word.as_str()) {
                score += FULL_NAME;
            }
            if has_it.binary_search(&(place as u32)).is_ok() {
                score += TEXT;
            }
        }
        if score > 0.0 {
            scored.push(Scored { place, score });
        }
    }
    scored
}
