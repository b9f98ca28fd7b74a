//! Options as JavaScript writes them: the JSON text of an object.

use crate::catalog::{AddOptions, LoadRule, ServerStatus};
use crate::compose::Format;
use crate::engine::invalid_option;
use crate::error::{Error, Result};
use crate::json::{self, Reader, member, members, text_of};
use crate::options::{
    CallableNames, Counter, Defer, ListedNames, ListingOptions, Options, Ranking, Threshold, TokenOptions,
};
use crate::preload::{Preload, Uses};
use crate::session::{Overflow, SessionOptions};
use crate::tool::Load;
use crate::{Limits, PlanOptions, SearchOptions};
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A JavaScript counter.
    #[wasm_bindgen(typescript_type = "(text: string) => number")]
    pub type CountTokens;
    #[wasm_bindgen(method, catch)]
    fn call(this: &CountTokens, this_arg: &JsValue, text: &str) -> std::result::Result<JsValue, JsValue>;
}

/// What was given, read field by field. A field that is null or not there is left to its default.
struct Given<'a> {
    json: &'a str,
    /// The first field that is not what it must be, told when all are read.
    wrong: &'a Cell<Option<Error>>,
}

impl<'a> Given<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        member(self.json, name).filter(|value| *value != "null")
    }

    fn wrong(&self, error: Error) {
        self.wrong.set(self.wrong.take().or(Some(error)));
    }

    fn must_be(&self, name: &str, what: &str) {
        self.wrong(invalid_option(format!("`{name}` must be {what}")));
    }

    /// A field by what reads it; `what` says in words what it must be.
    fn value<T>(&self, name: &str, what: &str, read: fn(&'a str) -> Option<T>) -> Option<T> {
        let value = read(self.get(name)?);
        if value.is_none() {
            self.must_be(name, what);
        }
        value
    }

    fn text(&self, name: &str) -> Option<String> {
        self.value(name, "text", text)
    }

    fn texts(&self, name: &str) -> Option<Vec<String>> {
        self.value(name, "an array of texts", texts)
    }

    fn flag(&self, name: &str) -> Option<bool> {
        self.value(name, "true or false", |json| json.parse().ok())
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.value(name, "a number", number)
    }

    fn count(&self, name: &str) -> Option<u64> {
        self.value(name, "a whole number", |json| json.parse().ok())
    }

    /// The same, as large as this machine counts.
    fn size(&self, name: &str) -> Option<usize> {
        Some(usize::try_from(self.count(name)?).unwrap_or(usize::MAX))
    }

    fn object(&self, name: &str) -> Option<Self> {
        let json = self.value(name, "an object", |json| json.starts_with('{').then_some(json))?;
        Some(Self { json, wrong: self.wrong })
    }

    /// The value that stands for the field's text.
    fn one_of<T: Copy, const N: usize>(&self, name: &str, (texts, values): &([&str; N], [T; N])) -> Option<T> {
        Some(values[self.place_in(name, texts)?])
    }

    fn place_in(&self, name: &str, all: &[&str]) -> Option<usize> {
        let text = self.text(name)?;
        let place = all.iter().position(|known| *known == text);
        if place.is_none() {
            self.must_be(name, &format!("one of {}", all.join(" ")));
        }
        place
    }
}

/// Reads options; the first that is wrong is the error.
fn read<T>(json: &str, read: impl FnOnce(&Given<'_>) -> T) -> Result<T> {
    let (json, wrong) = (checked(json)?, Cell::default());
    let options = read(&Given { json: &json, wrong: &wrong });
    wrong.take().map_or(Ok(options), Err)
}

fn text(json: &str) -> Option<String> {
    text_of(json).map(Cow::into_owned)
}

fn texts(json: &str) -> Option<Vec<String>> {
    let mut reader = Reader::new(json);
    let mut all = Vec::new();
    if !reader.enter(b'[') {
        return None;
    }
    while reader.element() {
        all.push(text(reader.skip())?);
    }
    Some(all)
}

/// A number as JavaScript writes it: the standard library reads any by ten kilobytes of tables.
fn number(json: &str) -> Option<f64> {
    let (digits, exponent) = json.split_once('e').unwrap_or((json, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits: i64 = format!("{whole}{fraction}").parse().ok()?;
    let shift = exponent.strip_prefix('+').unwrap_or(exponent).parse::<i32>().ok()? - fraction.len() as i32;
    let scale = (0..shift.abs().min(400)).fold(1.0, |scale, _| scale * 10.0);
    Some(if shift < 0 { digits as f64 / scale } else { digits as f64 * scale })
}

/// Options as text that can be read without a check.
fn checked(json: &str) -> Result<String> {
    let mut text = String::with_capacity(json.len());
    json::compact(json, &mut text).map_err(|e| invalid_option(format!("the options are no JSON: {e}")))?;
    Ok(text)
}

const DEFER: ([&str; 3], [Defer; 3]) = (["auto", "always", "never"], [Defer::Auto, Defer::Always, Defer::Never]);
const RANKING: ([&str; 2], [Ranking; 2]) = (["bm25f", "additive"], [Ranking::Bm25f, Ranking::Additive]);
const NAMES: ([&str; 2], [ListedNames; 2]) = (["full", "short"], [ListedNames::Full, ListedNames::Short]);
const LOAD: ([&str; 2], [Load; 2]) = (["direct", "deferred"], [Load::Direct, Load::Deferred]);
const OVERFLOW: ([&str; 2], [Overflow; 2]) = (["error", "evict"], [Overflow::Error, Overflow::Evict]);
const CALLABLE_NAMES: ([&str; 2], [CallableNames; 2]) =
    (["mcp", "portable"], [CallableNames::Mcp, CallableNames::Portable]);
const REGEX: ([&str; 2], [bool; 2]) = (["auto", "regex"], [false, true]);

pub(super) fn engine(json: &str, count_tokens: Option<CountTokens>) -> Result<Options> {
    let defaults = Options { count_tokens: count_tokens.map(counter), ..Options::default() };
    read(json, |given| {
        let mut options = defaults;
        options.context_window = given.count("contextWindow").unwrap_or(options.context_window);
        options.defer = given.one_of("defer", &DEFER).unwrap_or(options.defer);
        options.max_results = given.size("maxResults").unwrap_or(options.max_results);
        options.search_tool_name = given.text("searchToolName").unwrap_or(options.search_tool_name);
        options.direct_models = given.texts("directModels").unwrap_or_default();
        options.callable_names = given.one_of("callableNames", &CALLABLE_NAMES).unwrap_or_default();
        options.ranking = given.one_of("ranking", &RANKING).unwrap_or(options.ranking);
        options.meaning = given.flag("meaning").unwrap_or_default();
        if let Some(threshold) = given.object("threshold") {
            match (threshold.number("percent"), threshold.count("tokens"), threshold.count("count")) {
                (Some(percent), None, None) => options.threshold = Threshold::Percent(percent),
                (None, Some(tokens), None) => options.threshold = Threshold::Tokens(tokens),
                (None, None, Some(count)) => options.threshold = Threshold::Count(count),
                _ => given.must_be("threshold", "one of { percent }, { tokens } and { count }"),
            }
        }
        if let Some(keywords) = given.object("keywords") {
            members(keywords.json, &mut |tool, words| {
                options.keywords.push((tool.to_owned(), texts(words).unwrap_or_default()));
            });
        }
        if let Some(listing) = given.object("listing") {
            let names = listing.one_of("names", &NAMES).unwrap_or_default();
            options.listing = ListingOptions { max_tokens: listing.count("maxTokens"), names };
        }
        if let Some(limits) = given.object("limits") {
            let Limits { tools, definition_bytes } = &mut options.limits;
            *tools = limits.size("tools").unwrap_or(*tools);
            *definition_bytes = limits.size("definitionBytes").unwrap_or(*definition_bytes);
        }
        if let Some(tokens) = given.object("tokens") {
            let TokenOptions { scale, per_tool } = &mut options.tokens;
            *scale = tokens.number("scale").unwrap_or(*scale);
            *per_tool = tokens.value("perTool", "a whole number", |json| json.parse().ok()).unwrap_or(*per_tool);
        }
        if let Some(preload) = given.object("preload") {
            let mut usage = Vec::new();
            members(preload.get("usage").unwrap_or_default(), &mut |tool, uses| {
                let mut counts = Reader::new(uses);
                counts.enter(b'[');
                let [loaded, called] =
                    [(); 2].map(|()| if counts.element() { counts.skip().parse().unwrap_or_default() } else { 0 });
                usage.push((tool.to_owned(), Uses { loaded, called }));
            });
            options.preload = Some(Preload { usage, max_tokens: preload.count("maxTokens").unwrap_or_default() });
        }
        options
    })
}

/// What it throws, and what is no count, is an error of the option.
fn counter(function: CountTokens) -> Counter {
    Arc::new(move |text| {
        let bad = |what: &str| invalid_option(format!("`countTokens` {what}"));
        let counted = function.call(&JsValue::UNDEFINED, text).map_err(|_| bad("threw an exception"))?;
        let count = counted.as_f64().filter(|n| n.is_finite() && *n >= 0.0);
        count.map(|n| n.round() as u32).ok_or_else(|| bad("returned something that is no number of tokens"))
    })
}

pub(super) fn add(json: &str) -> Result<AddOptions> {
    read(json, |given| AddOptions {
        server: given.text("server"),
        instructions: given.text("instructions"),
        load: match given.texts("direct") {
            Some(names) => LoadRule::Direct(names),
            None => LoadRule::All(given.one_of("load", &LOAD).unwrap_or(Load::Deferred)),
        },
        prefix: given.flag("prefix").unwrap_or(true),
    })
}

pub(super) fn search(json: &str) -> Result<SearchOptions> {
    // Most searches have none.
    if json == "{}" {
        return Ok(SearchOptions::default());
    }
    read(json, |given| SearchOptions {
        limit: given.number("limit"),
        // Saturating: negative is 0.
        offset: given.number("offset").unwrap_or(0.0) as usize,
        allow: given.texts("allow"),
        deny: given.texts("deny").unwrap_or_default(),
        server: given.text("server"),
        loaded: given.texts("loaded").unwrap_or_default(),
        regex: given.one_of("mode", &REGEX).unwrap_or(false),
        explain: given.flag("explain").unwrap_or(false),
    })
}

pub(super) fn session(json: &str) -> Result<SessionOptions> {
    read(json, |given| SessionOptions {
        plan: PlanOptions {
            model: given.text("model"),
            context_window: given.count("contextWindow"),
            defer: given.one_of("defer", &DEFER),
        },
        allow: given.texts("allow"),
        deny: given.texts("deny").unwrap_or_default(),
        activated: given.texts("activated").unwrap_or_default(),
        preloaded: given.texts("preloaded"),
        array: given.texts("array").unwrap_or_default(),
        used: given.texts("used").unwrap_or_default(),
        max_tools: given.size("maxTools"),
        overflow: given.one_of("overflow", &OVERFLOW).unwrap_or_default(),
    })
}

/// A list of names.
pub(super) fn names(json: &str) -> Result<Vec<String>> {
    texts(&checked(json)?).ok_or_else(|| invalid_option("names are an array of texts"))
}

pub(super) fn status(text: &str) -> Result<ServerStatus> {
    [ServerStatus::Ready, ServerStatus::Pending, ServerStatus::Failed, ServerStatus::Disconnected]
        .into_iter()
        .find(|s| s.as_str() == text)
        .ok_or_else(|| invalid_option("a status is ready, pending, failed or disconnected"))
}

pub(super) fn format(text: &str) -> Result<Format> {
    match text {
        "mcp" => Ok(Format::Mcp),
        "openai-chat" => Ok(Format::OpenaiChat),
        "openai-responses" => Ok(Format::OpenaiResponses),
        "anthropic" => Ok(Format::Anthropic),
        "gemini" => Ok(Format::Gemini),
        _ => Err(invalid_option("a format is mcp, openai-chat, openai-responses, anthropic or gemini")),
    }
}
