//! Options as JavaScript writes them.

use super::Result;
use crate::catalog::{AddOptions, LoadRule, ServerStatus};
use crate::compose::Format;
use crate::error::{Error, ErrorCode};
use crate::options::{Counter, Defer, ListedNames, ListingOptions, Options, Ranking, Threshold, TokenOptions};
use crate::preload::{Preload, Uses};
use crate::session::{Overflow, SessionOptions};
use crate::tool::Load;
use crate::{Limits, PlanOptions, SearchOptions};
use js_sys::Function;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct JsOptions {
    pub(super) context_window: Option<u64>,
    pub(super) defer: Option<JsDefer>,
    pub(super) threshold: Option<JsThreshold>,
    pub(super) max_results: Option<usize>,
    pub(super) search_tool_name: Option<String>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub(super) count_tokens: JsValue,
    pub(super) tokens: Option<JsTokens>,
    pub(super) keywords: Option<BTreeMap<String, Vec<String>>>,
    pub(super) direct_models: Option<Vec<String>>,
    pub(super) ranking: Option<JsRanking>,
    pub(super) listing: Option<JsListing>,
    pub(super) limits: Option<JsLimits>,
    pub(super) preload: Option<JsPreload>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub(super) enum JsDefer {
    Auto,
    Always,
    Never,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum JsRanking {
    Bm25f,
    Additive,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct JsThreshold {
    pub(super) percent: Option<f64>,
    pub(super) tokens: Option<u64>,
    pub(super) count: Option<u64>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct JsTokens {
    pub(super) scale: Option<f64>,
    pub(super) per_tool: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct JsListing {
    pub(super) max_tokens: Option<u64>,
    pub(super) names: Option<JsNames>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum JsNames {
    Full,
    Short,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct JsLimits {
    pub(super) tools: Option<usize>,
    pub(super) definition_bytes: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct JsPreload {
    /// By callable name: how often it was loaded, and called.
    pub(super) usage: BTreeMap<String, (u64, u64)>,
    pub(super) max_tokens: u64,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub(super) enum JsOverflow {
    Error,
    Evict,
}

impl From<JsPreload> for Preload {
    fn from(preload: JsPreload) -> Self {
        let uses = |(name, (loaded, called))| (name, Uses { loaded, called });
        Self { usage: preload.usage.into_iter().map(uses).collect(), max_tokens: preload.max_tokens }
    }
}

impl From<JsDefer> for Defer {
    fn from(defer: JsDefer) -> Self {
        match defer {
            JsDefer::Auto => Self::Auto,
            JsDefer::Always => Self::Always,
            JsDefer::Never => Self::Never,
        }
    }
}

impl JsOptions {
    pub(super) fn options(self) -> Result<Options> {
        let defaults = Options::default();
        let threshold = match self.threshold {
            None => defaults.threshold,
            Some(JsThreshold { percent: Some(percent), tokens: None, count: None }) => Threshold::Percent(percent),
            Some(JsThreshold { percent: None, tokens: Some(tokens), count: None }) => Threshold::Tokens(tokens),
            Some(JsThreshold { percent: None, tokens: None, count: Some(count) }) => Threshold::Count(count),
            Some(_) => {
                let message = "`threshold` is one of { percent }, { tokens } and { count }";
                return Err(Error::new(ErrorCode::InvalidOption, message).into());
            }
        };
        let listing = self.listing.unwrap_or_default();
        let limits = self.limits.unwrap_or_default();
        let tokens = self.tokens.unwrap_or_default();
        Ok(Options {
            preload: self.preload.map(Into::into),
            context_window: self.context_window.unwrap_or(defaults.context_window),
            defer: self.defer.map_or(defaults.defer, Into::into),
            threshold,
            max_results: self.max_results.unwrap_or(defaults.max_results),
            search_tool_name: self.search_tool_name.unwrap_or(defaults.search_tool_name),
            count_tokens: self.count_tokens.dyn_into::<Function>().ok().map(counter),
            tokens: TokenOptions {
                scale: tokens.scale.unwrap_or(defaults.tokens.scale),
                per_tool: tokens.per_tool.unwrap_or(defaults.tokens.per_tool),
            },
            keywords: self.keywords.unwrap_or_default(),
            direct_models: self.direct_models.unwrap_or_default(),
            ranking: match self.ranking {
                Some(JsRanking::Additive) => Ranking::Additive,
                Some(JsRanking::Bm25f) | None => Ranking::Bm25f,
            },
            listing: ListingOptions {
                max_tokens: listing.max_tokens,
                names: match listing.names {
                    Some(JsNames::Short) => ListedNames::Short,
                    Some(JsNames::Full) | None => ListedNames::Full,
                },
            },
            limits: Limits {
                tools: limits.tools.unwrap_or(defaults.limits.tools),
                definition_bytes: limits.definition_bytes.unwrap_or(defaults.limits.definition_bytes),
            },
        })
    }
}

/// A JavaScript counter. What it throws, and what is no count, is an error of the option.
pub(super) fn counter(function: Function) -> Counter {
    Arc::new(move |text| {
        let bad = |what: &str| Error::new(ErrorCode::InvalidOption, format!("`countTokens` {what}"));
        let counted = function.call1(&JsValue::UNDEFINED, &text.into()).map_err(|_| bad("threw an exception"))?;
        let count = counted.as_f64().filter(|n| n.is_finite() && *n >= 0.0);
        count.map(|n| n.round() as u32).ok_or_else(|| bad("returned something that is no number of tokens"))
    })
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct JsAdd {
    pub(super) server: Option<String>,
    pub(super) instructions: Option<String>,
    pub(super) load: Option<JsLoad>,
    pub(super) prefix: Option<bool>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum JsLoad {
    All(JsLoadAll),
    Direct { direct: Vec<String> },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum JsLoadAll {
    Direct,
    Deferred,
}

impl From<JsAdd> for AddOptions {
    fn from(add: JsAdd) -> Self {
        Self {
            server: add.server,
            instructions: add.instructions,
            load: match add.load {
                None | Some(JsLoad::All(JsLoadAll::Deferred)) => LoadRule::All(Load::Deferred),
                Some(JsLoad::All(JsLoadAll::Direct)) => LoadRule::All(Load::Direct),
                Some(JsLoad::Direct { direct }) => LoadRule::Direct(direct),
            },
            prefix: add.prefix.unwrap_or(true),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct JsSearch {
    pub(super) limit: Option<f64>,
    pub(super) offset: Option<f64>,
    pub(super) allow: Option<Vec<String>>,
    pub(super) deny: Option<Vec<String>>,
    pub(super) server: Option<String>,
    pub(super) loaded: Option<Vec<String>>,
    pub(super) mode: Option<JsMode>,
    pub(super) explain: Option<bool>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum JsMode {
    Auto,
    Regex,
}

impl From<JsSearch> for SearchOptions {
    fn from(search: JsSearch) -> Self {
        Self {
            limit: search.limit,
            // Saturating: negative and NaN are 0.
            offset: search.offset.unwrap_or(0.0) as usize,
            allow: search.allow,
            deny: search.deny.unwrap_or_default(),
            server: search.server,
            loaded: search.loaded.unwrap_or_default(),
            regex: search.mode == Some(JsMode::Regex),
            explain: search.explain.unwrap_or(false),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct JsSession {
    pub(super) model: Option<String>,
    pub(super) context_window: Option<u64>,
    pub(super) defer: Option<JsDefer>,
    pub(super) allow: Option<Vec<String>>,
    pub(super) deny: Option<Vec<String>>,
    pub(super) activated: Option<Vec<String>>,
    pub(super) preloaded: Option<Vec<String>>,
    pub(super) max_tools: Option<usize>,
    pub(super) overflow: Option<JsOverflow>,
}

impl JsSession {
    pub(super) fn plan(&self) -> PlanOptions {
        PlanOptions {
            model: self.model.clone(),
            context_window: self.context_window,
            defer: self.defer.map(Into::into),
        }
    }
}

impl From<JsSession> for SessionOptions {
    fn from(session: JsSession) -> Self {
        Self {
            plan: session.plan(),
            allow: session.allow,
            deny: session.deny.unwrap_or_default(),
            activated: session.activated.unwrap_or_default(),
            preloaded: session.preloaded,
            max_tools: session.max_tools,
            overflow: match session.overflow {
                Some(JsOverflow::Evict) => Overflow::Evict,
                Some(JsOverflow::Error) | None => Overflow::Error,
            },
        }
    }
}

pub(super) fn status(text: &str) -> Result<ServerStatus> {
    [ServerStatus::Ready, ServerStatus::Pending, ServerStatus::Failed, ServerStatus::Disconnected]
        .into_iter()
        .find(|s| s.as_str() == text)
        .ok_or_else(|| {
            Error::new(ErrorCode::InvalidOption, "a status is ready, pending, failed or disconnected").into()
        })
}

pub(super) fn format(text: &str) -> Result<Format> {
    match text {
        "mcp" => Ok(Format::Mcp),
        "openai-chat" => Ok(Format::OpenaiChat),
        "openai-responses" => Ok(Format::OpenaiResponses),
        "anthropic" => Ok(Format::Anthropic),
        "gemini" => Ok(Format::Gemini),
        _ => {
            let message = "a format is mcp, openai-chat, openai-responses, anthropic or gemini";
            Err(Error::new(ErrorCode::InvalidOption, message).into())
        }
    }
}
