//! Tool search: an agent with hundreds of tools sends a model only their names, and the definitions it asked for.
//!
//! A [`ToolSearch`] holds the catalog: tools of MCP servers and the agent's own, added from their JSON definitions. It
//! finds tools ([`ToolSearch::search`]), decides whether deferring them pays ([`ToolSearch::plan`]) and begins
//! conversations ([`ToolSearch::session`]). A [`Session`] writes the section of the system prompt that names the deferred
//! tools, answers the model's search calls, and composes the tools array of the next request, which only ever grows at
//! its end, so that a provider's prompt cache holds.
//!
//! ```
//! use tool_search::{AddOptions, Defer, Format, Options, SessionOptions, ToolSearch};
//!
//! let mut options = Options::default();
//! options.defer = Defer::Always;
//! let mut search = ToolSearch::new(options)?;
//! search.add_json(
//!     r#"{"tools":[{"name":"create_issue","description":"Create a new issue"},{"name":"list_issues","description":"List issues"}]}"#,
//!     &AddOptions::server("github"),
//! )?;
//!
//! let mut session = search.session(SessionOptions::default())?;
//! assert!(session.prompt().contains("mcp__github__create_issue"));
//! assert_eq!(session.names(&search), ["toolSearch"]);
//!
//! let reply = session.handle(&search, &"select:create_issue".into());
//! assert_eq!(reply.loaded, ["mcp__github__create_issue"]);
//! assert_eq!(session.names(&search), ["toolSearch", "mcp__github__create_issue"]);
//! assert_eq!(session.tools(&search, Format::Anthropic).len(), 2);
//! # Ok::<(), tool_search::Error>(())
//! ```
//!
//! One direction runs through the modules: `text` and `schema` know nothing of tools; `catalog` nothing of queries; `index`
//! nothing of ranking; `rank` and `search` nothing of sessions; wire formats are `compose`'s; `bindings` only translate for
//! JavaScript.

#![warn(missing_docs)]
#![forbid(unsafe_code)]
// What is written so is left out of the module of the npm package: scripts/lib/panics.mjs.
#![cfg_attr(not(test), warn(clippy::use_debug))]
// `once` is of one thread there.
#![cfg_attr(feature = "bindings", allow(clippy::arc_with_non_send_sync))]

mod batch;
mod catalog;
mod compose;
mod engine;
mod error;
mod index;
mod json;
mod listing;
mod meaning;
mod memory;
mod names;
mod once;
mod options;
mod order;
mod plan;
mod preload;
mod query;
mod rank;
mod regex;
mod reply;
mod result;
mod safe;
mod schema;
mod search;
mod session;
mod snapshot;
mod sorted;
mod spellings;
mod suggest;
mod text;
mod thesaurus;
mod tokens;
mod tool;
mod vocabulary;

#[cfg(feature = "bindings")]
mod bindings;

pub use catalog::{AddOptions, CatalogDelta, Limits, LoadRule, ServerStatus};
pub use compose::Format;
pub use engine::{PlanOptions, SearchOptions, ToolSearch};
pub use error::{Error, ErrorCode, Result};
pub use options::{
    CallableNames, Counter, Defer, ListedNames, ListingOptions, Options, Ranking, Threshold, TokenOptions, clamp_limit,
};
pub use plan::{Plan, PlanReason, PlanTokens};
pub use preload::{Preload, Uses};
pub use rank::Explain;
pub use result::{Ambiguous, Confidence, Match, QueryKind, SearchResult, Tier, Unavailable};
pub use session::{CallResolution, Entry, Overflow, SearchInput, SearchReply, Session, SessionOptions, SessionTokens};
pub use tokens::estimate_tokens;
pub use tool::{Load, Tool};
