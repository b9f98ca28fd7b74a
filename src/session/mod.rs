//! One conversation: what it has loaded, and what it has been told (rules F1 to F8).

mod cap;
mod tokens;
mod types;

use cap::Cap;
pub use cap::Overflow;
pub use tokens::SessionTokens;
pub use types::{CallResolution, Entry, SearchInput, SearchReply, SessionOptions};

use crate::ServerStatus;
use crate::compose::{self, Format};
use crate::engine::{ToolSearch, invalid_option};
use crate::error::{Error, ErrorCode, Result};
use crate::listing;
use crate::names::{Filter, squash};
use crate::options::clamp_limit;
use crate::order::{Meaning, Roster};
use crate::plan::{Plan, Question};
use crate::reply;
use crate::result::{SearchResult, Unavailable};
use crate::search::{Scope, Search};
use crate::sorted::{self, Identities};
use crate::suggest;
use crate::tool::{Load, Tool};
use std::sync::Arc;

/// The budget of the deferred section, as a share of the context window and at most, in tokens.
const SECTION_SHARE: u64 = 20;
const SECTION_MOST: u64 = 8_000;

/// A tool that is in the tools array, in the life of it that was meant.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    name: Arc<str>,
    identity: u32,
}

impl Sent {
    pub(crate) fn new(tool: &Tool) -> Self {
        Self { name: Arc::clone(&tool.name), identity: tool.identity }
    }

    /// The tool itself, as long as it is in the catalog.
    fn tool<'a>(&self, engine: &'a ToolSearch) -> Option<&'a Arc<Tool>> {
        engine.get(&self.name).filter(|tool| tool.identity == self.identity)
    }
}

/// One conversation over a [`ToolSearch`], which every method that needs it is given; it must be the one that began it.
#[derive(Debug)]
pub struct Session {
    /// The decision it began with.
    pub plan: Plan,
    filter: Filter,
    prompt: Arc<str>,
    /// What every request begins with: the direct tools there were, or all tools when nothing is deferred.
    base: Arc<[Sent]>,
    /// What was appended since, behind the search tool: activated tools, and direct ones that came later.
    appended: Vec<Sent>,
    activated: Vec<Sent>,
    /// Identities of all that is in the array.
    in_array: Identities,
    /// Deferred tools within `base`; `None` where nobody asked for any.
    preloaded: Option<Identities>,
    cap: Option<Cap>,
    /// The catalog that the array was last brought up to.
    version: u64,
    told: Arc<Roster>,
}

impl ToolSearch {
    pub(crate) fn awaits_servers(&self, filter: &Filter) -> bool {
        self.catalog.servers().any(|(name, s)| s.status == ServerStatus::Pending && s.is_seen(filter, name))
    }
}

impl Session {
    pub(crate) fn new(engine: &ToolSearch, options: SessionOptions) -> Result<Self> {
        let filter = Filter::new(options.allow.as_deref(), &options.deny);
        let context_window = options.plan.context_window.unwrap_or(engine.options.context_window);
        if context_window == 0 {
            return Err(invalid_option("`contextWindow` must be a positive number of tokens"));
        }
        let budget = engine.options.listing.max_tokens.unwrap_or((context_window / SECTION_SHARE).min(SECTION_MOST));
        let preloaded = match (&options.preloaded, &engine.options.preload) {
            // A conversation that goes on keeps what it began with, whatever was used since.
            (Some(names), _) => {
                let tools = visible_deferred(engine, &filter, names);
                Some(Identities::new(tools.iter().map(|tool| tool.identity).collect()))
            }
            (None, Some(preload)) => Some(preload.choose(engine, &filter)?),
            (None, None) => None,
        };
        let none = Identities::default();
        let whole = preloaded.as_ref().unwrap_or(&none);
        let section = listing::section(engine, &filter, whole, budget)?;
        let search_tool = search_tool(engine, Format::Anthropic);
        let plan = Plan::decide(
            engine,
            &Question {
                filter: &filter,
                preloaded: whole,
                model: options.plan.model.as_deref(),
                context_window,
                defer: options.plan.defer.unwrap_or(engine.options.defer),
                section: &section,
                search_tool: &search_tool,
            },
        )?;
        let order = engine.catalog.order();
        let base = order.base(plan.deferring, &filter, whole);
        let in_array = identities(&[&base]);
        let mut session = Self {
            plan,
            in_array,
            prompt: if plan.deferring { section } else { "".into() },
            base,
            appended: Vec::new(),
            activated: Vec::new(),
            version: order.version,
            told: Arc::clone(order.roster()),
            preloaded: preloaded.filter(|_| plan.deferring),
            cap: options.max_tools.map(|most| Cap::new(most, options.overflow)).transpose()?,
            filter,
        };
        session.check_base()?;
        session.restore(engine, &options);
        Ok(session)
    }

    /// Goes on from where an earlier life of the conversation was.
    fn restore(&mut self, engine: &ToolSearch, options: &SessionOptions) {
        let array = once(&options.array);
        if !array.is_empty() {
            let at = array.iter().position(|name| *name == engine.options.search_tool_name);
            let (before, behind) = array.split_at(at.unwrap_or(array.len()));
            let sent = |names| self.visible(engine, names).into_iter().map(|tool| Sent::new(tool)).collect();
            let (base, mut appended): (Vec<Sent>, Vec<Sent>) = (sent(before), sent(behind));
            let here = identities(&[&base, &appended]);
            // What every request carries and was not there yet comes last.
            appended.extend(self.base.iter().filter(|sent| !here.contains(sent.identity)).cloned());
            self.in_array = identities(&[&base, &appended]);
            (self.base, self.appended) = (base.into(), appended);
        }
        for tool in self.visible(engine, &once(&options.activated)) {
            if tool.load == Load::Direct {
                continue;
            }
            if self.in_array.insert(tool.identity) {
                self.appended.push(Sent::new(tool));
            }
            if self.preloaded.as_ref().is_none_or(|preloaded| !preloaded.contains(tool.identity)) {
                self.activated.push(Sent::new(tool));
            }
        }
        let used = self.visible(engine, &once(&options.used)).into_iter().map(|tool| tool.identity);
        let used: Vec<u32> = used.filter(|identity| self.in_array.contains(*identity)).collect();
        if let Some(cap) = &mut self.cap {
            // Where nobody says more, what stands first was used longest ago.
            cap.restore(self.appended.iter().map(|sent| sent.identity).collect());
            cap.restore(used);
        }
    }

    /// The tools of these names that it may see.
    fn visible<'e>(&self, engine: &'e ToolSearch, names: &[&str]) -> Vec<&'e Arc<Tool>> {
        names.iter().filter_map(|name| engine.get(name)).filter(|tool| self.filter.sees(tool)).collect()
    }

    /// The `## Deferred Tools` section of the system prompt, empty when nothing is deferred. The same bytes for the
    /// session's whole life (rule E1).
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// What the next request's tools array holds: direct tools in catalog order, the search tool, activated tools in
    /// activation order, so that each array extends the one before (rule F1). Without deferral: all tools.
    pub fn entries(&mut self, engine: &ToolSearch) -> Vec<Entry> {
        self.catch_up(engine);
        let leaving = self.crowded_out(engine);
        let mut all = Vec::with_capacity(self.size());
        let put = |sent: &Sent, all: &mut Vec<Entry>| {
            if let Some(tool) = sent.tool(engine).filter(|tool| !leaving.contains(tool.identity)) {
                all.push(Entry::Tool(Arc::clone(tool)));
            }
        };
        self.base.iter().for_each(|sent| put(sent, &mut all));
        if self.plan.deferring {
            all.push(Entry::Search);
        }
        self.appended.iter().for_each(|sent| put(sent, &mut all));
        all
    }

    /// The same as JSON text in a wire format, one text a tool. With `max_tools`, [`check`](Self::check) comes before each request.
    pub fn tools(&mut self, engine: &ToolSearch, format: Format) -> Vec<String> {
        let json = |entry: &Entry| match entry {
            Entry::Tool(tool) => compose::definition(tool, format),
            Entry::Search => search_tool(engine, format),
        };
        self.entries(engine).iter().map(json).collect()
    }

    /// The names of the same.
    pub fn names(&mut self, engine: &ToolSearch) -> Vec<String> {
        let name = |entry: &Entry| match entry {
            Entry::Tool(tool) => tool.name().to_owned(),
            Entry::Search => engine.options.search_tool_name.clone(),
        };
        self.entries(engine).iter().map(name).collect()
    }

    /// Callable names activated so far that are still there, in activation order.
    pub fn activated(&self, engine: &ToolSearch) -> Vec<String> {
        living(&self.activated, engine)
    }

    /// Callable names of the deferred tools it began with that are still there, in the order of the array; `None` where nobody asked
    /// for any, or nothing is deferred.
    pub fn preloaded(&self, engine: &ToolSearch) -> Option<Vec<String>> {
        let preloaded = self.preloaded.as_ref()?;
        let sent: Vec<Sent> =
            self.base.iter().chain(&self.appended).filter(|s| preloaded.contains(s.identity)).cloned().collect();
        Some(living(&sent, engine))
    }

    /// Callable names of the tools array in order, what leaves before the next request included; empty where a conversation that begins
    /// now with the same activated and preloaded tools has the same array.
    pub fn array(&mut self, engine: &ToolSearch) -> Vec<String> {
        self.catch_up(engine);
        let none = Identities::default();
        let preloaded = self.preloaded.as_ref().unwrap_or(&none);
        let fresh = engine.catalog.order().base(self.plan.deferring, &self.filter, preloaded);
        let is_fresh = identities(&[&fresh]);
        let behind = self.activated.iter().filter(|sent| {
            !is_fresh.contains(sent.identity) && sent.tool(engine).is_some_and(|tool| self.filter.sees_deferred(tool))
        });
        let behind: Vec<Sent> = behind.cloned().collect();
        let list = |base: &[Sent], appended: &[Sent]| -> Vec<String> {
            let search = self.plan.deferring.then(|| engine.options.search_tool_name.clone());
            living(base, engine).into_iter().chain(search).chain(living(appended, engine)).collect()
        };
        let array = list(&self.base, &self.appended);
        if array == list(&fresh, &behind) { Vec::new() } else { array }
    }

    /// Answers the model's call of the search tool; loads what it found.
    pub fn handle(&mut self, engine: &ToolSearch, input: &SearchInput) -> SearchReply {
        self.catch_up(engine);
        let refused = |error: Error, text: String| SearchReply {
            text,
            loaded: Vec::new(),
            already_loaded: Vec::new(),
            changed: false,
            result: None,
            error: Some(error),
        };
        let Some(query) = input.query.as_deref() else {
            let problem = "The call has no `query` that is text.";
            let text = reply::to_bad_input(problem, &engine.options.search_tool_name);
            return refused(Error::new(ErrorCode::InvalidInput, problem), text);
        };
        let loaded = |tool: &Tool| self.in_array.contains(tool.identity);
        let scope = Scope {
            filter: &self.filter,
            server: None,
            loaded: Some(&loaded),
            limit: clamp_limit(input.max_results, engine.options.max_results),
            offset: 0,
            explain: false,
            tell_more: true,
        };
        let mut result = SearchResult::default();
        if let Err(error) = Search::run(engine, query, &scope, &mut result) {
            let text = reply::to_bad_query(&error);
            return refused(error, text);
        }
        let (mut loaded, mut already_loaded) = (Vec::new(), Vec::new());
        let room = self.room(engine);
        let (fitting, left_out) = result.matches.split_at(room.min(result.matches.len()));
        for found in fitting {
            let list = if self.activate_tool(&found.tool) { &mut loaded } else { &mut already_loaded };
            list.push(found.tool.name().to_owned());
        }
        let text = reply::to_search(engine, &self.filter, &result, &loaded, &already_loaded, left_out);
        SearchReply { text, changed: !loaded.is_empty(), loaded, already_loaded, result: Some(result), error: None }
    }

    /// What to do with a call the model made: run it, or answer it (rule F3).
    pub fn resolve(&mut self, engine: &ToolSearch, name: &str) -> CallResolution {
        self.catch_up(engine);
        let search_tool = &engine.options.search_tool_name;
        if self.plan.deferring && name == search_tool {
            return CallResolution::Search;
        }
        let order = engine.catalog.order();
        match engine.catalog.resolve(name, &|tool| self.sees(tool)) {
            Meaning::One(at, _) => {
                let tool = &order.tools[at];
                if let Some(down) = tool.server().and_then(|s| unavailable(engine, s)) {
                    return CallResolution::Unavailable {
                        name: tool.name().to_owned(),
                        text: reply::down(&down),
                        server: down.server,
                    };
                }
                if self.activate_tool(tool) {
                    return CallResolution::Activated(Arc::clone(tool), reply::to_early_call(tool));
                }
                CallResolution::Ready(Arc::clone(tool))
            }
            Meaning::Many(all) => {
                let candidates: Vec<String> = all.iter().map(|&at| order.tools[at].name().to_owned()).collect();
                let text = reply::to_ambiguous_call(name, &candidates);
                CallResolution::Ambiguous { candidates, text }
            }
            Meaning::Nothing if self.plan.deferring && squash(name) == squash(search_tool) => CallResolution::Search,
            Meaning::Nothing => self.unresolved(engine, name),
        }
    }

    /// A name without a tool: of a server that has not shown its tools, or of nothing.
    fn unresolved(&self, engine: &ToolSearch, name: &str) -> CallResolution {
        let of = |server: &str| match name.strip_prefix(&crate::names::prefix(server)) {
            Some(raw) => self.filter.passes(name, raw),
            None => false,
        };
        let silent = engine.catalog.servers().filter(|(s, server)| of(s) && server.is_seen(&self.filter, s));
        if let Some(down) = silent.filter_map(|(s, _)| unavailable(engine, s)).next() {
            return CallResolution::Unavailable {
                name: name.to_owned(),
                text: reply::down(&down),
                server: down.server,
            };
        }
        let suggestions = suggest::close(engine, name, false, &|tool| self.sees(tool));
        let find = self.plan.deferring.then_some(engine.options.search_tool_name.as_str());
        let text = reply::to_unknown_call(name, &suggestions, find);
        CallResolution::Unknown { suggestions, text }
    }

    /// Loads tools by name, as `select:` would, and gives the callable names that are newly loaded.
    pub fn activate(&mut self, engine: &ToolSearch, names: &[String]) -> Vec<String> {
        self.catch_up(engine);
        let order = engine.catalog.order();
        let (mut new, room) = (Vec::new(), self.room(engine));
        for name in names {
            if let Meaning::One(at, _) = engine.catalog.resolve(name, &|tool| self.sees(tool))
                && new.len() < room
                && self.activate_tool(&order.tools[at])
            {
                new.push(order.tools[at].name().to_owned());
            }
        }
        new
    }

    /// Forgets what was activated, after the conversation was compacted and the model knows of it no longer. To keep it,
    /// nothing needs to be done.
    pub fn reset(&mut self, engine: &ToolSearch) {
        self.catch_up(engine);
        let base = identities(&[&self.base]);
        // What is sent whole anyway stays.
        let leaves = |sent: &Sent| {
            let deferred = engine.get(&sent.name).is_some_and(|t| t.load == Load::Deferred && self.plan.deferring);
            deferred && !base.contains(sent.identity)
        };
        self.activated.retain(leaves);
        let gone = identities(&[&std::mem::take(&mut self.activated)]);
        self.appended.retain(|sent| !gone.contains(sent.identity));
        self.in_array = self.in_array.without(&gone);
        if let Some(cap) = &mut self.cap {
            cap.forget(&gone);
        }
    }

    /// Deferred tools that came or went since the model was last told, as a short message; empty when none (rule F4).
    pub fn announce(&mut self, engine: &ToolSearch) -> String {
        let roster = engine.catalog.order().roster();
        if Arc::ptr_eq(roster, &self.told) {
            return String::new();
        }
        let told = std::mem::replace(&mut self.told, Arc::clone(roster));
        if !self.plan.deferring {
            return String::new();
        }
        let missing_in = |a: &Roster, b: &Roster| -> Vec<String> {
            let names: Vec<&str> = b.iter().map(|(name, _)| &**name).collect();
            let order = sorted::distinct(&names);
            let has = |name: &str| order.binary_search_by(|&at| names[at].cmp(name)).is_ok();
            let visible = a.iter().filter(|(name, raw)| self.filter.passes(name, raw));
            visible.filter(|(name, _)| !has(name)).map(|(name, _)| name.to_string()).collect()
        };
        let added = missing_in(roster, &told);
        // What became direct is in the tools array, and not gone.
        let mut removed = missing_in(&told, roster);
        removed.retain(|name| engine.get(name).is_none());
        reply::to_changes(&added, &removed, &engine.options.search_tool_name)
    }

    fn sees(&self, tool: &Tool) -> bool {
        self.filter.sees(tool)
    }

    /// Puts a deferred tool into the array; `false` when it is there.
    fn activate_tool(&mut self, tool: &Tool) -> bool {
        // All that was activated or preloaded is in the array.
        let new = self.in_array.insert(tool.identity);
        if let Some(cap) = &mut self.cap {
            cap.touch(tool, new);
        }
        let known = !new
            && (self.activated.iter().any(|s| s.identity == tool.identity)
                || self.preloaded.as_ref().is_some_and(|p| p.contains(tool.identity)));
        if !known && tool.load == Load::Deferred {
            self.activated.push(Sent::new(tool));
        }
        if new {
            self.appended.push(Sent::new(tool));
        }
        new
    }

    /// Follows the catalog: what is gone leaves the array, what is sent whole and new is appended.
    fn catch_up(&mut self, engine: &ToolSearch) {
        let order = engine.catalog.order();
        if self.version == order.version {
            return;
        }
        self.version = order.version;
        self.activated.retain(|sent| sent.tool(engine).is_some());
        self.appended.retain(|sent| sent.tool(engine).is_some());
        let living = self.base.iter().filter(|sent| sent.tool(engine).is_some()).chain(&self.appended);
        self.in_array = Identities::new(living.map(|sent| sent.identity).collect());
        for tool in &order.tools {
            if (tool.load == Load::Direct || !self.plan.deferring)
                && self.sees(tool)
                && self.in_array.insert(tool.identity)
            {
                self.appended.push(Sent::new(tool));
            }
        }
    }
}

fn identities(lists: &[&[Sent]]) -> Identities {
    Identities::new(lists.iter().copied().flatten().map(|sent| sent.identity).collect())
}

/// The names of those that are in the catalog still.
fn living(all: &[Sent], engine: &ToolSearch) -> Vec<String> {
    all.iter().filter_map(|sent| sent.tool(engine)).map(|tool| tool.name().to_owned()).collect()
}

/// Names, each once.
fn once(names: &[String]) -> Vec<&str> {
    sorted::once(names.iter().map(String::as_str).collect())
}

/// The deferred tools among these names that a filter lets through.
fn visible_deferred<'a>(engine: &'a ToolSearch, filter: &Filter, names: &[String]) -> Vec<&'a Arc<Tool>> {
    names.iter().filter_map(|name| engine.get(name)).filter(|tool| filter.sees_deferred(tool)).collect()
}

fn search_tool(engine: &ToolSearch, format: Format) -> String {
    compose::search_tool(&engine.options.search_tool_name, engine.options.max_results, format)
}

/// How a server is doing, when it cannot answer calls.
fn unavailable(engine: &ToolSearch, name: &str) -> Option<Unavailable> {
    let server = engine.catalog.server(name).filter(|s| s.status != ServerStatus::Ready)?;
    Some(Unavailable { server: name.to_owned(), status: server.status, reason: server.reason.clone() })
}
