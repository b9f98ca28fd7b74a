//! Whether to defer, and what each choice costs (rules D1 to D4, G3).

use crate::engine::ToolSearch;
use crate::error::Result;
use crate::names::Filter;
use crate::options::{Defer, Threshold, TokenOptions};
use crate::order::Totals;
use crate::sorted::Identities;
use crate::tool::Tool;
use std::sync::Arc;

/// Why a plan is what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanReason {
    /// `defer` says so.
    Always,
    /// `defer` says so.
    Never,
    /// The deferrable definitions reach the threshold.
    AboveThreshold,
    /// They do not.
    BelowThreshold,
    /// The model is one of `direct_models`.
    DirectModel,
    /// No tool is deferred.
    NothingToDefer,
}

impl PlanReason {
    /// The reason as text, in the spelling of the public contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
            Self::AboveThreshold => "above-threshold",
            Self::BelowThreshold => "below-threshold",
            Self::DirectModel => "direct-model",
            Self::NothingToDefer => "nothing-to-defer",
        }
    }
}

/// Tokens of what a request carries for tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlanTokens {
    /// Every definition in full: `direct` + `deferrable`.
    pub full: u64,
    /// The definitions that every request carries, preloaded ones included.
    pub direct: u64,
    /// The definitions that are, or would be, deferred. The decision counts preloaded ones here too.
    pub deferrable: u64,
    /// Where deferral begins. With [`Threshold::Count`] this is that number of tools.
    pub threshold: u64,
    /// The search tool's definition.
    pub search_tool: u64,
    /// The deferred section of the system prompt.
    pub listing: u64,
    /// What the first request of a session carries: `direct` + `search_tool` + `listing` when deferring, else `full`.
    pub first_request: u64,
    /// `full` - `first_request`; negative when deferral costs more than it saves.
    pub saved: i64,
}

/// A decision, taken when a session begins and held for its life (rule D3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Whether definitions are deferred.
    pub deferring: bool,
    /// Why.
    pub reason: PlanReason,
    /// What each choice costs.
    pub tokens: PlanTokens,
}

/// What a decision is about.
pub(crate) struct Question<'a> {
    pub filter: &'a Filter,
    /// Deferred tools that are sent whole: as the direct ones, when anything is deferred.
    pub preloaded: &'a Identities,
    pub model: Option<&'a str>,
    pub context_window: u64,
    pub defer: Defer,
    /// The deferred section as it would be.
    pub section: &'a str,
    /// The search tool's definition as it is sent.
    pub search_tool: &'a str,
}

impl Plan {
    pub(crate) fn decide(engine: &ToolSearch, question: &Question<'_>) -> Result<Self> {
        let totals = totals(engine, question.filter)?;
        // What is preloaded counts for the decision, or a few tools more would make all of them direct.
        let Totals { mut direct, mut deferrable, deferrable_tools } = totals;
        let left = deferrable_tools - question.preloaded.len();
        let (measure, threshold) = match engine.options.threshold {
            Threshold::Percent(percent) => {
                (deferrable, (question.context_window as f64 * percent / 100.0).floor() as u64)
            }
            Threshold::Tokens(tokens) => (deferrable, tokens),
            Threshold::Count(count) => (deferrable_tools as u64, count),
        };
        let reason = match question.defer {
            Defer::Never => PlanReason::Never,
            _ if question.model.is_some_and(|m| engine.is_direct_model(m)) => PlanReason::DirectModel,
            // A server that is still connecting may bring what there is to defer; only "always" may count on it.
            Defer::Always if left > 0 || engine.awaits_servers(question.filter) => PlanReason::Always,
            _ if left == 0 => PlanReason::NothingToDefer,
            _ if measure >= threshold => PlanReason::AboveThreshold,
            _ => PlanReason::BelowThreshold,
        };
        let deferring = matches!(reason, PlanReason::Always | PlanReason::AboveThreshold);
        if deferring {
            let preloaded = |tool: &&Arc<Tool>| question.preloaded.contains(tool.identity);
            for tool in engine.catalog.order().tools.iter().filter(preloaded) {
                let tokens = u64::from(engine.tokens_of(tool)?);
                (direct, deferrable) = (direct + tokens, deferrable - tokens);
            }
        }
        let search_tool = u64::from(engine.count(question.search_tool)?) + u64::from(engine.options.tokens.per_tool);
        let listing = u64::from(engine.count(question.section)?);
        let full = totals.full();
        let first_request = if deferring { direct + search_tool + listing } else { full };
        let saved = full as i64 - first_request as i64;
        let tokens = PlanTokens { full, direct, deferrable, threshold, search_tool, listing, first_request, saved };
        Ok(Self { deferring, reason, tokens })
    }
}

pub(crate) fn totals(engine: &ToolSearch, filter: &Filter) -> Result<Totals> {
    let order = engine.catalog.order();
    let plain = engine.options.count_tokens.is_none() && engine.options.tokens == TokenOptions::default();
    if filter.is_open() && plain {
        return Ok(order.totals());
    }
    let mut totals = Totals::default();
    for tool in order.tools.iter().filter(|tool| filter.sees(tool)) {
        totals.count(tool, engine.tokens_of(tool)?);
    }
    Ok(totals)
}
