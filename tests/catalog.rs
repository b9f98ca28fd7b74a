//! Rules A1 to A8: what a catalog holds, in which order, and what it refuses.

mod common;

use common::{add, deferring, find, names, small, tool};
use tool_search::{
    AddOptions, CallableNames, ErrorCode, Limits, Load, LoadRule, Options, SearchOptions, ServerStatus, ToolSearch,
};

fn all(search: &ToolSearch) -> Vec<&str> {
    search.tools().map(|t| t.name()).collect()
}

#[test]
fn a1_callable_and_raw_names() {
    let mut search = deferring();
    add(&mut search, "git hub", &[tool("create issue", ""), tool("mcp__git_hub__x", "")]);
    let tools: Vec<_> = search.tools().map(|t| (t.name(), t.raw_name(), t.server())).collect();
    assert_eq!(
        tools,
        [("mcp__git_hub__create_issue", "create issue", Some("git hub")), ("mcp__git_hub__x", "x", Some("git hub"))]
    );
    let mut plain = deferring();
    let options = AddOptions { prefix: false, ..AddOptions::server("s") };
    plain.add(&[&tool("x", "")], &options).unwrap();
    assert_eq!(all(&plain), ["x"]);
}

#[test]
fn c2_h4_many_names_of_one_spelling() {
    let spelt = |n: usize| (0..10).map(|bit| if n >> bit & 1 == 0 { "a-" } else { "a_" }).collect::<String>();
    let tools = |text: &str| (0..1_000).map(|n| tool(&spelt(n), text)).collect::<Vec<_>>();
    let mut search = deferring();
    add(&mut search, "s", &tools("old"));
    assert!(add(&mut search, "s", &tools("old")).is_empty());
    let mut reversed = tools("new");
    reversed.reverse();
    assert_eq!(add(&mut search, "s", &reversed).changed.len(), 1_000);
    add(&mut search, "t", &[tool("AA", "")]);
    for n in [0, 1, 500, 999] {
        let name = format!("mcp__s__{}", spelt(n));
        assert_eq!(search.get(&name).unwrap().name(), name);
        assert_eq!(names(&find(&search, &format!("select:{name}"))), [name]);
    }
    assert!(search.get(&format!("mcp__s__{}", spelt(1_000))).is_none());
    let first: Vec<&str> = search.tools().take(50).map(|tool| tool.name()).collect();
    assert_eq!(find(&search, "select:aaaaaaaaaa").ambiguous[0].candidates, first);
    assert_eq!(search.remove_server("s").removed.len(), 1_000);
    assert_eq!(names(&find(&search, "select:aa")), ["mcp__t__AA"]);
}

#[test]
fn a2_order_does_not_depend_on_when_servers_connect() {
    let servers = [("b", ["z", "a"]), ("a", ["m", "c"]), ("c", ["x", "b"])];
    let mut orders = Vec::new();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut search = deferring();
        for at in order {
            let (server, tools) = servers[at];
            add(&mut search, server, &tools.map(|t| tool(t, "")));
        }
        add(&mut search, "", &[tool("built", "")]);
        orders.push(all(&search).join(" "));
    }
    assert_eq!(orders[0], "built mcp__a__m mcp__a__c mcp__b__z mcp__b__a mcp__c__x mcp__c__b");
    assert!(orders.iter().all(|o| *o == orders[0]));
}

#[test]
fn a3_a_server_added_again_is_replaced_and_the_delta_says_how() {
    let mut search = small();
    let delta = add(
        &mut search,
        "tracker",
        &[
            tool("list_issues", "Lists the issues of a project"),
            tool("create_issue", "Another text"),
            tool("label", ""),
        ],
    );
    assert_eq!(delta.added, ["mcp__tracker__label"]);
    assert_eq!(delta.changed, ["mcp__tracker__create_issue"]);
    assert_eq!(delta.removed, ["mcp__tracker__close_issue"]);
    let again = add(
        &mut search,
        "tracker",
        &[
            tool("list_issues", "Lists the issues of a project"),
            tool("create_issue", "Another text"),
            tool("label", ""),
        ],
    );
    assert!(again.is_empty());
}

#[test]
fn a3_white_space_is_no_change_and_load_is_one() {
    let mut search = deferring();
    search.add(&[r#"{"name":"x","description":"d"}"#], &AddOptions::server("s")).unwrap();
    assert!(
        search.add(&["{ \"name\": \"x\",\n \"description\": \"d\" }"], &AddOptions::server("s")).unwrap().is_empty()
    );
    let direct = AddOptions { load: LoadRule::All(Load::Direct), ..AddOptions::server("s") };
    assert_eq!(search.add(&[r#"{"name":"x","description":"d"}"#], &direct).unwrap().changed, ["mcp__s__x"]);
}

#[test]
fn a4_a_changed_description_is_found_by_its_new_words_only() {
    let mut search = deferring();
    add(&mut search, "s", &[tool("x", "measures barometric pressure"), tool("y", "")]);
    assert_eq!(names(&find(&search, "barometric")), ["mcp__s__x"]);
    add(&mut search, "s", &[tool("x", "measures humidity"), tool("y", "")]);
    assert!(find(&search, "barometric").matches.is_empty());
    assert_eq!(names(&find(&search, "humidity")), ["mcp__s__x"]);
}

#[test]
fn a5_one_unusable_tool_adds_nothing() {
    let mut search = small();
    let before = search.len();
    let error =
        search.add(&[&tool("fine", ""), r#"{"name":"bad","inputSchema":5}"#], &AddOptions::server("n")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidTool);
    assert!(error.message().contains("tool 1 (\"bad\")"), "{error}");
    assert_eq!(search.len(), before);
    assert!(search.get("mcp__n__fine").is_none());
}

#[test]
fn a5_names_of_javascript_and_emoji_are_ordinary() {
    let mut search = deferring();
    let odd = ["__proto__", "constructor", "toString", "🦀", "名前"];
    add(&mut search, "", &odd.map(|n| tool(n, "")));
    for name in odd {
        assert_eq!(names(&find(&search, &format!("select:{name}"))), [name]);
        assert_eq!(names(&find(&search, name)), [name], "by itself");
    }
    add(&mut search, "s", &[tool("🐙", "")]);
    assert_eq!(names(&find(&search, "select:🐙")), ["mcp__s___"]);
}

#[test]
fn a6_reserved_and_duplicate_names() {
    let mut search = small();
    let code = |search: &mut ToolSearch, server: &str, name: &str| {
        let options = if server.is_empty() { AddOptions::default() } else { AddOptions::server(server) };
        search.add(&[&tool(name, "")], &options).unwrap_err().code()
    };
    assert_eq!(code(&mut search, "", "toolSearch"), ErrorCode::ReservedName);
    assert_eq!(code(&mut search, "", "webSearch"), ErrorCode::DuplicateName);
    assert_eq!(code(&mut search, "", "mcp__chat__send_message"), ErrorCode::DuplicateName);
    let twice = search.add(&[&tool("x", ""), &tool("x", "")], &AddOptions::server("n")).unwrap_err();
    assert_eq!(twice.code(), ErrorCode::DuplicateName);
    assert!(search.add(&[&tool("toolSearch", "")], &AddOptions::server("n")).is_ok());
}

#[test]
fn a7_always_load_and_direct_lists() {
    let mut search = deferring();
    let always = r#"{"name":"a","_meta":{"anthropic/alwaysLoad":true}}"#;
    let options =
        AddOptions { load: LoadRule::Direct(vec!["get_*".into(), "mcp__s__b".into()]), ..AddOptions::server("s") };
    search.add(&[always, &tool("b", ""), &tool("get_x", ""), &tool("c", "")], &options).unwrap();
    let direct: Vec<_> = search.tools().filter(|t| t.load() == Load::Direct).map(|t| t.raw_name()).collect();
    assert_eq!(direct, ["a", "b", "get_x"]);
}

#[test]
fn a8_limits_say_which_and_how_to_raise_them() {
    let mut options = Options::default();
    options.limits = Limits { tools: 2, definition_bytes: 200 };
    let mut search = ToolSearch::new(options).unwrap();
    let many = search.add(&[&tool("a", ""), &tool("b", ""), &tool("c", "")], &AddOptions::default()).unwrap_err();
    assert_eq!(many.code(), ErrorCode::LimitExceeded);
    assert!(many.message().contains("limits.tools"));
    let long = search.add(&[&tool("a", &"x".repeat(300))], &AddOptions::default()).unwrap_err();
    assert_eq!(long.code(), ErrorCode::LimitExceeded);
    assert!(long.message().contains("\"a\"") && long.message().contains("limits.definitionBytes"), "{long}");
    // A server that is replaced makes room for itself.
    add(&mut search, "s", &[tool("a", ""), tool("b", "")]);
    add(&mut search, "s", &[tool("c", ""), tool("d", "")]);
}

#[test]
fn other_shapes_are_taken_and_found() {
    let mut search = deferring();
    search
        .add(
            &[
                r#"{"type":"function","function":{"name":"nested","description":"one","parameters":{"type":"object","properties":{"altitude":{}}}}}"#,
                r#"{"type":"function","name":"flat","description":"two","parameters":{"type":"object"}}"#,
                r#"{"name":"claude","description":"three","input_schema":{"type":"object"}}"#,
            ],
            &AddOptions::default(),
        )
        .unwrap();
    assert_eq!(all(&search), ["nested", "flat", "claude"]);
    assert_eq!(names(&find(&search, "altitude")), ["nested"]);
}

#[test]
fn servers_come_and_go() {
    let mut search = small();
    assert_eq!(search.remove_server("chat").removed, ["mcp__chat__send_message", "mcp__chat__list_channels"]);
    assert!(search.remove_server("chat").is_empty());
    assert!(find(&search, "channels").matches.is_empty());
    assert_eq!(search.set_server_status("", ServerStatus::Failed, None).unwrap_err().code(), ErrorCode::InvalidOption);
}

#[test]
fn options_are_checked() {
    let code = |change: &dyn Fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        ToolSearch::new(options).err().map(|e| e.code())
    };
    assert_eq!(code(&|o| o.max_results = 0), Some(ErrorCode::InvalidOption));
    assert_eq!(code(&|o| o.max_results = 51), Some(ErrorCode::InvalidOption));
    assert_eq!(code(&|o| o.context_window = 0), Some(ErrorCode::InvalidOption));
    assert_eq!(code(&|o| o.threshold = tool_search::Threshold::Percent(f64::NAN)), Some(ErrorCode::InvalidOption));
    assert_eq!(code(&|o| o.search_tool_name = "tool search".into()), Some(ErrorCode::InvalidOption));
    assert_eq!(code(&|o| o.search_tool_name = "find_tools".into()), None);
}

#[test]
fn a1_portable_names_fit_every_provider_and_lead_back() {
    let mut options = Options::default();
    options.callable_names = CallableNames::Portable;
    let mut search = ToolSearch::new(options).unwrap();
    let long = format!("create_{}", "very_".repeat(20));
    let tools = [
        format!(r#"{{"name":"{long}"}}"#),
        r#"{"name":"法令"}"#.into(),
        r#"{"name":"検索"}"#.into(),
        r#"{"name":"a.b"}"#.into(),
    ];
    search.add(&tools.each_ref().map(String::as_str), &AddOptions::server("law")).unwrap();
    for tool in search.tools() {
        let name = tool.name();
        assert!(name.len() <= 64 && name.starts_with("mcp__law__"), "{name}");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')), "{name}");
    }
    let found = |query: &str| search.search(query, &SearchOptions::default()).unwrap();
    for (written, raw) in
        [(format!("mcp__law__{long}"), &*long), (long.clone(), &long), ("a.b".into(), "a.b"), ("法令".into(), "法令")]
    {
        let result = found(&format!("select:{written}"));
        assert_eq!(result.matches[0].tool.raw_name(), raw, "{written}");
    }
    let text = found("select:a.b").matches[0].tool.name().to_owned();
    assert_eq!(found(&format!("select:{text}")).matches[0].tool.raw_name(), "a.b");
}
