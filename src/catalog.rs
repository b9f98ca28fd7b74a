//! The catalog: which tools there are, of which servers, in which order (rules A1 to A8).

use crate::error::{Error, ErrorCode, Result};
use crate::names::{self, Filter, Glob};
use crate::order::Order;
use crate::safe;
use crate::tool::{self, Load, Parsed, Tool};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// How much a catalog takes (rule A8). What goes beyond is a `limit_exceeded` and adds nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Tools in one catalog. Default 100,000.
    pub tools: usize,
    /// UTF-8 bytes of one definition as compact JSON. Default 1 MiB.
    pub definition_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { tools: 100_000, definition_bytes: 1 << 20 }
    }
}

/// Which tools of an addition are sent whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadRule {
    /// All of them, one way or the other.
    All(Load),
    /// Those whose callable or raw name one of the patterns (`*`, `?`) matches are direct, the rest is deferred.
    Direct(Vec<String>),
}

impl Default for LoadRule {
    fn default() -> Self {
        Self::All(Load::Deferred)
    }
}

/// Where added tools come from and how they are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddOptions {
    /// The MCP server, or another source; `None` for built-in tools of the agent.
    pub server: Option<String>,
    /// The server's own instructions, shown with its names on one line of at most 2,048 bytes.
    pub instructions: Option<String>,
    /// Default: all deferred.
    pub load: LoadRule,
    /// Whether a server's tools are called `mcp__<server>__<name>`. Default true.
    pub prefix: bool,
}

impl Default for AddOptions {
    fn default() -> Self {
        Self { server: None, instructions: None, load: LoadRule::default(), prefix: true }
    }
}

impl AddOptions {
    /// The options of a server's tools, everything else by default.
    pub fn server(name: impl Into<String>) -> Self {
        Self { server: Some(name.into()), ..Self::default() }
    }
}

/// How a server is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServerStatus {
    /// Its tools can be called.
    #[default]
    Ready,
    /// It is still connecting.
    Pending,
    /// It did not come up.
    Failed,
    /// It was up and is gone.
    Disconnected,
}

impl ServerStatus {
    /// The status as text, in the spelling of the public contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Pending => "pending",
            Self::Failed => "failed",
            Self::Disconnected => "disconnected",
        }
    }
}

/// What a change of the catalog did, by callable name, in catalog order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogDelta {
    /// Tools that were not there before.
    pub added: Vec<String>,
    /// Tools that are gone, in the order they had.
    pub removed: Vec<String>,
    /// Tools whose definition, or whether they are direct, is another.
    pub changed: Vec<String>,
}

impl CatalogDelta {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// What an addition did, for those who keep something beside each tool.
#[derive(Debug)]
pub(crate) struct Addition {
    pub delta: CatalogDelta,
    /// What now stands for the added definitions, in their order.
    #[cfg_attr(not(feature = "bindings"), expect(dead_code, reason = "only JavaScript keeps objects beside"))]
    pub tools: Vec<Arc<Tool>>,
    /// Ids of definitions that are no longer there.
    #[cfg_attr(not(feature = "bindings"), expect(dead_code, reason = "only JavaScript keeps objects beside"))]
    pub dropped: Vec<u32>,
}

#[derive(Debug)]
pub(crate) struct Server {
    /// Its name without case and separators, as queries may have it.
    pub squashed: String,
    pub instructions: String,
    pub status: ServerStatus,
    pub reason: Option<String>,
    pub tools: Vec<Arc<Tool>>,
}

impl Server {
    fn new(name: &str) -> Self {
        Self {
            squashed: names::squash(name),
            instructions: String::new(),
            status: ServerStatus::default(),
            reason: None,
            tools: Vec::new(),
        }
    }

    /// Whether it may be spoken of where a filter holds: it has a visible tool, or none at all and could have one.
    pub(crate) fn is_seen(&self, filter: &Filter, name: &str) -> bool {
        if self.tools.is_empty() {
            return filter.passes_server(name);
        }
        filter.is_open() || self.tools.iter().any(|t| filter.passes(t.name(), t.raw_name()))
    }
}

/// The tools of an agent.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    builtin: Vec<Arc<Tool>>,
    servers: BTreeMap<Arc<str>, Server>,
    by_name: BTreeMap<Arc<str>, Arc<Tool>>,
    by_id: BTreeMap<u32, Arc<Tool>>,
    /// The last id given; ids are never used twice.
    last_id: u32,
    /// Counts the states it has been in.
    version: u64,
    order: OnceLock<Arc<Order>>,
}

impl Catalog {
    pub(crate) fn len(&self) -> usize {
        self.by_name.len()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Tool>> {
        self.by_name.get(name)
    }

    #[cfg_attr(not(feature = "bindings"), expect(dead_code, reason = "ids are what JavaScript knows definitions by"))]
    pub(crate) fn by_id(&self, id: u32) -> Option<&Arc<Tool>> {
        self.by_id.get(&id)
    }

    pub(crate) fn server(&self, name: &str) -> Option<&Server> {
        self.servers.get(name)
    }

    pub(crate) fn servers(&self) -> impl Iterator<Item = (&Arc<str>, &Server)> {
        self.servers.iter()
    }

    /// Every tool in catalog order: built-in ones as added, then servers by name (rule A2). The same value until the
    /// catalog changes, so that whoever holds it can tell.
    pub(crate) fn order(&self) -> &Arc<Order> {
        self.order.get_or_init(|| {
            let servers = self.servers.values().flat_map(|s| &s.tools);
            Arc::new(Order::new(self.builtin.iter().chain(servers).cloned().collect(), self.version))
        })
    }

    /// Adds what was parsed; a server is replaced as a whole (rule A3). Either all of it is added or, on an error, nothing.
    pub(crate) fn add(
        &mut self,
        parsed: Vec<Parsed>,
        options: &AddOptions,
        reserved: &str,
        limits: &Limits,
    ) -> Result<Addition> {
        let server: Option<Arc<str>> = match options.server.as_deref() {
            Some("") => {
                return Err(Error::new(ErrorCode::InvalidOption, "`server` is empty; leave it out for built-in tools"));
            }
            name => name.map(Into::into),
        };
        let before = server.as_ref().map(|s| self.servers.get(s).map_or(&[][..], |s| &s.tools)).unwrap_or_default();
        let total = self.by_name.len() - before.len() + parsed.len();
        if total > limits.tools {
            let message = format!("{total} tools; a catalog may hold {} (option `limits.tools`)", limits.tools);
            return Err(Error::new(ErrorCode::LimitExceeded, message));
        }
        let direct: Vec<Glob> = match &options.load {
            LoadRule::Direct(patterns) => patterns.iter().map(|p| Glob::new(p)).collect(),
            LoadRule::All(_) => Vec::new(),
        };
        let old: BTreeMap<&str, &Arc<Tool>> = before.iter().map(|t| (t.name(), t)).collect();
        let mut seen = BTreeSet::new();
        let mut tools = Vec::with_capacity(parsed.len());
        let mut delta = CatalogDelta::default();
        let mut last_id = self.last_id;
        for (place, tool) in parsed.into_iter().enumerate() {
            let prefixed = tool.prefixed.unwrap_or(options.prefix);
            let (name, raw_name) = names::callable_and_raw(&tool.name, server.as_deref(), prefixed);
            if name == reserved {
                let message =
                    format!("a tool may not be named {reserved:?}: that is the search tool (option `searchToolName`)");
                return Err(Error::new(ErrorCode::ReservedName, message).at(place));
            }
            let taken = !seen.insert(name.clone())
                || (self.by_name.contains_key(name.as_str()) && !old.contains_key(name.as_str()));
            if taken {
                let shown = safe::inline(&name, 160);
                let message = format!(
                    "two tools would be called {shown:?}; rename one, or add them as tools of different servers"
                );
                return Err(Error::new(ErrorCode::DuplicateName, message).at(place));
            }
            let is_direct = match &options.load {
                LoadRule::All(load) => *load == Load::Direct,
                LoadRule::Direct(_) => direct.iter().any(|g| g.matches(&name) || g.matches(&raw_name)),
            };
            let load = if is_direct || tool.always_load { Load::Direct } else { Load::Deferred };
            let load = tool.load.unwrap_or(load);
            let was = old.get(name.as_str());
            if let Some(was) =
                was.filter(|w| w.definition == tool.definition && w.load == load && *w.raw_name == *raw_name)
            {
                tools.push(Arc::clone(was));
                continue;
            }
            last_id = last_id.checked_add(1).ok_or_else(|| {
                Error::new(
                    ErrorCode::LimitExceeded,
                    "this catalog has taken in 4,294,967,295 definitions; make a new one",
                )
            })?;
            if was.is_some() { &mut delta.changed } else { &mut delta.added }.push(name.clone());
            tools.push(Arc::new(Tool {
                id: last_id,
                identity: was.map_or(last_id, |w| w.identity),
                tokens: tool::estimate(&name, &tool.definition),
                name: name.into(),
                raw_name: raw_name.into(),
                server: server.clone(),
                definition: tool.definition,
                load,
                prefixed,
                counted: OnceLock::new(),
            }));
        }
        delta.removed = before.iter().filter(|t| !seen.contains(t.name())).map(|t| t.name().to_owned()).collect();

        let kept: BTreeSet<u32> = tools.iter().map(|t| t.id).collect();
        let dropped: Vec<u32> = before.iter().map(|t| t.id).filter(|id| !kept.contains(id)).collect();

        // Nothing fails from here on.
        self.last_id = last_id;
        for id in &dropped {
            self.by_id.remove(id);
        }
        for name in &delta.removed {
            self.by_name.remove(name.as_str());
        }
        for tool in &tools {
            self.by_name.insert(Arc::clone(&tool.name), Arc::clone(tool));
            self.by_id.insert(tool.id, Arc::clone(tool));
        }
        match server {
            Some(name) => {
                let new = Server::new(&name);
                let server = self.servers.entry(name).or_insert(new);
                server.tools.clone_from(&tools);
                server.instructions = options.instructions.clone().unwrap_or_default();
                (server.status, server.reason) = (ServerStatus::Ready, None);
            }
            None => self.builtin.extend(tools.iter().cloned()),
        }
        self.touch();
        Ok(Addition { delta, tools, dropped })
    }

    /// Forgets a server, its tools, status and instructions, and gives the tools it had.
    pub(crate) fn remove_server(&mut self, name: &str) -> Vec<Arc<Tool>> {
        let Some(server) = self.servers.remove(name) else { return Vec::new() };
        for tool in &server.tools {
            self.by_name.remove(&tool.name);
            self.by_id.remove(&tool.id);
        }
        self.touch();
        server.tools
    }

    /// Notes how a server is doing; one that has shown no tools yet may be named too.
    pub(crate) fn set_server_status(&mut self, name: &str, status: ServerStatus, reason: Option<String>) -> Result<()> {
        if name.is_empty() {
            return Err(Error::new(ErrorCode::InvalidOption, "the server's name is empty"));
        }
        let server = match self.servers.get_mut(name) {
            Some(server) => server,
            None => self.servers.entry(name.into()).or_insert(Server::new(name)),
        };
        server.status = status;
        server.reason = reason.map(|r| safe::inline(&r, 200)).filter(|r| !r.is_empty());
        Ok(())
    }

    fn touch(&mut self) {
        self.version += 1;
        self.order.take();
    }

    pub(crate) fn builtin(&self) -> &[Arc<Tool>] {
        &self.builtin
    }
}

/// The definitions in the JSON text of a `tools/list` result, bare, within its JSON-RPC response, or an array of them.
///
/// # Errors
/// `invalid_json`.
pub(crate) fn definitions(json: &str) -> Result<Vec<&RawValue>> {
    let bad = |what: String| Error::new(ErrorCode::InvalidJson, what);
    let raw: &RawValue = serde_json::from_str(json.strip_prefix('\u{FEFF}').unwrap_or(json))
        .map_err(|e| bad(format!("not JSON: {e}")))?;
    let mut list = raw;
    for key in ["result", "tools"] {
        if list.get().starts_with('{') {
            let fields: BTreeMap<String, &RawValue> =
                serde_json::from_str(list.get()).map_err(|e| bad(format!("not JSON: {e}")))?;
            list = fields.get(key).copied().unwrap_or(list);
        }
    }
    if !list.get().starts_with('[') {
        return Err(bad("neither an array of tools nor an object with `tools`".to_owned()));
    }
    serde_json::from_str(list.get()).map_err(|e| bad(format!("not JSON: {e}")))
}

#[cfg(test)]
mod tests {
    use super::definitions;

    #[test]
    fn lists_in_every_wrapping() {
        for json in [
            r#"[{"name":"a"}]"#,
            r#"{"tools":[{"name":"a"}],"nextCursor":"x"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}]}}"#,
            "\u{FEFF} [ {\"name\":\"a\"} ] ",
        ] {
            assert_eq!(definitions(json).unwrap().len(), 1, "{json}");
        }
        for json in ["", "[", "{}", "5", r#"{"tools":5}"#, r#"{"result":{}}"#] {
            assert!(definitions(json).is_err(), "{json}");
        }
    }
}
