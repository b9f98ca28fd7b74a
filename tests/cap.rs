//! How many tools a request may carry, and which leave.

mod common;

use common::{add, ask, session, small, tool};
use tool_search::{
    AddOptions, CallResolution, Defer, ErrorCode, Load, LoadRule, Overflow, PlanOptions, Session, SessionOptions,
    ToolSearch,
};

fn capped(search: &ToolSearch, most: usize, overflow: Overflow) -> Session {
    search.session(SessionOptions { max_tools: Some(most), overflow, ..Default::default() }).unwrap()
}

fn refused(search: &ToolSearch, options: SessionOptions) -> String {
    let error = search.session(options).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooManyTools);
    error.message().to_owned()
}

#[test]
fn too_many_are_an_error_that_says_what_to_do() {
    let search = small();
    let mut one = capped(&search, 3, Overflow::Error);
    ask(&mut one, &search, "select:webSearch");
    one.check(&search).unwrap();
    ask(&mut one, &search, "select:send_message");
    let error = one.check(&search).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooManyTools);
    for part in ["4 tools", "allows 3", "1 direct", "2 loaded", "evict", "reset"] {
        assert!(error.message().contains(part), "{part}: {}", error.message());
    }
    assert_eq!(one.names(&search).len(), 4, "nothing left by itself");
    one.reset(&search);
    one.check(&search).unwrap();
    session(&search).check(&search).unwrap();
}

#[test]
fn what_every_request_carries_must_fit() {
    let mut search = small();
    let options = |max_tools, defer, overflow| SessionOptions {
        max_tools: Some(max_tools),
        overflow,
        plan: PlanOptions { defer: Some(defer), ..Default::default() },
        ..Default::default()
    };
    for overflow in [Overflow::Error, Overflow::Evict] {
        assert!(refused(&search, options(6, Defer::Never, overflow)).contains("7 tools (none of them deferred)"));
        assert!(refused(&search, options(2, Defer::Always, overflow)).contains("one to be loaded"));
        search.session(options(7, Defer::Never, overflow)).unwrap().check(&search).unwrap();
        search.session(options(3, Defer::Always, overflow)).unwrap().check(&search).unwrap();
        assert_eq!(search.session(options(0, Defer::Always, overflow)).unwrap_err().code(), ErrorCode::InvalidOption);
    }
    // What comes later is noticed at the next request.
    let mut whole = search.session(options(7, Defer::Never, Overflow::Evict)).unwrap();
    let mut deferring = search.session(options(3, Defer::Always, Overflow::Evict)).unwrap();
    let direct = AddOptions { load: LoadRule::All(Load::Direct), ..AddOptions::server("a") };
    search.add(&[&tool("x", ""), &tool("y", "")], &direct).unwrap();
    for (session, part) in [(&mut whole, "9 tools"), (&mut deferring, "3 direct")] {
        let error = session.check(&search).unwrap_err();
        assert!(error.code() == ErrorCode::TooManyTools && error.message().contains(part), "{error}");
    }
}

#[test]
fn the_least_recently_used_leave() {
    let search = small();
    let mut one = capped(&search, 5, Overflow::Evict);
    for name in ["webSearch", "send_message", "create_issue"] {
        ask(&mut one, &search, &format!("select:{name}"));
    }
    assert_eq!(one.names(&search).len(), 5);
    // Called, and found again: both are in use.
    one.resolve(&search, "webSearch");
    ask(&mut one, &search, "select:create_issue");
    ask(&mut one, &search, "select:list_issues");
    assert!(matches!(one.resolve(&search, "readFile"), CallResolution::Ready(_)));
    one.check(&search).unwrap();
    let names = one.names(&search);
    assert_eq!(
        names,
        ["readFile", "toolSearch", "webSearch", "mcp__tracker__create_issue", "mcp__tracker__list_issues"]
    );
    assert_eq!(one.activated(&search), names[2..]);
    // What left is loaded again like any other tool, at the end.
    assert!(matches!(one.resolve(&search, "send_message"), CallResolution::Activated(..)));
    assert_eq!(one.names(&search)[4], "mcp__chat__send_message");
    assert!(!one.names(&search).contains(&"webSearch".to_owned()));
}

#[test]
fn what_was_in_the_last_request_can_be_called_until_the_next() {
    let search = small();
    let mut one = capped(&search, 3, Overflow::Evict);
    ask(&mut one, &search, "select:webSearch");
    one.check(&search).unwrap();
    ask(&mut one, &search, "select:send_message");
    assert_eq!(one.names(&search)[2..], ["mcp__chat__send_message"], "looking ahead lets nothing leave");
    let ahead = one.names(&search);
    assert_eq!(one.tokens(&search).unwrap().array, one.tokens_of(&search, &ahead).unwrap());
    assert!(matches!(one.resolve(&search, "webSearch"), CallResolution::Ready(_)));
    one.check(&search).unwrap();
    assert_eq!(one.names(&search), ["readFile", "toolSearch", "webSearch"]);
    assert!(matches!(one.resolve(&search, "send_message"), CallResolution::Activated(..)));
}

#[test]
fn l59_a_search_loads_what_fits_and_names_the_rest() {
    let mut search = small();
    add(&mut search, "many", &(0..9).map(|n| tool(&format!("parcel_{n}"), "")).collect::<Vec<_>>());
    let mut one = capped(&search, 4, Overflow::Evict);
    let reply = ask(&mut one, &search, "select:parcel_3,parcel_1,parcel_2,webSearch");
    assert_eq!(reply.loaded, ["mcp__many__parcel_3", "mcp__many__parcel_1"]);
    assert!(
        reply.text.contains("No room to load more at once; not loaded: mcp__many__parcel_2, webSearch."),
        "{}",
        reply.text
    );
    assert_eq!(one.names(&search)[2..], reply.loaded);
    assert_eq!(ask(&mut one, &search, "parcel").loaded.len(), 2);
    let all = ["parcel_6", "parcel_7", "parcel_8"].map(String::from);
    assert_eq!(one.activate(&search, &all), ["mcp__many__parcel_6", "mcp__many__parcel_7"]);
    assert_eq!(one.names(&search)[2..], ["mcp__many__parcel_6", "mcp__many__parcel_7"]);
    // Without a cap a selection has no limit.
    let mut free = session(&search);
    assert_eq!(
        ask(
            &mut free,
            &search,
            &format!("select:{}", (0..9).map(|n| format!("parcel_{n}")).collect::<Vec<_>>().join(","))
        )
        .loaded
        .len(),
        9
    );
}

#[test]
fn restored_and_direct_tools_and_caps() {
    let mut search = small();
    let activated = ["webSearch", "mcp__chat__send_message", "mcp__tracker__create_issue"].map(String::from).to_vec();
    let options = SessionOptions { activated, max_tools: Some(4), overflow: Overflow::Evict, ..Default::default() };
    let mut one = search.session(options).unwrap();
    assert_eq!(one.names(&search), ["readFile", "toolSearch", "mcp__chat__send_message", "mcp__tracker__create_issue"]);
    // A direct tool that comes later takes the place of a loaded one, and a loaded one that becomes direct stays.
    let direct = AddOptions { load: LoadRule::All(Load::Direct), ..AddOptions::server("chat") };
    search.add(&[&tool("send_message", "Sends a message to a channel"), &tool("ping", "")], &direct).unwrap();
    assert_eq!(one.names(&search), ["readFile", "toolSearch", "mcp__chat__send_message", "mcp__chat__ping"]);
}
