//! What JavaScript calls. Translates, and decides nothing.
//!
//! Tools come in as JSON lines that JavaScript encodes straight into this module's memory ([`Engine::reserve`]); hits go
//! out as numbers, options and everything else as objects. JavaScript keeps its own objects by the ids of definitions.

use crate::catalog::{self, AddOptions, CatalogDelta, LoadRule, ServerStatus};
use crate::compose::{self, Format};
use crate::error::{Error, ErrorCode};
use crate::options::{Counter, Defer, ListedNames, ListingOptions, Options, Ranking, Threshold};
use crate::result::{Confidence, QueryKind, SearchResult, Tier};
use crate::session::{CallResolution, Entry, SearchInput, Session, SessionOptions};
use crate::tokens::estimate_tokens;
use crate::tool::{Load, Parsed, estimate};
use crate::{Limits, Plan, PlanOptions, SearchOptions, ToolSearch};
use js_sys::{Function, Reflect};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

type Result<T> = std::result::Result<T, JsValue>;

/// The id of the search tool among those of definitions.
const SEARCH_TOOL: u32 = u32::MAX;

/// A panic becomes a JavaScript exception that names the bug; the caller then uses the module no more.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&format!("tool-search: {info}"))));
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        let js = js_sys::Error::new(error.message());
        js.set_name("ToolSearchError");
        // Setting a property of a new object does not fail.
        let _ = Reflect::set(&js, &"code".into(), &error.code().as_str().into());
        js.into()
    }
}

fn read<T: DeserializeOwned + Default>(value: JsValue) -> Result<T> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    serde_wasm_bindgen::from_value(value)
        .map_err(|e| Error::new(ErrorCode::InvalidOption, format!("unusable options: {e}")).into())
}

fn write<T: Serialize>(value: &T) -> Result<JsValue> {
    value.serialize(&serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true)).map_err(JsValue::from)
}

// ------------------------------------------------------------------------------------------------------------- options

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct JsOptions {
    context_window: Option<u64>,
    defer: Option<JsDefer>,
    threshold: Option<JsThreshold>,
    max_results: Option<usize>,
    search_tool_name: Option<String>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    count_tokens: JsValue,
    keywords: Option<BTreeMap<String, Vec<String>>>,
    direct_models: Option<Vec<String>>,
    ranking: Option<JsRanking>,
    listing: Option<JsListing>,
    limits: Option<JsLimits>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum JsDefer {
    Auto,
    Always,
    Never,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsRanking {
    Bm25f,
    Additive,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct JsThreshold {
    percent: Option<f64>,
    tokens: Option<u64>,
    count: Option<u64>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct JsListing {
    max_tokens: Option<u64>,
    names: Option<JsNames>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsNames {
    Full,
    Short,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct JsLimits {
    tools: Option<usize>,
    definition_bytes: Option<usize>,
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
    fn options(self) -> Result<Options> {
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
        Ok(Options {
            context_window: self.context_window.unwrap_or(defaults.context_window),
            defer: self.defer.map_or(defaults.defer, Into::into),
            threshold,
            max_results: self.max_results.unwrap_or(defaults.max_results),
            search_tool_name: self.search_tool_name.unwrap_or(defaults.search_tool_name),
            count_tokens: self.count_tokens.dyn_into::<Function>().ok().map(counter),
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
fn counter(function: Function) -> Counter {
    Arc::new(move |text| {
        let bad = |what: &str| Error::new(ErrorCode::InvalidOption, format!("`countTokens` {what}"));
        let counted = function.call1(&JsValue::UNDEFINED, &text.into()).map_err(|_| bad("threw an exception"))?;
        let count = counted.as_f64().filter(|n| n.is_finite() && *n >= 0.0);
        count.map(|n| n.round() as u32).ok_or_else(|| bad("returned something that is no number of tokens"))
    })
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct JsAdd {
    server: Option<String>,
    instructions: Option<String>,
    load: Option<JsLoad>,
    prefix: Option<bool>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum JsLoad {
    All(JsLoadAll),
    Direct { direct: Vec<String> },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsLoadAll {
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
struct JsSearch {
    limit: Option<f64>,
    offset: Option<f64>,
    allow: Option<Vec<String>>,
    deny: Option<Vec<String>>,
    server: Option<String>,
    loaded: Option<Vec<String>>,
    mode: Option<JsMode>,
    explain: Option<bool>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum JsMode {
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
struct JsSession {
    model: Option<String>,
    context_window: Option<u64>,
    defer: Option<JsDefer>,
    allow: Option<Vec<String>>,
    deny: Option<Vec<String>>,
    activated: Option<Vec<String>>,
}

impl JsSession {
    fn plan(&self) -> PlanOptions {
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
        }
    }
}

fn status(text: &str) -> Result<ServerStatus> {
    [ServerStatus::Ready, ServerStatus::Pending, ServerStatus::Failed, ServerStatus::Disconnected]
        .into_iter()
        .find(|s| s.as_str() == text)
        .ok_or_else(|| {
            Error::new(ErrorCode::InvalidOption, "a status is ready, pending, failed or disconnected").into()
        })
}

fn format(text: &str) -> Result<Format> {
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

// ------------------------------------------------------------------------------------------------------------- results

#[derive(Serialize)]
struct Delta<'a> {
    added: &'a [String],
    removed: &'a [String],
    changed: &'a [String],
}

impl<'a> From<&'a CatalogDelta> for Delta<'a> {
    fn from(delta: &'a CatalogDelta) -> Self {
        Self { added: &delta.added, removed: &delta.removed, changed: &delta.changed }
    }
}

#[derive(Serialize)]
struct Added<'a> {
    delta: Delta<'a>,
    /// What stands for each definition, in their order.
    ids: Vec<u32>,
    /// Of those, the ones that came in another shape than MCP's.
    converted: Vec<u32>,
    dropped: &'a [u32],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Info<'a> {
    name: &'a str,
    raw_name: &'a str,
    server: Option<&'a str>,
    description: Option<String>,
}

/// Numbers first, because most answers are nothing else: kind, confidence, further matches, whether there is more to tell
/// than this, then id, score and tier of each match.
fn hits(result: &SearchResult) -> Vec<f64> {
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
        all.extend([f64::from(found.tool.id), found.score, f64::from(tier)]);
    }
    all
}

#[derive(Serialize)]
struct Details<'a> {
    missing: &'a [String],
    direct: &'a [String],
    ambiguous: Vec<JsAmbiguous<'a>>,
    suggestions: &'a [String],
    unavailable: Vec<JsUnavailable<'a>>,
    /// For each match, when it was asked for.
    explain: Vec<Option<Vec<JsExplain<'a>>>>,
}

#[derive(Serialize)]
struct JsAmbiguous<'a> {
    name: &'a str,
    candidates: &'a [String],
}

#[derive(Serialize)]
struct JsUnavailable<'a> {
    server: &'a str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct JsExplain<'a> {
    term: &'a str,
    field: &'static str,
    weight: f64,
}

fn details(result: &SearchResult) -> Details<'_> {
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
struct JsPlan {
    deferring: bool,
    reason: &'static str,
    tokens: JsTokens,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsTokens {
    full: f64,
    direct: f64,
    deferrable: f64,
    threshold: f64,
    search_tool: f64,
    listing: f64,
    first_request: f64,
    saved: f64,
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
struct Reply<'a> {
    text: &'a str,
    loaded: &'a [String],
    already_loaded: &'a [String],
    changed: bool,
    hits: Option<Vec<f64>>,
    details: Option<Details<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<JsError<'a>>,
}

#[derive(Serialize)]
struct JsError<'a> {
    code: &'static str,
    message: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "status", rename_all = "lowercase", rename_all_fields = "camelCase")]
enum Resolution<'a> {
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

// -------------------------------------------------------------------------------------------------------------- engine

/// A catalog with everything that is asked of it.
#[wasm_bindgen]
pub struct Engine {
    inner: ToolSearch,
    /// Where JavaScript writes bytes for the next call.
    inbox: Vec<u8>,
    staged: Vec<Parsed>,
    /// The last answer, until the next, for the part of it that is no number.
    last: Option<SearchResult>,
}

#[wasm_bindgen]
impl Engine {
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Engine> {
        let options = read::<JsOptions>(options)?.options()?;
        Ok(Self { inner: ToolSearch::new(options)?, inbox: Vec::new(), staged: Vec::new(), last: None })
    }

    pub fn restore(bytes: &[u8], options: JsValue) -> Result<Engine> {
        let options = read::<JsOptions>(options)?.options()?;
        Ok(Self { inner: ToolSearch::restore(bytes, options)?, inbox: Vec::new(), staged: Vec::new(), last: None })
    }

    /// Forgets what an addition that was broken off left.
    pub fn begin(&mut self) {
        self.staged = Vec::new();
    }

    /// Room for `bytes` bytes in this module's memory, valid until the next call.
    pub fn reserve(&mut self, bytes: usize) -> *mut u8 {
        self.inbox.clear();
        self.inbox.resize(bytes, 0);
        self.inbox.as_mut_ptr()
    }

    /// Reads the reserved bytes as definitions, one JSON text a line.
    pub fn stage(&mut self, bytes: usize) -> Result<()> {
        let inbox = std::mem::take(&mut self.inbox);
        let max = self.inner.options.limits.definition_bytes;
        for line in inbox[..bytes].split(|b| *b == b'\n') {
            let parsed = Parsed::read(&String::from_utf8_lossy(line), self.staged.len(), max)?;
            self.staged.push(parsed);
        }
        // The next chunk is of the same size, more or less.
        self.inbox = inbox;
        Ok(())
    }

    /// Reads the reserved bytes as a `tools/list` result or an array.
    #[wasm_bindgen(js_name = stageJson)]
    pub fn stage_json(&mut self, bytes: usize) -> Result<()> {
        let inbox = std::mem::take(&mut self.inbox);
        let text = String::from_utf8_lossy(&inbox[..bytes]);
        let max = self.inner.options.limits.definition_bytes;
        for definition in catalog::definitions(&text)? {
            let parsed = Parsed::read(definition.get(), self.staged.len(), max)?;
            self.staged.push(parsed);
        }
        Ok(())
    }

    /// Adds what was staged.
    pub fn commit(&mut self, options: JsValue) -> Result<JsValue> {
        self.inbox = Vec::new();
        let staged = std::mem::take(&mut self.staged);
        let converted: Vec<bool> = staged.iter().map(|p| p.converted).collect();
        let addition = self.inner.add_parsed(staged, &read::<JsAdd>(options)?.into())?;
        let ids: Vec<u32> = addition.tools.iter().map(|t| t.id).collect();
        let converted = ids.iter().zip(converted).filter(|(_, c)| *c).map(|(id, _)| *id).collect();
        write(&Added { delta: (&addition.delta).into(), ids, converted, dropped: &addition.dropped })
    }

    #[wasm_bindgen(js_name = removeServer)]
    pub fn remove_server(&mut self, server: &str) -> Result<JsValue> {
        let removed = self.inner.catalog.remove_server(server);
        let dropped: Vec<u32> = removed.iter().map(|t| t.id).collect();
        let removed = removed.iter().map(|t| t.name().to_owned()).collect();
        let delta = CatalogDelta { removed, ..CatalogDelta::default() };
        write(&Added { delta: (&delta).into(), ids: Vec::new(), converted: Vec::new(), dropped: &dropped })
    }

    #[wasm_bindgen(js_name = setServerStatus)]
    pub fn set_server_status(&mut self, server: &str, text: &str, reason: Option<String>) -> Result<()> {
        Ok(self.inner.set_server_status(server, status(text)?, reason.as_deref())?)
    }

    pub fn size(&self) -> usize {
        self.inner.len()
    }

    pub fn names(&self) -> Vec<String> {
        self.inner.tools().map(|t| t.name().to_owned()).collect()
    }

    /// The id that stands for a callable name's definition.
    #[wasm_bindgen(js_name = idOf)]
    pub fn id_of(&self, name: &str) -> Option<u32> {
        self.inner.get(name).map(|t| t.id)
    }

    pub fn info(&self, id: u32) -> Result<JsValue> {
        let Some(tool) = self.inner.catalog.by_id(id) else { return Ok(JsValue::UNDEFINED) };
        let description = tool.description().map(|d| d.into_owned());
        write(&Info { name: tool.name(), raw_name: tool.raw_name(), server: tool.server(), description })
    }

    /// The definition as it was added, in the shape of MCP.
    pub fn definition(&self, id: u32) -> Option<String> {
        self.inner.catalog.by_id(id).map(|t| t.definition().to_owned())
    }

    /// The definition, or the search tool's, as a provider takes it.
    pub fn compose(&self, id: u32, text: &str) -> Result<Option<String>> {
        let format = format(text)?;
        if id == SEARCH_TOOL {
            let Options { search_tool_name, max_results, .. } = &self.inner.options;
            return Ok(Some(compose::search_tool(search_tool_name, *max_results, format)));
        }
        Ok(self.inner.catalog.by_id(id).map(|t| compose::definition(t, format)))
    }

    pub fn search(&mut self, query: &str, options: JsValue) -> Result<Vec<f64>> {
        let result = self.inner.search(query, &read::<JsSearch>(options)?.into())?;
        let hits = hits(&result);
        self.last = Some(result);
        Ok(hits)
    }

    /// What the last answer has to tell beside its hits.
    pub fn details(&mut self) -> Result<JsValue> {
        self.last.take().map_or(Ok(JsValue::UNDEFINED), |result| write(&details(&result)))
    }

    pub fn plan(&self, options: JsValue) -> Result<JsValue> {
        let plan = self.inner.plan(&read::<JsSession>(options)?.plan())?;
        write(&JsPlan::from(&plan))
    }

    pub fn session(&self, options: JsValue) -> Result<Conversation> {
        Ok(Conversation { inner: self.inner.session(read::<JsSession>(options)?.into())? })
    }

    pub fn snapshot(&self) -> Vec<u8> {
        self.inner.snapshot()
    }
}

// ------------------------------------------------------------------------------------------------------------- session

/// One conversation. Every method is given the engine that began it.
#[wasm_bindgen]
pub struct Conversation {
    inner: Session,
}

#[wasm_bindgen]
impl Conversation {
    pub fn plan(&self) -> Result<JsValue> {
        write(&JsPlan::from(&self.inner.plan))
    }

    pub fn prompt(&self) -> String {
        self.inner.prompt().to_owned()
    }

    /// The ids of the next request's tools.
    pub fn ids(&mut self, engine: &Engine) -> Vec<u32> {
        let id = |entry: Entry| match entry {
            Entry::Tool(tool) => tool.id,
            Entry::Search => SEARCH_TOOL,
        };
        self.inner.entries(&engine.inner).into_iter().map(id).collect()
    }

    pub fn activated(&self, engine: &Engine) -> Vec<String> {
        self.inner.activated(&engine.inner)
    }

    pub fn handle(&mut self, engine: &Engine, query: Option<String>, max_results: Option<f64>) -> Result<JsValue> {
        let reply = self.inner.handle(&engine.inner, &SearchInput { query, max_results });
        write(&Reply {
            text: &reply.text,
            loaded: &reply.loaded,
            already_loaded: &reply.already_loaded,
            changed: reply.changed,
            hits: reply.result.as_ref().map(hits),
            details: reply.result.as_ref().map(details),
            error: reply.error.as_ref().map(|e| JsError { code: e.code().as_str(), message: e.message() }),
        })
    }

    pub fn resolve(&mut self, engine: &Engine, name: &str) -> Result<JsValue> {
        write(&match &self.inner.resolve(&engine.inner, name) {
            CallResolution::Ready(tool) => {
                Resolution::Ready { name: tool.name(), raw_name: tool.raw_name(), server: tool.server() }
            }
            CallResolution::Search => Resolution::Ready { name, raw_name: name, server: None },
            CallResolution::Activated(tool, text) => Resolution::Activated { name: tool.name(), text },
            CallResolution::Unavailable { name, server, text } => Resolution::Unavailable { name, server, text },
            CallResolution::Ambiguous { candidates, text } => Resolution::Ambiguous { candidates, text },
            CallResolution::Unknown { suggestions, text } => Resolution::Unknown { suggestions, text },
        })
    }

    pub fn activate(&mut self, engine: &Engine, names: Vec<String>) -> Vec<String> {
        self.inner.activate(&engine.inner, &names)
    }

    pub fn reset(&mut self) {
        self.inner.reset();
    }

    pub fn announce(&mut self, engine: &Engine) -> String {
        self.inner.announce(&engine.inner)
    }
}

// -------------------------------------------------------------------------------------------------------------- tokens

/// Estimated tokens of a text.
#[wasm_bindgen(js_name = estimateText)]
pub fn estimate_text(text: &str) -> u32 {
    estimate_tokens(text)
}

/// Estimated tokens of a tool's definition as providers see it.
#[wasm_bindgen(js_name = estimateDefinition)]
pub fn estimate_definition(json: &str) -> Result<u32> {
    let parsed = Parsed::read(json, 0, usize::MAX)?;
    Ok(estimate(&parsed.name, &parsed.definition))
}
