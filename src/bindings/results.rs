//! Results as JavaScript reads them.

use crate::Plan;
use crate::catalog::{CatalogDelta, Change};
use crate::result::{Confidence, QueryKind, SearchResult, Tier};
use crate::tool::Tool;
use serde::Serialize;
use std::sync::Arc;

#[derive(Serialize)]
pub(super) struct Delta<'a> {
    pub(super) added: &'a [String],
    pub(super) removed: &'a [String],
    pub(super) changed: &'a [String],
}

impl<'a> From<&'a CatalogDelta> for Delta<'a> {
    fn from(delta: &'a CatalogDelta) -> Self {
        Self { added: &delta.added, removed: &delta.removed, changed: &delta.changed }
    }
}

#[derive(Serialize)]
pub(super) struct Added<'a> {
    delta: Delta<'a>,
    /// What stands for each definition, in their order.
    ids: Vec<u32>,
    /// Of those, the ones that came in another shape than MCP's.
    converted: Vec<u32>,
    /// Ids that no longer stand for the definition they stood for.
    dropped: Vec<u32>,
}

impl<'a> Added<'a> {
    pub(super) fn new(change: &'a Change, converted: Vec<u32>) -> Self {
        let slots = |tools: &[Arc<Tool>]| tools.iter().map(|tool| tool.slot).collect();
        let Change { delta, tools, dropped, .. } = change;
        Self { delta: delta.into(), ids: slots(tools), converted, dropped: slots(dropped) }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Info<'a> {
    pub(super) name: &'a str,
    pub(super) raw_name: &'a str,
    pub(super) server: Option<&'a str>,
    pub(super) description: Option<String>,
}

/// Numbers first, because most answers are nothing else: kind, confidence, further matches, whether there is more to tell
/// than this, then id, score and tier of each match.
pub(super) fn hits(result: &SearchResult) -> Vec<f64> {
    let kind = match result.kind {
        QueryKind::Select => 0,
        QueryKind::Server => 1,
        QueryKind::Keywords => 2,
        QueryKind::Regex => 3,
    };
    let confidence = match result.confidence {
        Confidence::High => 0,
        Confidence::Low => 1,
        Confidence::None => 2,
    };
    let more_to_tell = !(result.missing.is_empty()
        && result.direct.is_empty()
        && result.ambiguous.is_empty()
        && result.suggestions.is_empty()
        && result.unavailable.is_empty()
        && result.matches.iter().all(|m| m.explain.is_none()));
    let mut all = vec![f64::from(kind), f64::from(confidence), result.more as f64, f64::from(u8::from(more_to_tell))];
    for found in &result.matches {
        let tier = match found.tier {
            Tier::Exact => 0,
            Tier::Alias => 1,
            Tier::Keywords => 2,
        };
        all.extend([f64::from(found.tool.slot), found.score, f64::from(tier)]);
    }
    all
}

#[derive(Serialize)]
pub(super) struct Details<'a> {
    pub(super) missing: &'a [String],
    pub(super) direct: &'a [String],
    pub(super) ambiguous: Vec<JsAmbiguous<'a>>,
    pub(super) suggestions: &'a [String],
    pub(super) unavailable: Vec<JsUnavailable<'a>>,
    /// For each match, when it was asked for.
    pub(super) explain: Vec<Option<Vec<JsExplain<'a>>>>,
}

#[derive(Serialize)]
pub(super) struct JsAmbiguous<'a> {
    pub(super) name: &'a str,
    pub(super) candidates: &'a [String],
}

#[derive(Serialize)]
pub(super) struct JsUnavailable<'a> {
    pub(super) server: &'a str,
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct JsExplain<'a> {
    pub(super) term: &'a str,
    pub(super) field: &'static str,
    pub(super) weight: f64,
}

pub(super) fn details(result: &SearchResult) -> Details<'_> {
    Details {
        missing: &result.missing,
        direct: &result.direct,
        ambiguous: result.ambiguous.iter().map(|a| JsAmbiguous { name: &a.name, candidates: &a.candidates }).collect(),
        suggestions: &result.suggestions,
        unavailable: result
            .unavailable
            .iter()
            .map(|u| JsUnavailable { server: &u.server, status: u.status.as_str(), reason: u.reason.as_deref() })
            .collect(),
        explain: result
            .matches
            .iter()
            .map(|m| {
                let all = m.explain.as_ref()?;
                Some(all.iter().map(|e| JsExplain { term: &e.term, field: e.field, weight: e.weight }).collect())
            })
            .collect(),
    }
}

#[derive(Serialize)]
pub(super) struct JsPlan {
    pub(super) deferring: bool,
    pub(super) reason: &'static str,
    pub(super) tokens: JsTokens,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JsTokens {
    pub(super) full: f64,
    pub(super) direct: f64,
    pub(super) deferrable: f64,
    pub(super) threshold: f64,
    pub(super) search_tool: f64,
    pub(super) listing: f64,
    pub(super) first_request: f64,
    pub(super) saved: f64,
}

impl From<&Plan> for JsPlan {
    fn from(plan: &Plan) -> Self {
        let t = plan.tokens;
        Self {
            deferring: plan.deferring,
            reason: plan.reason.as_str(),
            // As JavaScript's only numbers.
            tokens: JsTokens {
                full: t.full as f64,
                direct: t.direct as f64,
                deferrable: t.deferrable as f64,
                threshold: t.threshold as f64,
                search_tool: t.search_tool as f64,
                listing: t.listing as f64,
                first_request: t.first_request as f64,
                saved: t.saved as f64,
            },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reply<'a> {
    pub(super) text: &'a str,
    pub(super) loaded: &'a [String],
    pub(super) already_loaded: &'a [String],
    pub(super) changed: bool,
    pub(super) hits: Option<Vec<f64>>,
    pub(super) details: Option<Details<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<JsError<'a>>,
}

#[derive(Serialize)]
pub(super) struct JsError<'a> {
    pub(super) code: &'static str,
    pub(super) message: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "status", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub(super) enum Resolution<'a> {
    Ready {
        name: &'a str,
        raw_name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        server: Option<&'a str>,
    },
    Activated {
        name: &'a str,
        text: &'a str,
    },
    Unavailable {
        name: &'a str,
        server: &'a str,
        text: &'a str,
    },
    Ambiguous {
        candidates: &'a [String],
        text: &'a str,
    },
    Unknown {
        suggestions: &'a [String],
        text: &'a str,
    },
}
