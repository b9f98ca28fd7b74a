//! The engine: a catalog, its options, and everything that is asked of them.

use crate::batch::Batch;
use crate::catalog::{AddOptions, Catalog, CatalogDelta, Change, ServerStatus};
use crate::error::{Error, ErrorCode, Result};
use crate::index::{Index, Keywords};
use crate::names::{Filter, Glob};
use crate::once::OnceLock;
use crate::options::{Defer, Options, TokenOptions, clamp_limit};
use crate::plan::{self, Plan};
use crate::result::SearchResult;
use crate::search::{Scope, Search};
use crate::session::{Session, SessionOptions};
use crate::snapshot::{self, SavedIndex};
use crate::text::lower_case;
use crate::tokens;
use crate::tool::Tool;
use std::sync::{Arc, Mutex};

/// What one search may see and gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchOptions {
    /// Most matches, clamped to 1..50. Default: the engine's `max_results`. Named tools are never cut off.
    pub limit: Option<f64>,
    /// Matches to leave out at the front.
    pub offset: usize,
    /// Only these tools exist: callable or raw names, or patterns.
    pub allow: Option<Vec<String>>,
    /// These do not.
    pub deny: Vec<String>,
    /// Only this server's tools exist.
    pub server: Option<String>,
    /// Names that are loaded already: matches not among them come first.
    pub loaded: Vec<String>,
    /// Whether the query is a regular expression: the syntax of the `regex` crate with classes and case by ASCII, without its flags
    /// `x` and `R`, sets of classes and Unicode classes. Looking around and back is refused.
    pub regex: bool,
    /// Whether matches say why they score what they score.
    pub explain: bool,
}

/// Which decision is asked of [`ToolSearch::plan`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanOptions {
    /// The model, held against `direct_models`.
    pub model: Option<String>,
    /// Tokens of its context window; default: the engine's.
    pub context_window: Option<u64>,
    /// Default: the engine's.
    pub defer: Option<Defer>,
}

/// An agent's tools: finds them, decides whether to defer them, and begins conversations.
///
/// ```
/// use tool_search::{AddOptions, SearchOptions, ToolSearch};
///
/// let mut search = ToolSearch::default();
/// search.add(&[r#"{"name":"create_issue","description":"Create a new issue in a repository"}"#], &AddOptions::server("github"))?;
/// let found = search.search("open a ticket", &SearchOptions::default())?;
/// assert_eq!(found.matches[0].tool.name(), "mcp__github__create_issue");
/// # Ok::<(), tool_search::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct ToolSearch {
    pub(crate) options: Options,
    pub(crate) keywords: Keywords,
    pub(crate) catalog: Catalog,
    /// Built by the first search by words, or read from the snapshot: names, plan, section and composition never pay for it.
    pub(crate) index: OnceLock<Index>,
    /// The index of the snapshot that the catalog is from, as long as nobody needed it.
    pub(crate) saved: Mutex<Option<SavedIndex>>,
}

impl ToolSearch {
    /// An engine without tools.
    ///
    /// # Errors
    /// `invalid_option`.
    pub fn new(options: Options) -> Result<Self> {
        options.check()?;
        let keywords = Keywords::new(&options.keywords);
        Ok(Self { options, keywords, ..Self::default() })
    }

    /// Adds tools from their definitions, each the JSON text of one; a server added again is replaced as a whole.
    ///
    /// # Errors
    /// `invalid_tool`, `duplicate_name`, `reserved_name`, `limit_exceeded`; nothing is added then.
    pub fn add(&mut self, definitions: &[&str], options: &AddOptions) -> Result<CatalogDelta> {
        let mut batch = Batch::default();
        for json in definitions {
            batch.push(json, self.options.limits.definition_bytes)?;
        }
        self.commit(batch, options).map(|change| change.delta)
    }

    /// The same from the JSON text of a `tools/list` result (bare or in its JSON-RPC response) or of an array.
    ///
    /// # Errors
    /// Also `invalid_json`.
    pub fn add_json(&mut self, json: &str, options: &AddOptions) -> Result<CatalogDelta> {
        let batch = Batch::of_list(json, self.options.limits.definition_bytes)?;
        self.commit(batch, options).map(|change| change.delta)
    }

    /// Adds what was read.
    pub(crate) fn commit(&mut self, batch: Batch, options: &AddOptions) -> Result<Change> {
        self.wake();
        let change = self.catalog.add(batch, options, &self.options)?;
        Ok(self.follow(change))
    }

    /// Removes a server with its tools, status and instructions.
    pub fn remove_server(&mut self, server: &str) -> CatalogDelta {
        self.forget(server).delta
    }

    pub(crate) fn forget(&mut self, server: &str) -> Change {
        self.wake();
        let change = self.catalog.remove_server(server);
        self.follow(change)
    }

    /// Reads the index of a snapshot before the catalog is another: it would have to be built anew.
    fn wake(&mut self) {
        if self.saved.get_mut().is_ok_and(|saved| saved.is_some()) {
            self.index();
        }
    }

    /// Brings the index up to date, if there is one yet.
    fn follow(&mut self, change: Change) -> Change {
        if let Some(index) = self.index.get_mut() {
            index.update(&change.dropped, &change.fresh, self.catalog.order(), &self.keywords);
        }
        change
    }

    /// Notes how a server is doing; one that has no tools yet may be named.
    ///
    /// # Errors
    /// `invalid_option` for an empty name.
    pub fn set_server_status(&mut self, server: &str, status: ServerStatus, reason: Option<&str>) -> Result<()> {
        self.catalog.set_server_status(server, status, reason.map(str::to_owned))
    }

    /// How a server is doing; `None` when there is none of that name.
    pub fn server_status(&self, server: &str) -> Option<ServerStatus> {
        self.catalog.server(server).map(|s| s.status)
    }

    /// Tokens of every definition in full.
    ///
    /// # Errors
    /// What the exact counter fails with.
    pub fn tokens(&self) -> Result<u64> {
        plan::totals(self, &Filter::default()).map(|totals| totals.full())
    }

    /// The number of tools.
    pub fn len(&self) -> usize {
        self.catalog.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every tool in catalog order: built-in ones as added, then servers by name, each server's tools as given.
    pub fn tools(&self) -> impl Iterator<Item = &Arc<Tool>> {
        self.catalog.order().tools.iter()
    }

    /// A tool by its callable name.
    pub fn get(&self, name: &str) -> Option<&Arc<Tool>> {
        self.catalog.get(name)
    }

    /// The options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Ranks without loading anything.
    ///
    /// # Errors
    /// `empty_query`, `no_tokens`, `empty_select`, `invalid_pattern`, `pattern_too_long`.
    pub fn search(&self, query: &str, options: &SearchOptions) -> Result<SearchResult> {
        let mut result = SearchResult::default();
        self.search_into(query, options, &mut result).map(|()| result)
    }

    /// The same into a result that was used before.
    pub(crate) fn search_into(&self, query: &str, options: &SearchOptions, result: &mut SearchResult) -> Result<()> {
        let filter = Filter::new(options.allow.as_deref(), &options.deny);
        let loaded = |tool: &Tool| options.loaded.iter().any(|name| name == tool.name());
        let scope = Scope {
            filter: &filter,
            server: options.server.as_deref(),
            loaded: (!options.loaded.is_empty()).then_some(&loaded as _),
            limit: clamp_limit(options.limit, self.options.max_results),
            offset: options.offset,
            explain: options.explain,
            tell_more: false,
        };
        if options.regex {
            Search::regex(self, query, &scope, result)
        } else {
            Search::run(self, query, &scope, result)
        }
    }

    /// Whether to defer, and what each choice costs in tokens (rules D1 to D3, G3).
    ///
    /// # Errors
    /// `invalid_option`, and what the exact counter fails with.
    pub fn plan(&self, options: &PlanOptions) -> Result<Plan> {
        Ok(self.session(SessionOptions { plan: options.clone(), ..SessionOptions::default() })?.plan)
    }

    /// Begins a conversation. Sessions share the catalog and nothing else (rule F6).
    ///
    /// # Errors
    /// `invalid_option`, and what the exact counter fails with.
    pub fn session(&self, options: SessionOptions) -> Result<Session> {
        Session::new(self, options)
    }

    /// The catalog and its index as bytes, with a version and a checksum (rule H3).
    pub fn snapshot(&self) -> Vec<u8> {
        snapshot::write(self)
    }

    /// An engine from [`snapshot`](Self::snapshot) bytes that answers every search the same.
    ///
    /// # Errors
    /// `invalid_snapshot` for another version or damaged bytes, and those of [`new`](Self::new), `limit_exceeded` and
    /// `reserved_name` where the options do not admit what is in it.
    pub fn restore(bytes: &[u8], options: Options) -> Result<Self> {
        let mut engine = Self::new(options)?;
        let mut incoming = snapshot::Incoming::new(bytes, bytes.len())?;
        bytes.chunks(snapshot::PART).for_each(|part| incoming.take(part));
        snapshot::read(incoming, &mut engine)?;
        Ok(engine)
    }

    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let saved = self.saved.lock().ok().and_then(|mut saved| saved.take());
            let read = saved.and_then(|saved| saved.read(self));
            read.unwrap_or_else(|| Index::build(&self.catalog.order().tools, &self.keywords, self.options.meaning))
        })
    }

    /// Whether a tool has a stem, and its place is one of those that can be seen, if not all can.
    pub(crate) fn has_stem(&self, stem: u32, sees: Option<&dyn Fn(usize) -> bool>) -> bool {
        let index = self.index();
        let Some(sees) = sees else { return index.stem_count(stem) > 0 };
        let order = self.catalog.order();
        let mut slots = index.tools(index.of_stem(stem)).filter_map(|number| index.slot_of(number));
        slots.any(|slot| sees(order.place_of(slot)))
    }

    /// Tokens of a text, by the exact counter where there is one.
    pub(crate) fn count(&self, text: &str) -> Result<u32> {
        match &self.options.count_tokens {
            Some(count) => count(text),
            None => Ok(self.estimate(text)),
        }
    }

    /// The same without asking the exact counter.
    pub(crate) fn estimate(&self, text: &str) -> u32 {
        self.options.tokens.scaled(tokens::estimate_tokens(text))
    }

    /// Tokens of a tool as providers see it (rule G2); an exact count is made once a definition.
    pub(crate) fn tokens_of(&self, tool: &Tool) -> Result<u32> {
        let TokenOptions { per_tool, .. } = self.options.tokens;
        if self.options.count_tokens.is_none() {
            return Ok(self.options.tokens.scaled(tool.estimate()).saturating_add(per_tool));
        }
        if let Some(&tokens) = tool.counted.get() {
            return Ok(tokens.saturating_add(per_tool));
        }
        let tokens = self.count(&tokens::measured_text(tool.name(), &tool.view()))?;
        Ok(tool.counted.get_or_init(|| tokens).saturating_add(per_tool))
    }

    /// Whether a model gets every tool directly (rule D2).
    pub(crate) fn is_direct_model(&self, model: &str) -> bool {
        // At the first colon: model ids may have one of their own.
        let full = lower_case(model);
        let bare = full.split_once(':').map_or(full.as_str(), |(_, bare)| bare);
        let mut globs = self.options.direct_models.iter().map(|p| Glob::new(&lower_case(p)));
        globs.any(|g| g.matches(&full) || g.matches(bare))
    }
}

pub(crate) fn invalid_option(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidOption, message)
}
