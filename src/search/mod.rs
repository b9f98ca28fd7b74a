//! From a query to an answer: names first, then servers, then words (rules C1 to C11).

mod keywords;
mod names;
mod servers;

use crate::engine::ToolSearch;
use crate::error::{Error, ErrorCode, Result};
use crate::names::{Filter, squash};
use crate::order::{Exactness, Meaning, Order};
use crate::query::{MAX_PATTERN, Query, Words};
use crate::rank::{Explain, Scored, best};
use crate::regex::Regex;
use crate::result::{Confidence, Match, QueryKind, SearchResult, Tier, Unavailable};
use crate::sorted;
use crate::tool::{Load, Tool};

/// What a search may see, and how much of it to give.
pub(crate) struct Scope<'s> {
    pub filter: &'s Filter,
    /// Only this server's tools.
    pub server: Option<&'s str>,
    /// Whether a tool is loaded already: such matches come last. `None` when nothing is.
    pub loaded: Option<&'s dyn Fn(&Tool) -> bool>,
    pub limit: usize,
    pub offset: usize,
    pub explain: bool,
    /// Whether the answer says which servers the further matches are of.
    pub tell_more: bool,
}

impl Scope<'_> {
    fn sees(&self, tool: &Tool) -> bool {
        self.server.is_none_or(|s| tool.server() == Some(s)) && self.filter.sees(tool)
    }

    /// Whether it sees everything.
    fn is_open(&self) -> bool {
        self.server.is_none() && self.filter.is_open()
    }
}

/// Why a score is what it is, by the place of the tool.
type Explainer<'a> = &'a dyn Fn(usize) -> Vec<Explain>;

/// One search over one state of the catalog.
pub(crate) struct Search<'e> {
    engine: &'e ToolSearch,
    order: &'e Order,
    scope: &'e Scope<'e>,
    result: &'e mut SearchResult,
    /// Servers that cannot answer calls now. Few, most of the time none.
    not_ready: Vec<&'e str>,
    /// Those of them that have a tool that would have matched.
    down: Vec<&'e str>,
    /// The places of tools that only their meaning found, ascending.
    by_meaning: Vec<usize>,
}

impl<'e> Search<'e> {
    /// Answers a query by names and words.
    pub(crate) fn run(
        engine: &'e ToolSearch,
        query: &str,
        scope: &'e Scope<'e>,
        result: &'e mut SearchResult,
    ) -> Result<()> {
        let parsed = Query::read(query)?;
        result.begin(query, QueryKind::Keywords);
        let mut search = Self::new(engine, scope, result);
        match parsed {
            Query::Select(names) => search.select(&names.iter().map(|name| &**name).collect::<Vec<_>>()),
            Query::Words(words) => search.words(&words)?,
        }
        search.finish();
        Ok(())
    }

    /// Rule C11: one pattern over callable names and descriptions, matches in catalog order.
    pub(crate) fn regex(
        engine: &'e ToolSearch,
        pattern: &str,
        scope: &'e Scope<'e>,
        result: &'e mut SearchResult,
    ) -> Result<()> {
        if pattern.is_empty() {
            return Err(Error::new(ErrorCode::EmptyQuery, "the pattern is empty"));
        }
        if pattern.chars().count() > MAX_PATTERN {
            let message = format!("a pattern may have {MAX_PATTERN} characters; this one is longer");
            return Err(Error::new(ErrorCode::PatternTooLong, message));
        }
        let regex = Regex::new(pattern)
            .map_err(|what| Error::new(ErrorCode::InvalidPattern, format!("the pattern does not compile: {what}")))?;
        result.begin(pattern, QueryKind::Regex);
        let mut search = Self::new(engine, scope, result);
        let found = search
            .eligible(&|tool| regex.is_match(tool.name()) || tool.description().is_some_and(|d| regex.is_match(&d)));
        search.list(found);
        search.finish();
        Ok(())
    }

    fn new(engine: &'e ToolSearch, scope: &'e Scope<'e>, result: &'e mut SearchResult) -> Self {
        Self {
            engine,
            order: engine.catalog.order(),
            scope,
            result,
            not_ready: engine.catalog.down().collect(),
            down: Vec::new(),
            by_meaning: Vec::new(),
        }
    }

    /// The places of deferred tools that this search may see and that `wanted` takes, in catalog order.
    fn eligible(&self, wanted: &dyn Fn(&Tool) -> bool) -> Vec<usize> {
        let fits = |tool: &Tool| tool.load == Load::Deferred && self.scope.sees(tool) && wanted(tool);
        (0..self.order.tools.len()).filter(|&at| fits(&self.order.tools[at])).collect()
    }

    fn resolve(&self, name: &str) -> Meaning {
        self.engine.catalog.resolve(name, &|tool| self.scope.sees(tool))
    }

    /// What a query that is no `select:` asks for.
    fn words(&mut self, words: &Words<'_>) -> Result<()> {
        let plain = words.server.is_none() && words.required.is_empty();
        let squashed = squash(words.whole);
        let spelling = if squashed.is_empty() { words.whole } else { &squashed };
        let whole = self.engine.catalog.resolve_spelt(words.whole, spelling, &|tool| self.scope.sees(tool));
        if plain && matches!(whole, Meaning::One(_, Exactness::Callable)) {
            self.select(&[words.whole]);
            return Ok(());
        }
        if self.server(words, &squashed) {
            return Ok(());
        }
        let mut named: Vec<(&str, usize, Exactness)> = Vec::new();
        for &word in &words.each {
            // A name that several tools share is a word like others.
            if let Meaning::One(at, exactness) = self.resolve(word) {
                named.push((word, at, exactness));
            }
        }
        if plain && !named.is_empty() && named.len() == words.each.len() {
            self.select(&words.each);
            return Ok(());
        }
        let server = words.server.and_then(|name| self.find_server(name, &squash(name)));
        if words.server.is_some() && server.is_none() {
            // Nothing is of a server that is not there.
            self.result.kind = QueryKind::Server;
            return Ok(());
        }
        words.check()?;
        self.keywords(words, &whole, named, server);
        Ok(())
    }

    /// Whether a tool's server cannot answer now; then the answer will say so.
    fn note_if_down(&mut self, tool: &'e Tool) -> bool {
        // Servers are in the order of their names.
        let down = tool.server().filter(|s| self.not_ready.binary_search(s).is_ok());
        self.down.extend(down);
        down.is_some()
    }

    /// Unranked matches in catalog order.
    fn list(&mut self, places: Vec<usize>) {
        self.take(&[], places.iter().map(|&place| Scored { place, score: 0.0 }).collect(), 0, None);
    }

    /// How many of the best matches `take` needs at least, where none is named: all of them where more than their order decides.
    fn enough(&self) -> usize {
        let Scope { loaded, offset, limit, tell_more, .. } = self.scope;
        let order_decides = loaded.is_none() && !tell_more && self.not_ready.is_empty();
        if order_decides { offset.saturating_add(*limit) } else { usize::MAX }
    }

    /// Orders, cuts and keeps the matches: named ones first and always, then the best of the others; what is loaded after
    /// what is not (rule C8). `beyond` more come behind those that are scored.
    fn take(
        &mut self,
        first: &[(usize, Tier)],
        mut scored: Vec<Scored>,
        beyond: usize,
        explain: Option<Explainer<'_>>,
    ) {
        let order = self.order;
        if !self.not_ready.is_empty() {
            scored.retain(|s| !self.note_if_down(&order.tools[s.place]));
        }
        let mut named: Vec<Scored> = Vec::new();
        // By place: as what a tool is named, and what it scores. A query can name thousands.
        let places = if first.is_empty() { 0 } else { order.tools.len() };
        let (mut tiers, mut scores) = (vec![None; places], vec![0.0; places]);
        for tier in [Tier::Exact, Tier::Alias] {
            for &(place, _) in first.iter().filter(|(_, t)| *t == tier) {
                if tiers[place].is_none() && !self.note_if_down(&order.tools[place]) {
                    tiers[place] = Some(tier);
                    named.push(Scored { place, score: 0.0 });
                }
            }
        }
        if !named.is_empty() {
            scored.iter().for_each(|s| scores[s.place] = s.score);
            scored.retain(|s| tiers[s.place].is_none());
            named.iter_mut().for_each(|n| n.score = scores[n.place]);
        }
        let total = named.len() + scored.len() + beyond;
        let candidates: Vec<usize> =
            if self.scope.tell_more { scored.iter().map(|s| s.place).collect() } else { Vec::new() };
        let (mut shown, mut old_named) = self.by_novelty(named);
        let (fresh, old) = self.by_novelty(scored);
        let Scope { offset, limit, .. } = *self.scope;
        // Named ones survive the limit as long as they are not loaded.
        let room = |shown: &[Scored]| offset.saturating_add(limit).saturating_sub(shown.len());
        if shown.is_empty() {
            shown = best(fresh, room(&[]));
        } else {
            shown.append(&mut best(fresh, room(&shown)));
        }
        let passed_over = old_named.split_off(room(&shown).min(old_named.len()));
        shown.append(&mut old_named);
        shown.append(&mut best(old, room(&shown)));
        self.result.passed_over = passed_over.iter().map(|n| order.tools[n.place].name().to_owned()).collect();
        self.result.total = total;
        self.result.more = total - shown.len();
        if self.scope.tell_more && self.result.more > 0 {
            self.result.more_servers = self.others_by_server(&candidates, &shown);
        }
        let by_meaning = |place| cfg!(feature = "meaning") && self.by_meaning.binary_search(&place).is_ok();
        let by_words = |place| if by_meaning(place) { Tier::Meaning } else { Tier::Keywords };
        let tier_of = |place: usize| tiers.get(place).copied().flatten().unwrap_or_else(|| by_words(place));
        for &Scored { place, score } in shown.iter().skip(offset) {
            let found = self.found(place, score, tier_of(place), explain);
            self.result.matches.push(found);
        }
    }

    /// What is not loaded yet, and what is.
    fn by_novelty(&self, all: Vec<Scored>) -> (Vec<Scored>, Vec<Scored>) {
        let Some(loaded) = self.scope.loaded else { return (all, Vec::new()) };
        let (mut fresh, mut old) = (Vec::new(), Vec::new());
        for scored in &all {
            let list = if loaded(&self.order.tools[scored.place]) { &mut old } else { &mut fresh };
            list.push(*scored);
        }
        (fresh, old)
    }

    /// The servers of matches that are not shown, those with most of them first.
    fn others_by_server(&self, candidates: &[usize], shown: &[Scored]) -> Vec<String> {
        let tools = &self.order.tools;
        let mut others = vec![false; tools.len()];
        candidates.iter().for_each(|&place| others[place] = true);
        shown.iter().for_each(|s| others[s.place] = false);
        // A server's tools stand side by side.
        let mut servers: Vec<(&str, usize)> = Vec::new();
        for server in tools.iter().zip(others).filter_map(|(tool, other)| tool.server().filter(|_| other)) {
            match servers.last_mut() {
                Some((last, count)) if *last == server => *count += 1,
                _ => servers.push((server, 1)),
            }
        }
        let most_first = sorted::places(servers.len(), &|a, b| servers[b].1.cmp(&servers[a].1));
        most_first.iter().map(|&at| servers[at].0.to_owned()).collect()
    }

    fn found(&self, place: usize, score: f64, tier: Tier, explain: Option<Explainer<'_>>) -> Match {
        // What was not ranked has nothing to explain.
        let ranked = explain.filter(|_| score > 0.0);
        let explain = self.scope.explain.then(|| ranked.map(|explain| explain(place)).unwrap_or_default());
        Match { tool: self.order.tools[place].clone(), score, tier, explain }
    }

    fn finish(&mut self) {
        let result = &*self.result;
        let found = result.total > 0 || !result.matches.is_empty() || !result.direct.is_empty();
        if self.result.confidence == Confidence::None && found {
            self.result.confidence = Confidence::High;
        }
        if !self.not_ready.is_empty() {
            self.result.unavailable = self.unavailable();
        }
    }

    /// The servers that cannot answer now and could have what was asked for.
    fn unavailable(&self) -> Vec<Unavailable> {
        // A server that never showed its tools could have any, unless tools were asked for by names that are all there.
        let any = match self.result.kind {
            QueryKind::Select => !self.result.missing.is_empty(),
            QueryKind::Server => false,
            QueryKind::Keywords | QueryKind::Regex => true,
        };
        let catalog = &self.engine.catalog;
        let down = self.not_ready.iter().filter_map(|name| catalog.server(name).map(|server| (*name, server)));
        let asked: Vec<&str> = sorted::distinct(&self.down).iter().map(|&at| self.down[at]).collect();
        let told = down.filter(|(name, server)| {
            asked.binary_search(name).is_ok() || (any && server.tools.is_empty() && self.sees_server(name))
        });
        let told = told.map(|(name, server)| Unavailable {
            server: name.to_owned(),
            status: server.status,
            reason: server.reason.clone(),
        });
        told.collect()
    }
}

fn tier(exactness: Exactness) -> Tier {
    match exactness {
        Exactness::Callable => Tier::Exact,
        Exactness::Alias => Tier::Alias,
    }
}
