//! Rules F1 to F8: sessions, replies, formats.

mod common;

use common::{add, ask, deferring, engine, session, small, tool};
use tool_search::{
    AddOptions, CallResolution, Defer, Error, ErrorCode, Format, Load, LoadRule, Options, PlanOptions, SearchInput,
    ServerStatus, Session, SessionOptions, ToolSearch,
};

#[test]
fn f1_arrays_only_grow_at_their_end() {
    let search = small();
    let mut one = session(&search);
    assert_eq!(one.names(&search), ["readFile", "toolSearch"]);
    for (query, last) in [
        ("select:list_channels", "mcp__chat__list_channels"),
        ("select:webSearch", "webSearch"),
        ("create_issue", "mcp__tracker__create_issue"),
    ] {
        let before: Vec<_> = Format::ALL.map(|f| one.tools(&search, f)).into();
        let reply = ask(&mut one, &search, query);
        assert!(reply.changed && reply.loaded == [last], "{query}");
        for (format, before) in Format::ALL.into_iter().zip(before) {
            let after = one.tools(&search, format);
            assert_eq!(after.len(), before.len() + 1);
            assert_eq!(after[..before.len()], before);
        }
    }
    assert_eq!(one.activated(&search), ["mcp__chat__list_channels", "webSearch", "mcp__tracker__create_issue"]);
}

#[test]
fn f2_loaded_tools_are_to_be_called() {
    let search = small();
    let mut one = session(&search);
    ask(&mut one, &search, "select:webSearch");
    let before = one.tools(&search, Format::Mcp);
    for query in ["select:webSearch", "webSearch", "select:readFile", "web search"] {
        let reply = ask(&mut one, &search, query);
        assert!(!reply.changed && reply.loaded.is_empty(), "{query}");
        assert!(reply.text.contains("already loaded: call directly"), "{query}: {}", reply.text);
    }
    assert_eq!(ask(&mut one, &search, "select:webSearch").already_loaded, ["webSearch"]);
    assert_eq!(one.tools(&search, Format::Mcp), before);
}

#[test]
fn f3_calls() {
    let mut search = small();
    search
        .add(
            &[r#"{"name":"book","inputSchema":{"properties":{"note":{"type":["string","null"]},"day":{"type":"string"}},"required":["day"]}}"#],
            &AddOptions::server("rooms"),
        )
        .unwrap();
    let mut one = search.session(SessionOptions { deny: vec!["close_issue".into()], ..Default::default() }).unwrap();
    match one.resolve(&search, "book") {
        CallResolution::Activated(tool, text) => {
            assert_eq!(tool.name(), "mcp__rooms__book");
            assert!(text.contains("Parameters: day (string, required), note (string,null)."), "{text}");
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(one.resolve(&search, "mcp__rooms__book"), CallResolution::Ready(t) if t.raw_name() == "book"));
    assert!(matches!(one.resolve(&search, "readFile"), CallResolution::Ready(_)));
    for name in ["toolSearch", "tool_search", "toolsearch"] {
        assert!(matches!(one.resolve(&search, name), CallResolution::Search), "{name}");
    }
    match one.resolve(&search, "mcp__tracker__create_isue") {
        CallResolution::Unknown { suggestions, text } => {
            assert_eq!(suggestions[0], "mcp__tracker__create_issue");
            assert!(text.contains("mcp__tracker__create_issue"));
        }
        other => panic!("{other:?}"),
    }
    match one.resolve(&search, "mcp__tracker__close_issue") {
        CallResolution::Unknown { suggestions, text } => {
            assert!(
                !suggestions.iter().any(|s| s.contains("close")) && !text.contains("Close names: mcp__tracker__close"),
                "{text}"
            );
        }
        other => panic!("a hidden tool is unknown: {other:?}"),
    }
    search.set_server_status("rooms", ServerStatus::Disconnected, None).unwrap();
    search.set_server_status("later", ServerStatus::Pending, None).unwrap();
    for (name, server) in [("mcp__rooms__book", "rooms"), ("mcp__later__x", "later")] {
        match one.resolve(&search, name) {
            CallResolution::Unavailable { server: s, text, .. } => assert!(s == server && text.contains(server)),
            other => panic!("{other:?}"),
        }
    }
    add(&mut search, "other", &[tool("create_issue", "")]);
    assert!(
        matches!(one.resolve(&search, "create_issue"), CallResolution::Ambiguous { candidates, .. } if candidates.len() == 2)
    );
}

#[test]
fn f4_changes_are_told_once() {
    let mut search = small();
    let mut one = session(&search);
    assert_eq!(one.announce(&search), "");
    add(&mut search, "chat", &[tool("send_message", "Sends a message to a channel"), tool("archive", "")]);
    add(&mut search, "alpha", &[tool("z", ""), tool("a", "")]);
    let text = one.announce(&search);
    let place = |name: &str| text.find(name).unwrap_or_else(|| panic!("{name} in {text}"));
    assert!(place("mcp__alpha__z") < place("mcp__alpha__a") && place("mcp__alpha__a") < place("mcp__chat__archive"));
    assert!(place("gone") < place("mcp__chat__list_channels"));
    assert!(!text.contains("send_message"));
    assert_eq!(one.announce(&search), "");
    // Gone and back, or replaced by the same: no news.
    search.remove_server("alpha");
    add(&mut search, "alpha", &[tool("z", ""), tool("a", "")]);
    assert_eq!(one.announce(&search), "");
    let mut filtered =
        search.session(SessionOptions { allow: Some(vec!["mcp__chat__*".into()]), ..Default::default() }).unwrap();
    add(&mut search, "beta", &[tool("hidden", "")]);
    assert_eq!(filtered.announce(&search), "");
}

#[test]
fn f4_a_server_that_lists_without_end_is_told_in_part() {
    let mut search = small();
    let mut one = session(&search);
    let many: Vec<String> = (0..5_000).map(|n| tool(&format!("t{n:04}"), "")).collect();
    add(&mut search, "alpha", &many);
    let text = one.announce(&search);
    assert!(text.contains("mcp__alpha__t0499 and 4500 more."), "{text}");
    assert!(!text.contains("t0500"));
    search.remove_server("alpha");
    assert!(one.announce(&search).ends_with("mcp__alpha__t0499 and 4500 more."));
}

#[test]
fn f5_what_is_removed_must_be_loaded_again() {
    let mut search = small();
    let mut one = session(&search);
    ask(&mut one, &search, "select:send_message,create_issue");
    search.remove_server("chat");
    assert_eq!(one.names(&search), ["readFile", "toolSearch", "mcp__tracker__create_issue"]);
    add(&mut search, "chat", &[tool("send_message", "Sends a message to a channel")]);
    assert_eq!(one.names(&search), ["readFile", "toolSearch", "mcp__tracker__create_issue"]);
    assert_eq!(one.activated(&search), ["mcp__tracker__create_issue"]);
    assert!(ask(&mut one, &search, "select:send_message").changed);
    // A server that is replaced keeps the tools that it still has where they are.
    add(&mut search, "tracker", &[tool("create_issue", "New text"), tool("other", "")]);
    assert_eq!(one.names(&search), ["readFile", "toolSearch", "mcp__tracker__create_issue", "mcp__chat__send_message"]);
    assert!(one.tools(&search, Format::Mcp)[2].contains("New text"));
}

#[test]
fn f5_state_restores_what_still_exists() {
    let search = small();
    let activated =
        ["gone", "mcp__chat__send_message", "readFile", "webSearch", "webSearch"].map(String::from).to_vec();
    let mut one = search.session(SessionOptions { activated, ..Default::default() }).unwrap();
    assert_eq!(one.names(&search), ["readFile", "toolSearch", "mcp__chat__send_message", "webSearch"]);
    assert_eq!(one.activated(&search), ["mcp__chat__send_message", "webSearch"]);
}

#[test]
fn f6_sessions_are_independent() {
    let search = small();
    let mut all: Vec<Session> = (0..200).map(|_| session(&search)).collect();
    ask(&mut all[7], &search, "select:webSearch");
    let lengths: Vec<usize> = all.iter_mut().map(|s| s.names(&search).len()).collect();
    assert_eq!(lengths.iter().filter(|l| **l == 3).count(), 1);
    let mut sub = search
        .session(SessionOptions { allow: Some(vec!["create_issue".into(), "webSearch".into()]), ..Default::default() })
        .unwrap();
    assert_eq!(sub.names(&search), ["toolSearch"]);
    assert!(!sub.prompt().contains("chat") && !sub.prompt().contains("list_issues"));
    assert_eq!(ask(&mut sub, &search, "issue").loaded, ["mcp__tracker__create_issue"]);
    assert!(!ask(&mut sub, &search, "channel").text.contains("chat"));
}

#[test]
fn f7_unusable_input_is_explained() {
    let search = small();
    let mut one = session(&search);
    for json in ["", "null", "5", "[]", "{}", r#"{"query":5}"#, r#"{"query":null}"#, r#"{"q":"x"}"#, "{"] {
        let reply = one.handle(&search, &SearchInput::from_json(json));
        assert_eq!(reply.error.as_ref().map(Error::code), Some(ErrorCode::InvalidInput), "{json}");
        assert!(reply.text.contains("toolSearch") && reply.result.is_none() && !reply.changed);
    }
    for (query, code) in
        [("", ErrorCode::EmptyQuery), ("select:", ErrorCode::EmptySelect), ("???", ErrorCode::NoTokens)]
    {
        assert_eq!(ask(&mut one, &search, query).error.map(|e| e.code()), Some(code));
    }
    let text = one.handle(&search, &SearchInput::from_json(r#"{"query":"issue","max_results":"1","why":{}}"#));
    assert_eq!(text.loaded.len(), 1);
}

#[test]
fn f8_replies_are_short_and_show_no_hints() {
    let mut options = Options::default();
    options.defer = Defer::Always;
    options.keywords = [("plain".to_owned(), vec!["kryptonite".to_owned()])].into();
    let mut search = ToolSearch::new(options).unwrap();
    search
        .add(
            &[
                r#"{"name":"plain","description":"A tool","annotations":{"searchHint":"unobtainium"}}"#,
                &tool("long", &"word ".repeat(2_000)),
            ],
            &AddOptions::default(),
        )
        .unwrap();
    let mut one = session(&search);
    for query in ["kryptonite", "unobtainium", "kryptonit", "word", "nothing here"] {
        let text = ask(&mut one, &search, query).text;
        assert!(text.len() < 600, "{}", text.len());
        assert!(!text.contains("kryptonite") && !text.contains("unobtainium"), "{text}");
    }
    assert!(!one.prompt().contains("kryptonite") && !one.prompt().contains("unobtainium"));
}

#[test]
fn replies_say_what_there_is() {
    let mut search = small();
    let mut one = session(&search);
    let few = ask(&mut one, &search, "teleport").text;
    assert!(few.contains("webSearch") && few.contains("mcp__chat__send_message"), "{few}");
    add(&mut search, "more", &(0..20).map(|n| tool(&format!("t{n}"), "")).collect::<Vec<_>>());
    search.set_server_status("slow", ServerStatus::Pending, None).unwrap();
    let many = ask(&mut one, &search, "teleport").text;
    assert!(many.contains("chat, more, tracker") && many.contains("Server slow is still connecting"), "{many}");
    assert!(!ask(&mut one, &search, "send message").text.contains("slow"), "with matches it is no news");
    let low = ask(&mut one, &search, "list teleporters").text;
    assert!(low.contains("No tool knows \"teleporters\""), "{low}");
}

#[test]
fn f8_however_much_is_loaded_the_reply_is_short() {
    let mut search = deferring();
    add(&mut search, "", &(0..500).map(|n| tool(&format!("t{n}"), &"very long ".repeat(50))).collect::<Vec<_>>());
    let mut one = session(&search);
    let all: Vec<String> = (0..500).map(|n| format!("t{n}")).collect();
    let reply = ask(&mut one, &search, &format!("select:{}", all.join(",")));
    assert_eq!(reply.loaded.len(), 500);
    assert!(reply.text.len() < 8_000 && reply.text.contains("and 470 more"), "{}", reply.text.len());
}

/// So many that holding each against each would take long.
#[test]
fn f3_as_many_parameters_as_fit_into_a_definition() {
    let mut search = deferring();
    let names: Vec<String> = (0..50_000).map(|n| format!("\"p{n}\"")).collect();
    let properties: Vec<String> = names.iter().map(|name| format!("{name}:{{}}")).collect();
    let required = names[25_000..].join(",");
    let tool = format!(
        r#"{{"name":"wide","inputSchema":{{"properties":{{{}}},"required":[{required}]}}}}"#,
        properties.join(",")
    );
    search.add(&[&tool], &AddOptions::default()).unwrap();
    let CallResolution::Activated(_, text) = session(&search).resolve(&search, "wide") else { panic!() };
    assert!(text.contains("p25000 (required), p25001") && text.ends_with("and 49970 more."), "{text}");
}

#[test]
fn f8_however_much_is_not_found_the_reply_is_short() {
    let mut search = deferring();
    for server in 0..40 {
        add(&mut search, &format!("s{server}"), &(0..60).map(|n| tool(&format!("n{n}"), "")).collect::<Vec<_>>());
        search
            .set_server_status(&format!("down{server}"), ServerStatus::Pending, Some(&"so slow ".repeat(50)))
            .unwrap();
    }
    let names: Vec<String> = (0..60).flat_map(|n| [format!("n{n}"), format!("nothing{n}")]).collect();
    let reply = ask(&mut session(&search), &search, &format!("select:{}", names.join(",")));
    let result = reply.result.unwrap();
    assert_eq!((result.ambiguous.len(), result.missing.len(), result.unavailable.len()), (60, 60, 40));
    for part in ["55 more names are several tools each", "nothing29 and 30 more", "10 more servers cannot be used now"]
    {
        assert!(reply.text.contains(part), "{part}: {}", reply.text);
    }
    assert!(reply.text.len() < 16_000, "{}", reply.text.len());
}

#[test]
fn replies_say_where_further_matches_are() {
    let mut search = small();
    for (server, n) in [("many", 9), ("few", 2)] {
        add(&mut search, server, &(0..n).map(|i| tool(&format!("parcel_{i}"), "")).collect::<Vec<_>>());
    }
    let mut one = session(&search);
    let text = ask(&mut one, &search, "parcel").text;
    assert!(text.contains("6 more match of many:"), "{text}");
    let text = one.handle(&search, &SearchInput { query: Some("parcel".into()), max_results: Some(1.0) }).text;
    assert!(text.contains("10 more match of many, few:"), "{text}");
}

#[test]
fn compaction() {
    let search = small();
    let mut one = session(&search);
    ask(&mut one, &search, "select:webSearch,send_message");
    one.reset(&search);
    assert_eq!(one.names(&search), ["readFile", "toolSearch"]);
    assert!(one.activated(&search).is_empty());
    assert!(matches!(one.resolve(&search, "webSearch"), CallResolution::Activated(..)));
    assert_eq!(one.names(&search), ["readFile", "toolSearch", "webSearch"]);
}

#[test]
fn activation_by_name() {
    let search = small();
    let mut one = session(&search);
    let names = ["send_message", "readFile", "nope", "send_message"].map(String::from);
    assert_eq!(one.activate(&search, &names), ["mcp__chat__send_message"]);
}

#[test]
fn formats_are_what_providers_take() {
    let mut search = engine(|o| o.defer = Defer::Never);
    let given = r#"{"name":"x","description":"say \"hi\"","inputSchema":{"type":"object","properties":{"b":{},"a":{}}},"icons":[]}"#;
    search.add(&[given, r#"{"name":"y","description":null,"inputSchema":true}"#], &AddOptions::server("s")).unwrap();
    let mut one = session(&search);
    let schema = r#"{"type":"object","properties":{"b":{},"a":{}}}"#;
    let (name, about) = (r#""name":"mcp__s__x""#, r#""description":"say \"hi\"""#);
    for (format, json) in [
        (Format::Mcp, format!(r#"{{{name},{about},"inputSchema":{schema},"icons":[]}}"#)),
        (Format::OpenaiChat, format!(r#"{{"type":"function","function":{{{name},{about},"parameters":{schema}}}}}"#)),
        (
            Format::OpenaiResponses,
            format!(r#"{{"type":"function",{name},{about},"parameters":{schema},"strict":false}}"#),
        ),
        (Format::Anthropic, format!(r#"{{{name},{about},"input_schema":{schema}}}"#)),
        (Format::Gemini, format!(r#"{{{name},{about},"parametersJsonSchema":{schema}}}"#)),
    ] {
        assert_eq!(one.tools(&search, format)[0], json);
    }
    assert_eq!(
        one.tools(&search, Format::Anthropic)[1],
        r#"{"name":"mcp__s__y","input_schema":{"type":"object","properties":{}}}"#
    );
    let mut searching = search
        .session(SessionOptions {
            plan: PlanOptions { defer: Some(Defer::Always), ..Default::default() },
            ..Default::default()
        })
        .unwrap();
    for format in Format::ALL {
        let json: serde_json::Value = serde_json::from_str(&searching.tools(&search, format)[0]).unwrap();
        let inner = if format == Format::OpenaiChat { &json["function"] } else { &json };
        assert_eq!(inner["name"], "toolSearch");
    }
}

#[test]
fn direct_tools_that_come_later_are_appended() {
    let mut search = small();
    let mut one = session(&search);
    ask(&mut one, &search, "select:webSearch");
    let direct = AddOptions { load: LoadRule::All(Load::Direct), ..AddOptions::server("a") };
    search.add(&[&tool("late", "")], &direct).unwrap();
    assert_eq!(one.names(&search), ["readFile", "toolSearch", "webSearch", "mcp__a__late"]);
    assert_eq!(session(&search).names(&search), ["readFile", "mcp__a__late", "toolSearch"]);
}

#[test]
fn a_reset_leaves_what_is_sent_whole() {
    let mut search = small();
    let never = PlanOptions { defer: Some(Defer::Never), ..Default::default() };
    let mut whole = search.session(SessionOptions { plan: never, ..Default::default() }).unwrap();
    let mut one = session(&search);
    one.activate(&search, &["create_issue".to_owned()]);
    add(&mut search, "late", &[tool("send", "")]);
    ask(&mut whole, &search, "select:send");
    whole.reset(&search);
    assert!(whole.names(&search).contains(&"mcp__late__send".to_owned()));
    let direct = AddOptions { load: LoadRule::All(Load::Direct), ..AddOptions::server("tracker") };
    search.add(&[&tool("create_issue", "Opens an issue in a project")], &direct).unwrap();
    one.reset(&search);
    assert_eq!(one.names(&search), ["readFile", "toolSearch", "mcp__tracker__create_issue"]);
}

#[test]
fn what_became_direct_is_not_gone() {
    let mut search = small();
    let mut one = session(&search);
    let direct = AddOptions { load: LoadRule::All(Load::Direct), ..AddOptions::server("chat") };
    search
        .add(
            &[&tool("send_message", "Sends a message to a channel"), &tool("list_channels", "Lists channels")],
            &direct,
        )
        .unwrap();
    assert_eq!(one.announce(&search), "");
}

#[test]
fn a_selection_says_of_each_name_what_became_of_it() {
    let mut search = small();
    search.set_server_status("chat", ServerStatus::Failed, None).unwrap();
    let mut one = session(&search);
    let text = ask(&mut one, &search, "select:create_issue,send_message").text;
    assert!(text.contains("Loaded 1 tool") && text.contains("Server chat failed"), "{text}");
    let denied = SessionOptions { deny: vec!["list_channels".into()], ..Default::default() };
    let mut denied = search.session(denied).unwrap();
    assert!(matches!(denied.resolve(&search, "mcp__chat__list_channels"), CallResolution::Unknown { .. }));
}

#[test]
fn an_allowed_tool_of_a_pending_server_is_unavailable() {
    let mut search = small();
    search.set_server_status("slack", ServerStatus::Pending, None).unwrap();
    for (allow, seen) in
        [("mcp__slack__send", true), ("mcp__sl*", true), ("*", true), ("webSearch", false), ("mcp__other__*", false)]
    {
        let mut one = search.session(SessionOptions { allow: Some(vec![allow.into()]), ..Default::default() }).unwrap();
        let found = matches!(one.resolve(&search, "mcp__slack__send"), CallResolution::Unavailable { .. });
        assert_eq!(found, seen, "{allow}");
    }
}
