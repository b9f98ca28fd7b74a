//! Which deferred tools conversations begin with, by what was used before.

mod common;

use common::{add, engine, session, small, tool};
use tool_search::{
    AddOptions, CallResolution, Defer, Options, Plan, PlanOptions, PlanReason, Preload, SessionOptions, Threshold,
    ToolSearch, Uses,
};

fn preload(uses: &[(&str, u64, u64)], max_tokens: u64) -> Option<Preload> {
    let use_of = |&(name, loaded, called): &(&str, u64, u64)| (name.to_owned(), Uses { loaded, called });
    Some(Preload { usage: uses.iter().map(use_of).collect(), max_tokens })
}

/// The small catalog with a preload.
fn with(uses: &[(&str, u64, u64)], max_tokens: u64, change: impl FnOnce(&mut Options)) -> ToolSearch {
    let mut search = engine(|o| {
        o.defer = Defer::Always;
        o.preload = preload(uses, max_tokens);
        change(o);
    });
    let small = small();
    for server in [None, Some("tracker"), Some("chat")] {
        let tools: Vec<_> = small.tools().filter(|t| t.server() == server).collect();
        let texts: Vec<&str> = tools.iter().map(|t| t.definition()).collect();
        search.add(&texts, &AddOptions { server: server.map(Into::into), ..AddOptions::default() }).unwrap();
    }
    search
}

const USED: &[(&str, u64, u64)] = &[
    ("webSearch", 9, 2),
    ("mcp__tracker__list_issues", 1, 5),
    ("mcp__tracker__create_issue", 2, 2),
    ("mcp__chat__send_message", 50, 0),
    ("mcp__gone__tool", 99, 99),
];

#[test]
fn the_most_called_are_sent_whole_in_catalog_order() {
    let search = with(USED, 10_000, |_| ());
    let mut one = session(&search);
    assert_eq!(
        one.names(&search),
        ["webSearch", "mcp__tracker__create_issue", "mcp__tracker__list_issues", "toolSearch"]
    );
    assert_eq!(one.preloaded(&search).unwrap().len(), 3);
    assert!(one.activated(&search).is_empty());
    assert!(!one.prompt().contains("list_issues") && one.prompt().contains("send_message"));
    assert!(matches!(one.resolve(&search, "list_issues"), CallResolution::Ready(_)));
    let reply = one.handle(&search, &"select:list_issues".into());
    assert!(!reply.changed && reply.text.contains("already loaded: call directly"), "{}", reply.text);
    assert!(one.activated(&search).is_empty());
    one.reset(&search);
    assert_eq!(one.names(&search).len(), 4);
}

#[test]
fn the_budget_holds_and_smaller_ones_fill_it() {
    let mut all = with(USED, 10_000, |_| ());
    let tokens = |search: &ToolSearch, name: &str| session(search).tokens_of(search, &[name.to_owned()]).unwrap();
    let (most, second) = (tokens(&all, "mcp__tracker__list_issues"), tokens(&all, "webSearch"));
    for (budget, count) in [(0, 0), (most - 1, 1), (most, 1), (most + second, 2), (10_000, 3)] {
        let search = with(USED, budget, |_| ());
        assert_eq!(session(&search).preloaded(&search).unwrap().len(), count, "{budget} of {most} and {second}");
    }
    // Of equal calls the one that was loaded more often.
    let search = with(USED, most + second, |_| ());
    assert!(session(&search).names(&search).contains(&"webSearch".to_owned()));
    // What is too large is passed over.
    add(&mut all, "big", &[tool("huge", &"word ".repeat(5_000))]);
    assert_eq!(session(&all).names(&all).len(), 4);
}

#[test]
fn a2_the_same_counts_and_tools_choose_the_same() {
    let names = |search: &ToolSearch| (session(search).names(search), session(search).prompt().to_owned());
    let equal: Vec<(&str, u64, u64)> =
        ["webSearch", "readFile", "mcp__chat__send_message", "mcp__tracker__close_issue"].map(|n| (n, 1, 1)).into();
    let expected = names(&with(&equal, 80, |_| ()));
    let mut other = engine(|o| {
        o.defer = Defer::Always;
        o.preload = preload(&equal.iter().copied().rev().collect::<Vec<_>>(), 80);
    });
    let small = small();
    for server in [Some("chat"), Some("tracker"), None] {
        let texts: Vec<&str> = small.tools().filter(|t| t.server() == server).map(|t| t.definition()).collect();
        other.add(&texts, &AddOptions { server: server.map(Into::into), ..AddOptions::default() }).unwrap();
    }
    assert_eq!(names(&other), expected);
    assert_eq!(names(&other), expected, "nor does it matter which session it is");
}

#[test]
fn g3_tokens_add_up_and_the_decision_stays() {
    let plan = |search: &ToolSearch| -> Plan { session(search).plan };
    let search = with(USED, 10_000, |_| ());
    let t = plan(&search).tokens;
    assert_eq!((t.full, t.first_request), (t.direct + t.deferrable, t.direct + t.search_tool + t.listing));
    let without = with(&[], 0, |_| ());
    assert!(t.direct > plan(&without).tokens.direct && t.full == plan(&without).tokens.full);
    // Fewer deferrable tools than the threshold are left: no reason to send them all.
    let counted = |count| with(USED, 10_000, |o| (o.defer, o.threshold) = (Defer::Auto, Threshold::Count(count)));
    assert_eq!(plan(&counted(7)).reason, PlanReason::AboveThreshold);
    assert_eq!(plan(&counted(8)).reason, PlanReason::BelowThreshold);
    let all: Vec<(String, u64, u64)> = search.tools().map(|t| (t.name().to_owned(), 1, 1)).collect();
    let all: Vec<(&str, u64, u64)> = all.iter().map(|(n, l, c)| (n.as_str(), *l, *c)).collect();
    let all = with(&all, 10_000, |_| ());
    assert_eq!(plan(&all).reason, PlanReason::NothingToDefer);
    assert_eq!(session(&all).preloaded(&all), None);
}

#[test]
fn a_session_keeps_what_it_began_with() {
    let mut search = with(USED, 10_000, |_| ());
    let mut one = session(&search);
    let before = one.names(&search);
    // Replaced by the same and with a new tool: nothing moves.
    add(
        &mut search,
        "chat",
        &[
            tool("send_message", "Sends a message to a channel"),
            tool("list_channels", "Lists channels"),
            tool("new", ""),
        ],
    );
    assert_eq!(one.names(&search), before);
    // Continued where other tools are used most, or none.
    for uses in [&[("mcp__chat__send_message", 9, 9)][..], &[]] {
        let other = with(uses, 10_000, |_| ());
        let options = SessionOptions { preloaded: one.preloaded(&search), ..Default::default() };
        let mut again = other.session(options).unwrap();
        assert_eq!(again.names(&other), before);
        assert_eq!(again.prompt(), session(&with(USED, 10_000, |_| ())).prompt());
    }
    // Gone and back, it must be loaded like any other.
    search.remove_server("tracker");
    assert_eq!(one.names(&search), ["webSearch", "toolSearch"]);
    add(&mut search, "tracker", &[tool("list_issues", "Lists the issues of a project")]);
    assert_eq!(one.names(&search), ["webSearch", "toolSearch"]);
    assert!(matches!(one.resolve(&search, "list_issues"), CallResolution::Activated(..)));
    assert_eq!(one.activated(&search), ["mcp__tracker__list_issues"]);
}

#[test]
fn c9_hidden_tools_take_no_room() {
    let search = with(USED, 10_000, |_| ());
    let options = SessionOptions { deny: vec!["list_issues".into()], ..Default::default() };
    let mut one = search.session(options).unwrap();
    assert_eq!(one.names(&search), ["webSearch", "mcp__tracker__create_issue", "toolSearch"]);
    let never = PlanOptions { defer: Some(Defer::Never), ..Default::default() };
    let mut never = search.session(SessionOptions { plan: never, ..Default::default() }).unwrap();
    assert_eq!((never.names(&search).len(), never.preloaded(&search)), (7, None));
}
