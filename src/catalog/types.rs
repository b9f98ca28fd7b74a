//! What a catalog is given, and what it tells of its changes.

use crate::tool::Load;

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
