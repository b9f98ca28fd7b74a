//! What a model writes: search calls of any JSON or none, and calls of tools by any name.

use crate::{checks, shelf};
use serde_json::Value;
use tool_search::{
    CallResolution, Defer, Entry, Format, PlanOptions, SearchInput, SearchReply, Session, SessionOptions, ToolSearch,
};

/// The most bytes of a reply on these catalogs, whatever was asked.
const LONGEST: usize = 24 << 10;

/// The first byte chooses catalog and session; every line is a call of the search tool, and of a tool by that name.
pub fn run(data: &[u8]) {
    let Some((&choice, calls)) = data.split_first() else { return };
    let calls = String::from_utf8_lossy(calls);
    let shelf = shelf::shelf(choice);
    let engine = if choice & 8 == 0 { &shelf.full } else { &shelf.restored };
    let options = SessionOptions {
        plan: PlanOptions {
            defer: Some(if choice & 4 == 0 { Defer::Always } else { Defer::Never }),
            ..Default::default()
        },
        deny: vec![shelf::HIDE.to_owned()],
        ..Default::default()
    };
    let Ok(mut session) = engine.session(options) else { panic!("no session") };
    let prompt = session.prompt().to_owned();
    for call in calls.split('\n') {
        let input = SearchInput::from_json(call);
        reads(call, &input);
        let before = session.tools(engine, Format::Anthropic);
        let reply = session.handle(engine, &input);
        check(engine, &mut session, &input, &reply, &before);
        let before = session.tools(engine, Format::Anthropic);
        let resolution = session.resolve(engine, call);
        resolved(engine, &mut session, call, &resolution, &before);
    }
    assert_eq!(session.prompt(), prompt);
}

/// Rule F7, by the plainest reading of the JSON.
fn reads(call: &str, input: &SearchInput) {
    let value: Value = serde_json::from_str(call).unwrap_or_default();
    assert_eq!(input.query.as_deref(), value.get("query").and_then(Value::as_str));
    let number = |value: &Value| match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let number = value.get("max_results").and_then(number);
    assert_eq!(input.max_results.map(f64::to_bits), number.map(f64::to_bits));
}

fn check(engine: &ToolSearch, session: &mut Session, input: &SearchInput, reply: &SearchReply, before: &[String]) {
    let after = session.tools(engine, Format::Anthropic);
    assert!(after.starts_with(before) && (after.len() > before.len()) == reply.changed);
    assert_eq!(after.len() - before.len(), reply.loaded.len());
    assert_eq!(reply.changed, !reply.loaded.is_empty());
    assert_eq!(reply.error.is_some(), reply.result.is_none());
    let text = &reply.text;
    assert!(!text.is_empty() && text.len() <= LONGEST && checks::is_tame(text), "{text:?}");
    let names = session.names(engine);
    assert!(reply.loaded.iter().chain(&reply.already_loaded).all(|name| names.contains(name)));
    if let Some(result) = &reply.result {
        assert!(!text.contains(['<', '>', '`']), "{text:?}");
        let found: Vec<&str> = result.matches.iter().map(|m| m.tool.name()).collect();
        let listed = reply.loaded.iter().chain(&reply.already_loaded);
        assert!(listed.clone().all(|name| found.contains(&&**name)) && listed.count() == found.len());
    }
    let asked = input.query.as_deref().unwrap_or_default().to_lowercase();
    discreet(&asked, text);
    discreet(&asked, &names.join(" "));
}

fn resolved(engine: &ToolSearch, session: &mut Session, call: &str, resolution: &CallResolution, before: &[String]) {
    let (after, names) = (session.tools(engine, Format::Anthropic), session.names(engine));
    assert!(after.starts_with(before));
    let text = match resolution {
        CallResolution::Ready(tool) => {
            assert!(after.len() == before.len() && names.iter().any(|name| name == tool.name()));
            ""
        }
        CallResolution::Search => {
            assert!(session.entries(engine).iter().any(|entry| matches!(entry, Entry::Search)));
            ""
        }
        CallResolution::Activated(tool, text) => {
            assert!(after.len() == before.len() + 1 && names.last().is_some_and(|name| name == tool.name()));
            text
        }
        CallResolution::Unavailable { server, text, .. } => {
            assert!(engine.server_status(server).is_some_and(|status| status != tool_search::ServerStatus::Ready));
            text
        }
        CallResolution::Ambiguous { candidates, text } => {
            assert!(candidates.len() >= 2 && candidates.iter().all(|name| engine.get(name).is_some()));
            text
        }
        CallResolution::Unknown { suggestions, text } => {
            assert!(suggestions.iter().all(|name| engine.get(name).is_some()));
            text
        }
    };
    if !matches!(resolution, CallResolution::Activated(..)) {
        assert_eq!(after.len(), before.len());
    }
    assert!(text.len() <= LONGEST && checks::is_tame(text) && !text.contains(['<', '>', '`']), "{text:?}");
    discreet(&call.to_lowercase(), text);
}

/// Nothing hidden is told of, unless the model said it itself.
fn discreet(asked: &str, told: &str) {
    let bare = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    for trace in shelf::TRACES {
        assert!(bare(asked).contains(&bare(trace)) || !told.contains(trace), "{told:?}");
    }
}
