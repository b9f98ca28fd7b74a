//! The options of an engine, and what they default to.

use crate::catalog::Limits;
use crate::error::{Error, ErrorCode, Result};
use crate::preload::Preload;
use std::sync::Arc;

/// Whether definitions are deferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Defer {
    /// When they reach the threshold.
    #[default]
    Auto,
    /// Whenever there is something to defer.
    Always,
    /// Never.
    Never,
}

/// Where [`Defer::Auto`] begins to defer; what equals the threshold is deferred (rule D1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Threshold {
    /// Per cent of the context window's tokens. The default, with 10.
    Percent(f64),
    /// Tokens of the deferrable definitions.
    Tokens(u64),
    /// Deferrable tools.
    Count(u64),
}

/// How keyword queries are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// BM25F over stems with a bonus for exact forms.
    #[default]
    Bm25f,
    /// The plain additive keyword scorer.
    Additive,
}

/// What tools are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CallableNames {
    /// As MCP allows (rule A1).
    #[default]
    Mcp,
    /// As every provider takes them, `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`: what is longer or has other characters gets an alias with
    /// a hash, and is still found by its full name.
    Portable,
}

/// How the deferred section writes names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ListedNames {
    /// Callable names.
    #[default]
    Full,
    /// The prefix that a server's names share is said once.
    Short,
}

/// The deferred section of the system prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListingOptions {
    /// Its budget in tokens. Default: 5% of the context window, at most 8,000.
    pub max_tokens: Option<u64>,
    /// Default: full names.
    pub names: ListedNames,
}

/// How a provider bills what is sent, against the estimate (rule G1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenOptions {
    /// What the built-in estimate is multiplied by; 1.1 for a tokenizer that makes 10% more of the same text. An exact
    /// counter's numbers stay as they are. Above 0, at most 100; default 1.
    pub scale: f64,
    /// Tokens that each tool costs beside its definition, the search tool too; at most 100,000, default 0.
    pub per_tool: u32,
}

impl Default for TokenOptions {
    fn default() -> Self {
        Self { scale: 1.0, per_tool: 0 }
    }
}

impl TokenOptions {
    /// The tokens of an estimate.
    pub(crate) fn scaled(self, estimate: u32) -> u32 {
        (f64::from(estimate) * self.scale).round() as u32
    }
}

/// Counts the tokens of a text exactly.
#[cfg(not(feature = "bindings"))]
pub type Counter = Arc<dyn Fn(&str) -> Result<u32> + Send + Sync>;
/// Counts the tokens of a text exactly. A JavaScript function stays on its thread.
#[cfg(feature = "bindings")]
pub type Counter = Arc<dyn Fn(&str) -> Result<u32>>;

/// The options of a [`ToolSearch`](crate::ToolSearch).
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// Tokens of the model's context window. Default 200,000.
    pub context_window: u64,
    /// Default [`Defer::Auto`].
    pub defer: Defer,
    /// Default 10 per cent.
    pub threshold: Threshold,
    /// Matches that a keyword search loads when the model names no number: 1 to 50, default 5.
    pub max_results: usize,
    /// The search tool's name, default `toolSearch`.
    pub search_tool_name: String,
    /// An exact token counter; without one, [`estimate_tokens`](crate::estimate_tokens).
    pub count_tokens: Option<Counter>,
    /// How the provider bills, against that.
    pub tokens: TokenOptions,
    /// Further words to find tools by, for callable names, raw names or patterns, each once. Matched, never shown.
    pub keywords: Vec<(String, Vec<String>)>,
    /// Patterns of model ids (`provider:model` or the bare id) that get every tool directly. Default none.
    pub direct_models: Vec<String>,
    /// Default [`Ranking::Bm25f`].
    pub ranking: Ranking,
    /// Whether rankings also know what words mean; needs the feature `meaning`. Default no.
    pub meaning: bool,
    /// The deferred section.
    pub listing: ListingOptions,
    /// Default: as MCP allows.
    pub callable_names: CallableNames,
    /// How much the catalog takes.
    pub limits: Limits,
    /// Deferred tools that conversations begin with; default none.
    pub preload: Option<Preload>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            context_window: 200_000,
            defer: Defer::default(),
            threshold: Threshold::Percent(10.0),
            max_results: 5,
            search_tool_name: "toolSearch".to_owned(),
            count_tokens: None,
            tokens: TokenOptions::default(),
            keywords: Vec::new(),
            direct_models: Vec::new(),
            ranking: Ranking::default(),
            meaning: false,
            listing: ListingOptions::default(),
            callable_names: CallableNames::default(),
            limits: Limits::default(),
            preload: None,
        }
    }
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("search_tool_name", &self.search_tool_name).finish_non_exhaustive()
    }
}

/// The most matches that one search gives (rule C10).
pub(crate) const MAX_RESULTS: usize = 50;

impl Options {
    pub(crate) fn check(&self) -> Result<()> {
        let bad = |what: String| Err(Error::new(ErrorCode::InvalidOption, what));
        if self.context_window == 0 {
            return bad("`contextWindow` must be a positive number of tokens".to_owned());
        }
        if !(1..=MAX_RESULTS).contains(&self.max_results) {
            return bad(format!("`maxResults` must be within 1 and {MAX_RESULTS}, not {}", self.max_results));
        }
        if let Threshold::Percent(percent) = self.threshold
            && !(0.0..=100.0).contains(&percent)
        {
            return bad("`threshold.percent` must be within 0 and 100".to_owned());
        }
        // Written so that what is no number is refused too.
        if !(self.tokens.scale > 0.0 && self.tokens.scale <= 100.0) {
            return bad("`tokens.scale` must be above 0 and at most 100".to_owned());
        }
        if self.tokens.per_tool > 100_000 {
            return bad(format!("`tokens.perTool` must be within 0 and 100000, not {}", self.tokens.per_tool));
        }
        if self.meaning && cfg!(not(feature = "meaning")) {
            return bad("`meaning` needs the word vectors, which are not in here".to_owned());
        }
        let name = &self.search_tool_name;
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        if name.is_empty() || name.len() > 64 || !name.bytes().all(fits) {
            return bad(
                "`searchToolName` must be 1 to 64 letters, digits, `_` or `-`: all that providers allow".to_owned()
            );
        }
        Ok(())
    }
}

/// The number of matches for what a model or a caller wrote: clamped, never refused (rule C10).
///
/// ```
/// assert_eq!(tool_search::clamp_limit(Some(2.9), 5), 2);
/// assert_eq!(tool_search::clamp_limit(Some(-1.0), 5), 1);
/// assert_eq!(tool_search::clamp_limit(Some(1e9), 5), 50);
/// assert_eq!(tool_search::clamp_limit(Some(f64::NAN), 5), 5);
/// assert_eq!(tool_search::clamp_limit(None, 5), 5);
/// ```
pub fn clamp_limit(asked: Option<f64>, default: usize) -> usize {
    match asked {
        Some(n) if !n.is_nan() => n.clamp(1.0, MAX_RESULTS as f64) as usize,
        _ => default.clamp(1, MAX_RESULTS),
    }
}
