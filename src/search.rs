//! From a query to an answer: names first, then servers, then words (rules C1 to C11).

use crate::engine::ToolSearch;
use crate::error::{Error, ErrorCode, Result};
use crate::names::{self, Filter};
use crate::options::Ranking;
use crate::order::{Exactness, Meaning, Order};
use crate::query::{MAX_PATTERN, Query, Words};
use crate::rank::{Explain, Scored, additive, best_first, bm25f, terms};
use crate::result::{Ambiguous, Confidence, Match, QueryKind, SearchResult, Tier, Unavailable};
use crate::session::sees_server;
use crate::suggest;
use crate::text;
use crate::tool::{Load, Tool};
use std::collections::BTreeSet;

/// What a search may see, and how much of it to give.
pub(crate) struct Scope<'s> {
    pub filter: &'s Filter,
    /// Only this server's tools.
    pub server: Option<&'s str>,
    /// Whether a tool is loaded already: such matches come last.
    pub loaded: &'s dyn Fn(&Tool) -> bool,
    pub limit: usize,
    pub offset: usize,
    pub explain: bool,
}

impl Scope<'_> {
    fn sees(&self, tool: &Tool) -> bool {
        self.server.is_none_or(|s| tool.server() == Some(s)) && self.filter.passes(tool.name(), tool.raw_name())
    }
}

/// One search over one state of the catalog.
pub(crate) struct Search<'e> {
    engine: &'e ToolSearch,
    order: &'e Order,
    scope: &'e Scope<'e>,
    result: SearchResult,
    /// Servers that are down and have a tool that would have matched.
    down: BTreeSet<&'e str>,
}

/// Why a score is what it is; `None` where nothing was ranked.
type Explainer<'a> = Option<&'a dyn Fn(usize) -> Vec<Explain>>;

impl<'e> Search<'e> {
    pub(crate) fn run(engine: &'e ToolSearch, query: &str, scope: &'e Scope<'e>) -> Result<SearchResult> {
        let parsed = Query::read(query)?;
        let mut search = Self::new(engine, query, QueryKind::Keywords, scope);
        match parsed {
            Query::Select(names) => search.select(&names),
            Query::Words(words) => search.words(&words)?,
        }
        Ok(search.finish())
    }

    /// Rule C11: one pattern over callable names and descriptions, matches in catalog order.
    pub(crate) fn regex(engine: &'e ToolSearch, pattern: &str, scope: &'e Scope<'e>) -> Result<SearchResult> {
        if pattern.is_empty() {
            return Err(Error::new(ErrorCode::EmptyQuery, "the pattern is empty"));
        }
        if pattern.chars().count() > MAX_PATTERN {
            let message = format!("a pattern may have {MAX_PATTERN} characters; this one is longer");
            return Err(Error::new(ErrorCode::PatternTooLong, message));
        }
        let regex = regex_lite::RegexBuilder::new(pattern).size_limit(1 << 20).build();
        let regex = regex.map_err(|e| {
            let what = crate::safe::inline(&e.to_string(), 160);
            Error::new(ErrorCode::InvalidPattern, format!("the pattern does not compile: {what}"))
        })?;
        let mut search = Self::new(engine, pattern, QueryKind::Regex, scope);
        let found = search.eligible().filter(|&at| {
            let tool = &search.order.tools[at];
            regex.is_match(tool.name()) || tool.description().is_some_and(|d| regex.is_match(&d))
        });
        let found: Vec<usize> = found.collect();
        search.list(found);
        Ok(search.finish())
    }

    fn new(engine: &'e ToolSearch, query: &str, kind: QueryKind, scope: &'e Scope<'e>) -> Self {
        let order = engine.catalog.order();
        Self { engine, order, scope, result: SearchResult::empty(query, kind), down: BTreeSet::new() }
    }

    /// Deferred tools that this search may see, in catalog order.
    fn eligible(&self) -> impl Iterator<Item = usize> + use<'e> {
        let (order, scope) = (self.order, self.scope);
        (0..order.tools.len()).filter(move |&at| order.tools[at].load == Load::Deferred && scope.sees(&order.tools[at]))
    }

    fn resolve(&self, name: &str) -> Meaning {
        self.order.resolve(name, &|tool| self.scope.sees(tool))
    }

    // ------------------------------------------------------------- names

    /// Rule C1.
    fn select(&mut self, names: &[&str]) {
        self.result.kind = QueryKind::Select;
        let mut matches: Vec<Match> = Vec::new();
        for &name in names {
            match self.resolve(name) {
                Meaning::One(at, exactness) => {
                    let tool = &self.order.tools[at];
                    if tool.load == Load::Direct {
                        if !self.result.direct.iter().any(|d| d == tool.name()) {
                            self.result.direct.push(tool.name().to_owned());
                        }
                    } else if self.note_if_down(tool) {
                        // It is neither found nor missing: `unavailable` says where it is.
                    } else if !matches.iter().any(|m| m.tool.name == tool.name) {
                        matches.push(self.found(at, 0.0, tier(exactness), None));
                    }
                }
                Meaning::Many(all) => {
                    let candidates = self.callable(&all);
                    self.result.ambiguous.push(Ambiguous { name: name.to_owned(), candidates });
                }
                Meaning::Nothing => self.result.missing.push(name.to_owned()),
            }
        }
        self.result.matches = matches;
        let missing = self.result.missing.clone();
        for name in &missing {
            self.suggest(name);
        }
    }

    /// Whether a tool's server cannot answer now; then the answer will say so.
    fn note_if_down(&mut self, tool: &'e Tool) -> bool {
        let down = !self.engine.catalog.is_up(tool);
        if down {
            self.down.extend(tool.server());
        }
        down
    }

    fn callable(&self, places: &[usize]) -> Vec<String> {
        places.iter().map(|&at| self.order.tools[at].name().to_owned()).collect()
    }

    fn suggest(&mut self, name: &str) {
        let order = self.order;
        for close in suggest::close(order, name, &|tool| self.scope.sees(tool)) {
            if self.result.suggestions.len() < suggest::MOST && !self.result.suggestions.contains(&close) {
                self.result.suggestions.push(close);
            }
        }
    }

    // ----------------------------------------------------------- servers

    /// Rule C4; `false` when the query is no server's name.
    fn server(&mut self, words: &Words<'_>) -> bool {
        let whole = words.whole;
        let asked = words.server_rest.or(words.server.filter(|_| words.each.is_empty() && words.required.is_empty()));
        if let Some(name) = asked
            && let Some(server) = self.find_server(name)
        {
            self.list_server(server);
            return true;
        }
        if words.server.is_some() || !words.required.is_empty() {
            return false;
        }
        if whole.len() >= 5
            && whole.as_bytes()[..5].eq_ignore_ascii_case(b"mcp__")
            && !whole.contains(char::is_whitespace)
        {
            let lower = whole.to_lowercase();
            let is_named = |s: &str| {
                let prefix = names::prefix(s).to_lowercase();
                lower == prefix || lower == prefix[..prefix.len() - 2]
            };
            if let Some(server) = self.visible_servers().find(|s| is_named(s)) {
                self.list_server(server);
                return true;
            }
            let order = self.order;
            let found = self.eligible().filter(|&at| order.tools[at].name().to_lowercase().starts_with(&lower));
            let found: Vec<usize> = found.collect();
            if !found.is_empty() {
                self.result.kind = QueryKind::Server;
                self.list(found);
                return true;
            }
            return false;
        }
        match self.find_server(whole) {
            Some(server) => {
                self.list_server(server);
                true
            }
            None => false,
        }
    }

    fn visible_servers(&self) -> impl Iterator<Item = &'e str> + use<'e> {
        let (engine, scope) = (self.engine, self.scope);
        let of_scope = move |name: &str| scope.server.is_none_or(|s| s == name);
        engine
            .catalog
            .servers()
            .filter(move |(name, server)| of_scope(name) && sees_server(scope.filter, name, server))
            .map(|(name, _)| &**name)
    }

    fn find_server(&self, written: &str) -> Option<&'e str> {
        let squashed = names::squash(written);
        let alike = |s: &&str| *s == written || (!squashed.is_empty() && names::squash(s) == squashed);
        self.visible_servers().find(|s| *s == written).or_else(|| self.visible_servers().find(alike))
    }

    fn list_server(&mut self, server: &'e str) {
        self.result.kind = QueryKind::Server;
        let order = self.order;
        let found: Vec<usize> = self.eligible().filter(|&at| order.tools[at].server() == Some(server)).collect();
        if !self.engine.catalog.server(server).is_none_or(|s| s.status == crate::ServerStatus::Ready) {
            self.down.insert(server);
        }
        self.list(found);
    }

    /// Unranked matches in catalog order.
    fn list(&mut self, places: Vec<usize>) {
        let scored = places.into_iter().map(|place| Scored { place, score: 0.0 }).collect();
        self.take(Vec::new(), scored, None);
    }

    // ------------------------------------------------------------- words

    fn words(&mut self, words: &Words<'_>) -> Result<()> {
        let plain = words.server.is_none() && words.required.is_empty();
        if plain && matches!(self.resolve(words.whole), Meaning::One(_, Exactness::Callable)) {
            self.select(&[words.whole]);
            return Ok(());
        }
        if self.server(words) {
            return Ok(());
        }
        let named = self.named(words);
        if plain && !named.is_empty() && named.iter().all(|n| !matches!(n, (_, Meaning::Nothing | Meaning::Many(_)))) {
            self.select(&words.each);
            return Ok(());
        }
        let server = words.server.and_then(|name| self.find_server(name));
        if words.server.is_some() && server.is_none() {
            // Nothing is of a server that is not there.
            self.result.kind = QueryKind::Server;
            return Ok(());
        }
        words.check()?;
        self.keywords(words, named, server);
        Ok(())
    }

    /// What each word of the query means as a name.
    fn named<'q>(&self, words: &Words<'q>) -> Vec<(&'q str, Meaning)> {
        words.each.iter().map(|&word| (word, self.resolve(word))).collect()
    }

    /// Rules C3, C5 to C8.
    fn keywords(&mut self, words: &Words<'_>, named: Vec<(&str, Meaning)>, server: Option<&str>) {
        let order = self.order;
        let mut first: Vec<(usize, Tier)> = Vec::new();
        let mut rest: Vec<&str> = Vec::new();
        for (word, meaning) in named {
            match meaning {
                Meaning::One(at, exactness) => first.push((at, tier(exactness))),
                // A name that several tools share is a word like others.
                Meaning::Many(_) | Meaning::Nothing => rest.push(word),
            }
        }
        // `create issue` is create_issue, spelt as words.
        match self.resolve(words.whole) {
            Meaning::One(at, _) => first.push((at, Tier::Alias)),
            Meaning::Many(_) | Meaning::Nothing => {}
        }
        for &(at, _) in &first {
            let tool = &order.tools[at];
            if tool.load == Load::Direct && !self.result.direct.iter().any(|d| d == tool.name()) {
                self.result.direct.push(tool.name().to_owned());
            }
        }

        let index = self.engine.index();
        let sees = |at: usize| {
            let tool = &order.tools[at];
            self.scope.sees(tool) && server.is_none_or(|s| tool.server() == Some(s))
        };
        let open = self.scope.filter.is_open() && self.scope.server.is_none() && server.is_none();
        let known = |stem: u32| open || index.stem_postings.of(stem).iter().any(|p| sees(p.place as usize));
        let required: Vec<terms::Term> = words.required.iter().flat_map(|w| terms::terms(w, index, &known)).collect();
        let passes = |at: usize| {
            let has = |t: &terms::Term| {
                let on = |id: Option<u32>, list: &crate::index::Postings| {
                    id.is_some_and(|id| list.of(id).binary_search_by_key(&(at as u32), |p| p.place).is_ok())
                };
                !t.counts || on(t.stem, &index.stem_postings) || on(t.form, &index.form_postings)
            };
            sees(at) && required.iter().all(has)
        };
        first.retain(|&(at, _)| order.tools[at].load == Load::Deferred && passes(at));

        // Required words only filter, unless there are no others.
        let text = if words.each.is_empty() { words.required.join(" ") } else { rest.join(" ") };
        let query = terms::terms(&text, index, &known);
        self.result.unknown =
            query.iter().chain(&required).filter(|t| t.counts && t.unknown).map(|t| t.word.clone()).collect();
        self.result.unknown.dedup();
        let ranked = match self.engine.options.ranking {
            Ranking::Bm25f => Some(bm25f::rank(index, &query, &passes)),
            Ranking::Additive => None,
        };
        let scored = match &ranked {
            Some(ranked) => ranked.scored.clone(),
            None => {
                let mut words: Vec<String> = Vec::new();
                text::words(&text, &mut |w, k| {
                    if k == text::Kind::Part && !text::is_stop(w) && !words.iter().any(|have| have == w) {
                        words.push(w.to_owned());
                    }
                });
                additive::rank(index, &order.tools, &words, &|at| order.tools[at].load == Load::Deferred && passes(at))
            }
        };
        let low = is_low(&query, index, &scored, first.is_empty());
        let explain = |place: usize| match &ranked {
            Some(ranked) => ranked.explain(index, &query, place, &order.tools[place], &self.engine.keywords),
            None => Vec::new(),
        };
        let (engine, scope) = (self.engine, self.scope);
        self.take(
            first,
            scored,
            if engine.options.ranking == Ranking::Bm25f && scope.explain { Some(&explain) } else { None },
        );
        if self.result.matches.is_empty() {
            if self.result.direct.is_empty() {
                let whole = words.whole.to_owned();
                self.suggest(&whole);
            }
        } else if low {
            self.result.confidence = Confidence::Low;
        }
    }

    // ------------------------------------------------------------ answer

    /// Orders, cuts and keeps the matches: named ones first and always, then the best of the others.
    fn take(&mut self, first: Vec<(usize, Tier)>, mut scored: Vec<Scored>, explain: Explainer<'_>) {
        let order = self.order;
        scored.retain(|s| !self.note_if_down(&order.tools[s.place]));
        let score_of = |place: usize| scored.iter().find(|s| s.place == place).map_or(0.0, |s| s.score);
        let mut named: Vec<(Scored, Tier)> = Vec::new();
        for tier in [Tier::Exact, Tier::Alias] {
            for &(place, _) in first.iter().filter(|(_, t)| *t == tier) {
                if named.iter().all(|(n, _)| n.place != place) {
                    named.push((Scored { place, score: score_of(place) }, tier));
                }
            }
        }
        named.retain(|(n, _)| !self.note_if_down(&order.tools[n.place]));
        scored.retain(|s| named.iter().all(|(n, _)| n.place != s.place));
        let loaded = |s: &Scored| (self.scope.loaded)(&order.tools[s.place]);
        let compare = |a: &Scored, b: &Scored| loaded(a).cmp(&loaded(b)).then_with(|| best_first(a, b));
        // Stable: named ones keep the order they were named in.
        named.sort_by_key(|(n, _)| loaded(n));
        let total = named.len() + scored.len();
        let Scope { offset, limit, .. } = *self.scope;
        // Named ones survive the limit, loaded or not.
        let ranked_wanted = (offset + limit).saturating_sub(named.len()).min(scored.len());
        if ranked_wanted < scored.len() && ranked_wanted > 0 {
            scored.select_nth_unstable_by(ranked_wanted - 1, compare);
        }
        scored.truncate(ranked_wanted);
        scored.sort_by(compare);
        // Loaded ones come after everything else, named or not.
        let fresh_named = named.partition_point(|(n, _)| !loaded(n));
        let fresh = scored.partition_point(|s| !loaded(s));
        let ranked = |s: &Scored| (*s, Tier::Keywords);
        let all = named[..fresh_named]
            .iter()
            .copied()
            .chain(scored[..fresh].iter().map(ranked))
            .chain(named[fresh_named..].iter().copied())
            .chain(scored[fresh..].iter().map(ranked));
        let shown: Vec<(Scored, Tier)> = all.skip(offset).collect();
        self.result.more = total - named.len() - scored.len();
        self.result.matches = shown.into_iter().map(|(s, tier)| self.found(s.place, s.score, tier, explain)).collect();
    }

    fn found(&self, place: usize, score: f64, tier: Tier, explain: Explainer<'_>) -> Match {
        let explain = explain.map(|explain| explain(place)).or(self.scope.explain.then(Vec::new));
        Match { tool: self.order.tools[place].clone(), score, tier, explain }
    }

    fn finish(mut self) -> SearchResult {
        if self.result.confidence == Confidence::None
            && (!self.result.matches.is_empty() || !self.result.direct.is_empty())
        {
            self.result.confidence = Confidence::High;
        }
        // A server that never showed its tools could have any; one that did is named when a tool of it would have matched.
        let asks_all = self.result.kind != QueryKind::Select || !self.result.missing.is_empty();
        self.result.unavailable = self
            .visible_servers()
            .filter_map(|name| {
                let server = self.engine.catalog.server(name)?;
                let blank = server.tools.is_empty() && asks_all && self.result.kind != QueryKind::Server;
                (server.status != crate::ServerStatus::Ready && (blank || self.down.contains(name))).then(|| {
                    Unavailable { server: name.to_owned(), status: server.status, reason: server.reason.clone() }
                })
            })
            .collect();
        self.result
    }
}

fn tier(exactness: Exactness) -> Tier {
    match exactness {
        Exactness::Callable => Tier::Exact,
        Exactness::Alias => Tier::Alias,
    }
}

/// Rule C7: a word of the query is unknown to the catalog, and what matched are common words, or fewer than are unknown.
fn is_low(terms: &[terms::Term], index: &crate::index::Index, scored: &[Scored], unnamed: bool) -> bool {
    let words = terms.iter().filter(|t| t.counts).count();
    let lost = terms.iter().filter(|t| t.is_lost()).count();
    if lost == 0 || scored.is_empty() || !unnamed {
        return false;
    }
    let common = (index.count / 10).max(1);
    let rarest =
        terms.iter().filter(|t| t.counts).filter_map(|t| t.stem).map(|s| index.stem_postings.frequency(s)).min();
    lost * 2 >= words || rarest.is_none_or(|r| r > common)
}
