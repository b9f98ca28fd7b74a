//! What a search gives.

use crate::catalog::ServerStatus;
use crate::rank::Explain;
use crate::tool::Tool;
use std::sync::Arc;

/// How a query was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    /// Names of tools: `select:`, or nothing but names.
    Select,
    /// A server, or the beginning of callable names.
    Server,
    /// Words.
    Keywords,
    /// A pattern.
    Regex,
}

/// How a match was found. Exact comes before alias, alias before the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// By its callable name.
    Exact,
    /// By its raw name, or a name without case and separators.
    Alias,
    /// By the query's words.
    Keywords,
    /// By no word at all: by what the words mean.
    Meaning,
}

/// How sure an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    /// There are matches.
    High,
    /// There are matches, but the query's rarest word is unknown to the catalog.
    Low,
    /// There is no match.
    None,
}

/// A tool that a search found.
#[derive(Debug, Clone)]
pub struct Match {
    /// The tool.
    pub tool: Arc<Tool>,
    /// Finite and at least 0; comparable within one answer only. 0 where nothing was ranked.
    pub score: f64,
    /// How it was found.
    pub tier: Tier,
    /// The addends of the score, when they were asked for.
    pub explain: Option<Vec<Explain>>,
}

/// A short name that several tools share; none of them is guessed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ambiguous {
    /// As it was asked for.
    pub name: String,
    /// The callable names it may mean, in catalog order; the first 50.
    pub candidates: Vec<String>,
}

/// A server that cannot answer calls now and whose tools could have matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable {
    /// The server.
    pub server: String,
    /// How it is doing.
    pub status: ServerStatus,
    /// Why, when somebody said so.
    pub reason: Option<String>,
}

/// The answer to a query.
#[derive(Debug, Clone)]
pub struct SearchResult {
    /// The query as given.
    pub query: String,
    /// How it was understood.
    pub kind: QueryKind,
    /// Best first; those not yet loaded before those that are (rule C8).
    pub matches: Vec<Match>,
    /// Names asked for that no tool has.
    pub missing: Vec<String>,
    /// Callable names of tools asked for that are direct: already callable.
    pub direct: Vec<String>,
    /// Names asked for that several tools share.
    pub ambiguous: Vec<Ambiguous>,
    /// Close callable names, when something is missing or nothing matched.
    pub suggestions: Vec<String>,
    /// Callable names of loaded tools that the query names and the limit has no room for.
    pub passed_over: Vec<String>,
    /// How sure the answer is.
    pub confidence: Confidence,
    /// All matches, shown or not.
    pub total: usize,
    /// Further matches beyond the limit.
    pub more: usize,
    /// The servers that those are of, the one with most of them first; known to a session's searches only.
    pub more_servers: Vec<String>,
    /// Servers that are not ready and whose tools could have matched.
    pub unavailable: Vec<Unavailable>,
    /// Words of the query that no tool has, as written.
    pub unknown: Vec<String>,
}

impl SearchResult {
    /// Becomes an answer without anything in it.
    pub(crate) fn begin(&mut self, query: &str, kind: QueryKind) {
        // What every answer has is made in the room of the last one.
        let (mut own, mut matches) = (std::mem::take(&mut self.query), std::mem::take(&mut self.matches));
        own.clear();
        own.push_str(query);
        matches.clear();
        *self = Self { query: own, kind, matches, ..Self::default() };
    }
}

impl Default for SearchResult {
    fn default() -> Self {
        Self {
            query: String::new(),
            kind: QueryKind::Keywords,
            matches: Vec::new(),
            missing: Vec::new(),
            direct: Vec::new(),
            ambiguous: Vec::new(),
            suggestions: Vec::new(),
            passed_over: Vec::new(),
            confidence: Confidence::None,
            total: 0,
            more: 0,
            more_servers: Vec::new(),
            unavailable: Vec::new(),
            unknown: Vec::new(),
        }
    }
}
