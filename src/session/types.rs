//! What goes into a session and comes out of it.

use super::cap::Overflow;
use crate::engine::PlanOptions;
use crate::error::Error;
use crate::result::SearchResult;
use crate::tool::Tool;
use std::sync::Arc;

/// What a conversation begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionOptions {
    /// The model, its context window, and whether to defer, over the engine's own options.
    pub plan: PlanOptions,
    /// The tools this conversation may see: callable or raw names, or patterns. Others do not exist for it.
    pub allow: Option<Vec<String>>,
    /// Those that do not exist for it.
    pub deny: Vec<String>,
    /// Names activated in an earlier life of the conversation; those that no deferred tool has are dropped.
    pub activated: Vec<String>,
    /// The deferred tools it began with in that life, by name; `None` for those that [`Preload`](crate::Preload) chooses.
    pub preloaded: Option<Vec<String>>,
    /// The tools array it had, by name and in order, where a conversation that begins anew would have another.
    pub array: Vec<String>,
    /// What may leave for `overflow`, by name, the least recently used first, where that is not the order of activation.
    pub used: Vec<String>,
    /// The most tools of one request, the search tool included; default: as many as there are.
    pub max_tools: Option<usize>,
    /// What happens when there would be more.
    pub overflow: Overflow,
}

/// A search call as the model made it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchInput {
    /// The query, when there was one and it was text.
    pub query: Option<String>,
    /// What it wrote for the number of results, as far as it is a number.
    pub max_results: Option<f64>,
}

impl SearchInput {
    /// Reads whatever JSON the model wrote; never fails (rule F7).
    pub fn from_json(json: &str) -> Self {
        let value: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
        let number = |v: &serde_json::Value| v.as_f64().or_else(|| v.as_str().and_then(|s| s.trim().parse().ok()));
        Self {
            query: value.get("query").and_then(|q| q.as_str()).map(str::to_owned),
            max_results: value.get("max_results").and_then(number),
        }
    }
}

impl From<&str> for SearchInput {
    fn from(query: &str) -> Self {
        Self { query: Some(query.to_owned()), max_results: None }
    }
}

/// The answer to a search call.
#[derive(Debug, Clone)]
pub struct SearchReply {
    /// The tool result to send to the model.
    pub text: String,
    /// Callable names newly activated, callable on the next step.
    pub loaded: Vec<String>,
    /// Callable names found that were activated before.
    pub already_loaded: Vec<String>,
    /// Whether the tools array changed, and with it the cached prefix.
    pub changed: bool,
    /// The search itself; `None` when the input was unusable.
    pub result: Option<SearchResult>,
    /// Why the input was unusable; `text` then says how to correct it.
    pub error: Option<Error>,
}

/// What to do with a call the model made.
#[derive(Debug, Clone)]
pub enum CallResolution {
    /// Run it.
    Ready(Arc<Tool>),
    /// It is the search tool: answer with [`Session::handle`](crate::Session::handle).
    Search,
    /// It was known but not loaded; it has been activated, and the text answers the call.
    Activated(Arc<Tool>, String),
    /// Its server cannot answer now.
    Unavailable {
        /// The tool's callable name, or the name as called when the server never showed its tools.
        name: String,
        /// The server.
        server: String,
        /// The answer to the call.
        text: String,
    },
    /// Several tools share the name.
    Ambiguous {
        /// Their callable names.
        candidates: Vec<String>,
        /// The answer to the call.
        text: String,
    },
    /// No tool has it.
    Unknown {
        /// Close callable names.
        suggestions: Vec<String>,
        /// The answer to the call.
        text: String,
    },
}

/// An element of a tools array.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A tool of the catalog.
    Tool(Arc<Tool>),
    /// The search tool.
    Search,
}
