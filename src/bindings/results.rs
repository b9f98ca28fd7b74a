//! Results as JavaScript reads them: numbers where there are many, else the JSON text of an object.

use crate::Plan;
use crate::catalog::Change;
use crate::json::quote;
use crate::result::{Confidence, QueryKind, SearchResult, Tier};
use crate::session::{CallResolution, SearchReply};
use crate::tool::Tool;
use std::sync::Arc;

/// A JSON object, written field by field. Names of fields are plain words.
struct Object(String);

impl Object {
    /// Most are a few hundred bytes.
    fn new() -> Self {
        let mut text = String::with_capacity(512);
        text.push('{');
        Self(text)
    }

    /// Begins a field.
    fn field(&mut self, name: &str) -> &mut String {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push('"');
        self.0.push_str(name);
        self.0.push_str("\":");
        &mut self.0
    }

    fn json(mut self, name: &str, value: &str) -> Self {
        self.field(name).push_str(value);
        self
    }

    fn text(mut self, name: &str, value: &str) -> Self {
        quote(value, self.field(name));
        self
    }

    /// Nothing where there is none.
    fn maybe(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self,
        }
    }

    fn texts(self, name: &str, values: &[String]) -> Self {
        self.json(name, &texts(values.iter().map(String::as_str)))
    }

    fn number(self, name: &str, value: i64) -> Self {
        self.json(name, &value.to_string())
    }

    fn ids(self, name: &str, tools: &[Arc<Tool>]) -> Self {
        self.list(name, tools.iter().map(|tool| tool.slot.to_string()).collect())
    }

    fn flag(self, name: &str, value: bool) -> Self {
        self.json(name, if value { "true" } else { "false" })
    }

    /// Of values that are JSON.
    fn list(self, name: &str, values: Vec<String>) -> Self {
        self.json(name, &list(&values))
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

fn list(values: &[String]) -> String {
    let mut out = String::from("[");
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str(value);
    }
    out.push(']');
    out
}

pub(super) fn texts<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::from("[");
    for value in values {
        if out.len() > 1 {
            out.push(',');
        }
        quote(value, &mut out);
    }
    out.push(']');
    out
}

/// What a change of the catalog did. `ids` are what stands for each added definition, in their order; `converted` those of
/// them that came in another shape than MCP's; `dropped` no longer stand for the definition they stood for.
pub(super) fn change(change: &Change, converted: &[Arc<Tool>]) -> String {
    let Change { delta, tools, dropped, .. } = change;
    let delta = Object::new()
        .texts("added", &delta.added)
        .texts("removed", &delta.removed)
        .texts("changed", &delta.changed)
        .end();
    Object::new().json("delta", &delta).ids("ids", tools).ids("converted", converted).ids("dropped", dropped).end()
}

pub(super) fn info(tool: &Tool) -> String {
    let info = Object::new().text("name", tool.name()).text("rawName", tool.raw_name());
    info.maybe("server", tool.server()).maybe("description", tool.description().as_deref()).end()
}

/// How many numbers follow, kind, confidence, further matches, whether there is more to tell than these numbers, then id, score and tier of
/// each match.
pub(super) fn hits(result: &SearchResult, all: &mut Vec<f64>) {
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
    let more = u8::from(more_to_tell(result));
    let count = 4 + 3 * result.matches.len();
    all.extend([count as f64, f64::from(kind), f64::from(confidence), result.more as f64, f64::from(more)]);
    for found in &result.matches {
        let tier = match found.tier {
            Tier::Exact => 0,
            Tier::Alias => 1,
            Tier::Keywords => 2,
            Tier::Meaning => 3,
        };
        all.extend([f64::from(found.tool.slot), found.score, f64::from(tier)]);
    }
}

fn more_to_tell(result: &SearchResult) -> bool {
    !(result.missing.is_empty()
        && result.direct.is_empty()
        && result.ambiguous.is_empty()
        && result.suggestions.is_empty()
        && result.unavailable.is_empty()
        && result.matches.iter().all(|m| m.explain.is_none()))
}

/// What an answer has to tell beside its hits. `explain` is a list for each match, when it was asked for, of addends whose
/// weights are told by [`weights`].
pub(super) fn details(result: &SearchResult) -> String {
    let ambiguous = result.ambiguous.iter();
    let ambiguous = ambiguous.map(|a| Object::new().text("name", &a.name).texts("candidates", &a.candidates).end());
    let unavailable = result.unavailable.iter().map(|u| {
        let server = Object::new().text("server", &u.server).text("status", u.status.as_str());
        server.maybe("reason", u.reason.as_deref()).end()
    });
    let explain = result.matches.iter().filter_map(|m| m.explain.as_ref()).map(|addends| {
        let addends = addends.iter().map(|e| Object::new().text("term", &e.term).text("field", e.field).end());
        list(&addends.collect::<Vec<_>>())
    });
    Object::new()
        .texts("missing", &result.missing)
        .texts("direct", &result.direct)
        .list("ambiguous", ambiguous.collect())
        .texts("suggestions", &result.suggestions)
        .list("unavailable", unavailable.collect())
        .list("explain", explain.collect())
        .end()
}

/// The weights of all addends, match by match.
pub(super) fn weights(result: &SearchResult) -> Vec<f64> {
    result.matches.iter().filter_map(|m| m.explain.as_ref()).flatten().map(|e| e.weight).collect()
}

/// What a state has beside the activated tools: lists of names, each where there is something to say.
pub(super) fn kept(preloaded: Option<&[String]>, array: &[String], used: &[String]) -> String {
    let orders = [("array", array), ("used", used)].into_iter().filter(|(_, names)| !names.is_empty());
    let all = preloaded.map(|names| ("preloaded", names)).into_iter().chain(orders);
    all.fold(Object::new(), |object, (key, names)| object.texts(key, names)).end()
}

pub(super) fn plan(plan: &Plan) -> String {
    let t = &plan.tokens;
    let tokens = Object::new()
        .number("full", t.full as i64)
        .number("direct", t.direct as i64)
        .number("deferrable", t.deferrable as i64)
        .number("threshold", t.threshold as i64)
        .number("searchTool", t.search_tool as i64)
        .number("listing", t.listing as i64)
        .number("firstRequest", t.first_request as i64)
        .number("saved", t.saved)
        .end();
    Object::new().flag("deferring", plan.deferring).text("reason", plan.reason.as_str()).json("tokens", &tokens).end()
}

pub(super) fn reply(reply: &SearchReply) -> String {
    let mut all = Object::new()
        .text("text", &reply.text)
        .texts("loaded", &reply.loaded)
        .texts("alreadyLoaded", &reply.already_loaded)
        .flag("changed", reply.changed);
    if let Some(result) = reply.result.as_ref().filter(|result| more_to_tell(result)) {
        all = all.json("details", &details(result));
    }
    if let Some(error) = &reply.error {
        let error = Object::new().text("code", error.code().as_str()).text("message", error.message()).end();
        all = all.json("error", &error);
    }
    all.end()
}

pub(super) fn resolution(resolution: &CallResolution, search_tool: &str) -> String {
    let of = |status| Object::new().text("status", status);
    let resolution = match resolution {
        CallResolution::Ready(tool) => {
            of("ready").text("name", tool.name()).text("rawName", tool.raw_name()).maybe("server", tool.server())
        }
        CallResolution::Search => of("ready").text("name", search_tool).text("rawName", search_tool),
        CallResolution::Activated(tool, text) => of("activated").text("name", tool.name()).text("text", text),
        CallResolution::Unavailable { name, server, text } => {
            of("unavailable").text("name", name).text("server", server).text("text", text)
        }
        CallResolution::Ambiguous { candidates, text } => {
            of("ambiguous").texts("candidates", candidates).text("text", text)
        }
        CallResolution::Unknown { suggestions, text } => {
            of("unknown").texts("suggestions", suggestions).text("text", text)
        }
    };
    resolution.end()
}
