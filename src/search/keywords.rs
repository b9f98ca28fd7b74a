//! Tools by words (rules C3, C5 to C8).

use super::{Search, tier};
use crate::index::Index;
use crate::options::Ranking;
use crate::order::{Exactness, Meaning};
use crate::query::Words;
use crate::rank::meaning::Meant;
use crate::rank::terms::{Term, Terms};
use crate::rank::{additive, bm25f};
use crate::result::{Confidence, Tier};
use crate::tool::{Load, Tool};
use std::borrow::Cow;

/// In a query of more words than this, a plain word that happens to be a tool's name is not taken for it.
const MOST_NAMES: usize = 5;

impl Search<'_> {
    /// Ranks by the words that are no names; tools that the query names come first. `whole` is what all of it means as a name,
    /// `named` which words are names of a tool each, `server` the one that the query keeps to.
    pub(super) fn keywords(
        &mut self,
        words: &Words<'_>,
        whole: &Meaning,
        named: Vec<(&str, usize, Exactness)>,
        server: Option<&str>,
    ) {
        let (order, scope, engine) = (self.order, self.scope, self.engine);
        let mut first: Vec<(usize, Tier)> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        let sentence = words.length > MOST_NAMES;
        for (word, at, exactness) in named {
            // The `send` of a sentence is a word like others, too, and may yet find the tool `send`.
            if sentence && !is_identifier(word) {
                continue;
            }
            first.push((at, tier(exactness)));
            names.push(word);
        }
        // `create issue` is create_issue, spelt as words.
        if let Meaning::One(at, _) = whole {
            first.push((*at, Tier::Alias));
        }
        for &(at, _) in first.iter().filter(|(at, _)| order.tools[*at].load == Load::Direct) {
            self.note_direct(at);
        }

        let index = engine.index();
        let open = scope.is_open() && server.is_none();
        let sees = |at: usize| {
            open || (scope.sees(&order.tools[at]) && server.is_none_or(|s| order.tools[at].server() == Some(s)))
        };
        let known = |stem: u32| engine.has_stem(stem, if open { None } else { Some(&sees) });
        let required = Terms::required(&words.required, index, &known);
        let passes = |at: usize| sees(at) && required.all().iter().all(|term| has(index, term, &order.tools[at]));
        first.retain(|&(at, _)| order.tools[at].load == Load::Deferred && passes(at));

        // Required words only filter, unless there are no others.
        let text = if words.each.is_empty() { Cow::Owned(words.required.join(" ")) } else { words.text(&names) };
        let query = Terms::of(&text, index, &known);
        self.note_unknown(&query);
        self.note_unknown(&required);
        let unnamed = first.is_empty();
        match engine.options.ranking {
            Ranking::Bm25f => {
                let all = open && required.all().is_empty();
                let space = index.space();
                // Any match may come forward by its meaning.
                let enough = if unnamed && space.is_none() { self.enough() } else { usize::MAX };
                let eligible: Option<&dyn Fn(usize) -> bool> = if all { None } else { Some(&passes) };
                let mut ranked = bm25f::rank(index, order, &query, eligible, enough);
                let mut scored = std::mem::take(&mut ranked.scored);
                let meant = space.and_then(|space| Meant::of(&text, index, space, &known));
                self.by_meaning = meant.iter().flat_map(|meant| meant.widen(&mut scored, order, &passes)).collect();
                let explain = |at: usize| {
                    let mut addends = ranked.explain(index, &query, at, &order.tools[at], &engine.keywords);
                    addends.extend(meant.as_ref().and_then(|meant| meant.explain(&order.tools[at])));
                    addends
                };
                self.take(&first, scored, ranked.beyond, Some(&explain));
            }
            Ranking::Additive => {
                let passes = |at: usize| order.tools[at].load == Load::Deferred && passes(at);
                let words = additive::Words::of(&text, index, order);
                let explain = |at: usize| words.explain(&order.tools[at], at);
                self.take(&first, words.rank(&order.tools, &passes), 0, Some(&explain));
            }
        }
        if self.result.total > 0 {
            if unnamed && is_low(query.all(), index) {
                self.result.confidence = Confidence::Low;
            }
        } else if self.result.direct.is_empty() {
            // As a name it has the same words then.
            let is_plain = words.whole.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ');
            let in_vain = is_plain && engine.options.ranking == Ranking::Bm25f && self.not_ready.is_empty();
            self.suggest(words.whole, in_vain);
        }
        query.leave(index);
    }

    fn note_unknown(&mut self, terms: &Terms) {
        for word in terms.all().iter().filter(|t| t.counts && t.unknown).map(|t| terms.word(t)) {
            if !self.result.unknown.iter().any(|known| known == word) {
                self.result.unknown.push(word.to_owned());
            }
        }
    }
}

/// Whether a word is written as no sentence would have it: `web_fetch`, `webFetch`, `fetch2`.
fn is_identifier(word: &str) -> bool {
    let inner_capital = word.chars().any(char::is_lowercase) && word.chars().skip(1).any(char::is_uppercase);
    inner_capital || word.contains(|c: char| c.is_ascii_digit() || matches!(c, '_' | '-' | '.' | '/' | ':'))
}

/// Whether a tool has a required word.
fn has(index: &Index, term: &Term, tool: &Tool) -> bool {
    let Some(number) = index.number_of(tool) else { return false };
    let by_stem = || term.stem.is_some_and(|stem| Index::find(index.of_stem(stem), number).is_some());
    let by_form = || term.form.is_some_and(|form| Index::find(index.of_form(form), number).is_some());
    !term.counts || by_stem() || by_form()
}

/// Rule C7: a word of the query is unknown to the catalog, and what matched are common words, or fewer than are unknown.
fn is_low(terms: &[Term], index: &Index) -> bool {
    let words = terms.iter().filter(|t| t.counts).count();
    let lost = terms.iter().filter(|t| t.counts && t.unknown).count();
    if lost == 0 {
        return false;
    }
    let common = (index.count() / 10).max(1);
    let rarest = terms.iter().filter(|t| t.counts).filter_map(|t| t.stem);
    let rarest = rarest.map(|stem| index.stem_count(stem)).min();
    lost * 2 >= words || rarest.is_none_or(|r| r > common)
}
