//! What the model is told (rules C7, F2, F3, F8): short, by callable name, and never a hint or keyword.

use crate::engine::ToolSearch;
use crate::json::{Reader, members, quoted, text_of};
use crate::names::Filter;
use crate::result::{Confidence, Match, QueryKind, SearchResult, Unavailable};
use crate::safe;
use crate::sorted;
use crate::tool::Tool;
use std::borrow::Cow;

/// The longest description in a reply, in bytes: enough to choose by, the definition itself comes with the next request.
const MAX_DESCRIPTION: usize = 160;
/// A catalog of at most this many tools is named whole when nothing matches.
const FEW_TOOLS: usize = 10;
/// The most servers that further matches are said to be of.
const FEW_SERVERS: usize = 3;
/// The most servers, names or parameters of one reply.
const MANY: usize = 30;
/// The most names of an announcement, as many as a large server has: one that lists tools without end shall not fill the conversation.
const MOST_ANNOUNCED: usize = 500;
/// The most names that are said to be several tools, each with those tools.
const FEW_AMBIGUOUS: usize = 5;

/// The result of the search tool: what was loaded, what was already, what had no room, what was not found and what to do
/// about it.
pub(crate) fn to_search(
    engine: &ToolSearch,
    filter: &Filter,
    result: &SearchResult,
    loaded: &[String],
    already: &[String],
    left_out: &[Match],
) -> String {
    let mut lines: Vec<String> = Vec::new();
    if !loaded.is_empty() {
        let noun = if loaded.len() == 1 { "tool" } else { "tools" };
        lines.push(format!("Loaded {} {noun}, callable from your next step on:", loaded.len()));
        for name in loaded.iter().take(MANY) {
            let about = engine.get(name).and_then(|t| t.description().map(|d| safe::inline(&d, MAX_DESCRIPTION)));
            let about = about.filter(|d| !d.is_empty()).map(|d| format!(": {d}")).unwrap_or_default();
            lines.push(format!("- {}{about}", safe::name(name)));
        }
        if loaded.len() > MANY {
            lines.push(format!("-{}", and_more(loaded.len(), MANY)));
        }
    }
    let callable: Vec<String> = result.direct.iter().chain(already).chain(&result.passed_over).cloned().collect();
    if !callable.is_empty() {
        let verb = if callable.len() == 1 { "is" } else { "are" };
        lines.push(format!("{} {verb} already loaded: call directly, without searching again.", names(&callable)));
    }
    if !left_out.is_empty() {
        let left_out: Vec<String> = left_out.iter().map(|m| m.tool.name().to_owned()).collect();
        lines.push(format!("No room to load more at once; not loaded: {}.", names(&left_out)));
    }
    if result.confidence == Confidence::Low {
        let unknown: Vec<String> = result.unknown.iter().take(MANY).map(|w| quoted(&safe::inline(w, 64))).collect();
        let unknown = unknown.join(", ");
        lines.push(format!("No tool knows {unknown}, so these may not be what you need."));
    }
    for ambiguous in result.ambiguous.iter().take(FEW_AMBIGUOUS) {
        let name = quoted(&safe::inline(&ambiguous.name, 128));
        lines.push(format!("{name} is several tools; select one by its full name: {}.", names(&ambiguous.candidates)));
    }
    if result.ambiguous.len() > FEW_AMBIGUOUS {
        lines.push(format!("{} more names are several tools each.", result.ambiguous.len() - FEW_AMBIGUOUS));
    }
    if !result.missing.is_empty() {
        let missing: Vec<String> = result.missing.iter().take(MANY).map(|m| safe::label(m)).collect();
        lines.push(format!("Not found: {}{}.", missing.join(", "), and_more(result.missing.len(), MANY)));
    }
    if !result.suggestions.is_empty() {
        lines.push(format!("Close names: {}.", names(&result.suggestions)));
    }
    if result.more > 0 && !loaded.is_empty() {
        lines.push(further(result));
    }
    if result.matches.is_empty() && result.direct.is_empty() && result.ambiguous.is_empty() {
        if result.missing.is_empty() {
            lines.push("No tool matches.".to_owned());
        }
        lines.extend(what_there_is(engine, filter, result));
        if result.unavailable.is_empty() && result.kind == QueryKind::Keywords {
            lines.push("If none of these is it, there is no such tool: go on without it.".to_owned());
        }
    }
    // With matches of words in hand, a server that is still connecting is no news.
    if result.kind == QueryKind::Select || (loaded.is_empty() && already.is_empty()) {
        lines.extend(result.unavailable.iter().take(MANY).map(down));
        if result.unavailable.len() > MANY {
            lines.push(format!("{} more servers cannot be used now.", result.unavailable.len() - MANY));
        }
    }
    lines.join("\n")
}

/// How many more there are, and where to look for them.
fn further(result: &SearchResult) -> String {
    let servers: Vec<String> = result.more_servers.iter().take(FEW_SERVERS).map(|s| safe::label(s)).collect();
    let of = match (result.more_servers.len(), servers.is_empty()) {
        (_, true) => String::new(),
        (all, _) if all > servers.len() => format!(", most of {}", servers.join(", ")),
        _ => format!(" of {}", servers.join(", ")),
    };
    format!("{} more match{of}: other words, or more of them, show others.", result.more)
}

/// The visible tools when they are few, the servers otherwise (rule C7).
fn what_there_is(engine: &ToolSearch, filter: &Filter, result: &SearchResult) -> Option<String> {
    let visible: Vec<&Tool> = engine.tools().map(|t| &**t).filter(|t| filter.sees_deferred(t)).collect();
    if visible.is_empty() {
        return None;
    }
    if visible.len() <= FEW_TOOLS {
        let all: Vec<String> = visible.iter().map(|t| t.name().to_owned()).collect();
        return Some(format!("There are: {}.", names(&all)));
    }
    if result.kind == QueryKind::Select && !result.suggestions.is_empty() {
        return None;
    }
    let mut servers: Vec<String> = Vec::new();
    for server in visible.iter().filter_map(|t| t.server()).map(safe::label) {
        if servers.last() != Some(&server) {
            servers.push(server);
        }
    }
    let more = and_more(servers.len(), MANY);
    servers.truncate(MANY);
    if servers.is_empty() {
        return Some("Try other words, or names from the Deferred Tools section.".to_owned());
    }
    Some(format!("Servers with tools: {}{more}. Try other words, or server:NAME.", servers.join(", ")))
}

/// How a server that cannot answer is doing.
pub(crate) fn down(server: &Unavailable) -> String {
    let name = safe::label(&server.server);
    let reason = server.reason.as_deref().map(|r| format!(" ({r})")).unwrap_or_default();
    match server.status {
        crate::ServerStatus::Pending => {
            format!("Server {name} is still connecting{reason}; its tools may be there later.")
        }
        crate::ServerStatus::Failed => format!("Server {name} failed to start{reason}; its tools cannot be used."),
        _ => format!("Server {name} is disconnected{reason}; its tools cannot be used now."),
    }
}

fn names(all: &[String]) -> String {
    let shown: Vec<String> = all.iter().take(MANY).map(|n| safe::name(n)).collect();
    shown.join(", ") + &and_more(all.len(), MANY)
}

/// The answer to a call of a tool that was not loaded and is now (rule F3).
pub(crate) fn to_early_call(tool: &Tool) -> String {
    let name = safe::name(tool.name());
    let view = tool.view();
    let parameters = parameters(view.object_schema());
    let takes =
        if parameters.is_empty() { "It takes no parameters.".to_owned() } else { format!("Parameters: {parameters}.") };
    format!(
        "{name} was not loaded, so this call did not run. It is loaded now: call it again on your next step. {takes}"
    )
}

/// `title (string, required), labels (array)`: required ones first.
fn parameters(schema: &str) -> String {
    let mut required: Vec<Cow<'_, str>> = Vec::new();
    let mut properties: Vec<(String, &str)> = Vec::new();
    members(schema, &mut |key, value| {
        if key == "required" {
            let mut list = Reader::new(value);
            list.enter(b'[');
            while list.element() {
                required.extend(text_of(list.skip()));
            }
        } else if key == "properties" {
            members(value, &mut |name, schema| properties.push((name.to_owned(), schema)));
        }
    });
    let required: Vec<&str> = required.iter().map(|name| &**name).collect();
    let by_name = sorted::distinct(&required);
    let (mut all, mut optional): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (name, schema) in properties {
        let is_required = by_name.binary_search_by(|&at| required[at].cmp(&name)).is_ok();
        let mut kind: Option<String> = None;
        members(schema, &mut |key, value| {
            if key == "type" {
                kind = Some(value.replace(['"', '[', ']'], ""));
            }
        });
        let about = match (kind, is_required) {
            (None, false) => String::new(),
            (None, true) => "required".to_owned(),
            (Some(kind), false) => kind,
            (Some(kind), true) => kind + ", required",
        };
        let about = if about.is_empty() { about } else { format!(" ({})", safe::inline(&about, 64)) };
        if is_required { &mut all } else { &mut optional }.push(safe::inline(&name, 64) + &about);
    }
    all.append(&mut optional);
    all[..all.len().min(MANY)].join(", ") + &and_more(all.len(), MANY)
}

/// What stands behind the first `shown` of a list.
fn and_more(all: usize, shown: usize) -> String {
    if all > shown { format!(" and {} more", all - shown) } else { String::new() }
}

/// The answer to a call by a name that several tools share.
pub(crate) fn to_ambiguous_call(name: &str, candidates: &[String]) -> String {
    let name = quoted(&safe::inline(name, 128));
    format!("{name} is several tools; call one by its full name: {}.", names(candidates))
}

/// The answer to a call by a name that no tool has.
pub(crate) fn to_unknown_call(name: &str, suggestions: &[String], search_tool: Option<&str>) -> String {
    let name = quoted(&safe::inline(name, 128));
    let close = if suggestions.is_empty() { String::new() } else { format!(" Close names: {}.", names(suggestions)) };
    let find = search_tool.map(|tool| format!(" Find tools with {tool}.")).unwrap_or_default();
    format!("There is no tool {name}.{close}{find}")
}

/// Catalog changes since the model was last told (rule F4).
pub(crate) fn to_changes(added: &[String], removed: &[String], search_tool: &str) -> String {
    let named = |all: &[String]| {
        let first: Vec<_> = all.iter().take(MOST_ANNOUNCED).map(|n| safe::name(n)).collect();
        first.join(", ") + &and_more(all.len(), MOST_ANNOUNCED)
    };
    let mut lines = Vec::new();
    if !added.is_empty() {
        lines.push(format!("New deferred tools, to be loaded with {search_tool}: {}.", named(added)));
    }
    if !removed.is_empty() {
        lines.push(format!("Tools that are gone: {}.", named(removed)));
    }
    lines.join("\n")
}

/// The answer to a call of the search tool that is none.
pub(crate) fn to_bad_input(problem: &str, search_tool: &str) -> String {
    format!(
        "{problem} Call {search_tool} with {{\"query\": \"select:NAME,NAME\"}} or {{\"query\": \"words for what you need\"}}."
    )
}

/// The same for a query that cannot be searched.
pub(crate) fn to_bad_query(error: &crate::Error) -> String {
    let mut sentence = error.message().to_owned();
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    sentence + "."
}
