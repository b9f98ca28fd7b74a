//! Rules C1 to C5 and C9 to C11: what a query is taken for, and which tools it may find.

mod common;

use common::{add, deferring, find, holding, names, small, tool, with};
use tool_search::{ErrorCode, QueryKind, SearchOptions, SearchResult, ServerStatus, Tier};

#[test]
fn c1_select() {
    let search = small();
    let result = find(&search, "SELECT: \"close_issue\", webSearch,nope , WEBSEARCH, readFile");
    assert_eq!(result.kind, QueryKind::Select);
    assert_eq!(names(&result), ["mcp__tracker__close_issue", "webSearch"]);
    assert_eq!((result.missing, result.direct), (vec!["nope".to_owned()], vec!["readFile".to_owned()]));
    let many = (0..60).map(|n| tool(&format!("t{n}"), "")).collect::<Vec<_>>();
    let mut big = deferring();
    add(&mut big, "", &many);
    let asked: Vec<String> = (0..60).rev().map(|n| format!("t{n}")).collect();
    assert_eq!(names(&find(&big, &format!("select:{}", asked.join(",")))), asked, "uncapped, in the order asked");
}

#[test]
fn c2_spellings_of_a_name() {
    let search = small();
    for name in [
        "mcp__tracker__create_issue",
        "MCP__TRACKER__CREATE_ISSUE",
        "create_issue",
        "createIssue",
        "tracker.create_issue",
        "tracker__create_issue",
    ] {
        for query in [name.to_owned(), format!("select:{name}")] {
            assert_eq!(names(&find(&search, &query)), ["mcp__tracker__create_issue"], "{query}");
        }
    }
    let words = find(&search, "create issue");
    assert_eq!((words.matches[0].tool.raw_name(), words.matches[0].tier), ("create_issue", Tier::Alias));
}

#[test]
fn c2_the_exact_raw_name_comes_before_looser_spellings() {
    let mut search = deferring();
    add(&mut search, "a", &[tool("create_issue", "")]);
    add(&mut search, "b", &[tool("createIssue", "")]);
    assert_eq!(names(&find(&search, "select:createIssue")), ["mcp__b__createIssue"]);
    assert_eq!(names(&find(&search, "select:create_issue")), ["mcp__a__create_issue"]);
    assert_eq!(find(&search, "select:Create-Issue").ambiguous[0].candidates.len(), 2);
}

#[test]
fn c2_of_names_that_thousands_share_the_visible_ones_count() {
    // All 2,048 of them are `aaaaaaaaaaa` but for what stands between the letters.
    let name = |n: usize, marks: [&str; 2]| (0..11).map(|bit| marks[n >> bit & 1]).collect::<String>();
    let mut search = deferring();
    add(&mut search, "", &(0..2_048).map(|n| tool(&name(n, ["a_", "a-"]), "")).collect::<Vec<_>>());
    for only in [0, 1_000, 2_047] {
        let only = name(only, ["a_", "a-"]);
        let allowed = with(&search, "select:AAAAAAAAAAA", |o| o.allow = Some(vec![only.clone()])).unwrap();
        assert_eq!(names(&allowed), [only]);
    }
    // What a query can ask for is bounded by its own length.
    let all: Vec<String> = (0..2_048).map(|n| name(n, ["a.", "a/"])).collect();
    let result = find(&search, &format!("select:{}", all.join(",")));
    assert_eq!(result.ambiguous.len(), 2_048);
    assert_eq!(result.ambiguous[0].candidates.len(), 50);
    assert!(result.ambiguous.iter().all(|a| a.candidates.len() >= 2));
    let told: usize = result.ambiguous.iter().map(|a| a.candidates.len()).sum();
    assert!(told <= 1_000 + 2 * 2_048);
}

#[test]
fn c2_shared_names_are_never_guessed() {
    let mut search = small();
    add(&mut search, "other", &[tool("create_issue", "")]);
    let result = find(&search, "select:create_issue,send_message");
    assert_eq!(names(&result), ["mcp__chat__send_message"]);
    assert_eq!(result.ambiguous.len(), 1);
    assert_eq!(result.ambiguous[0].candidates, ["mcp__other__create_issue", "mcp__tracker__create_issue"]);
    assert_eq!(
        names(&with(&search, "select:create_issue", |o| o.deny = vec!["mcp__other__*".into()]).unwrap()).len(),
        1
    );
}

#[test]
fn c3_names_among_other_words_come_first_and_survive_the_limit() {
    let search = small();
    let result = with(&search, "list channels or else close_issue webSearch", |o| o.limit = Some(1.0)).unwrap();
    assert_eq!(names(&result), ["webSearch", "mcp__tracker__close_issue"]);
    assert_eq!(result.matches.iter().map(|m| m.tier).collect::<Vec<_>>(), [Tier::Exact, Tier::Alias]);
    let both = find(&search, "send_message, list_issues");
    assert_eq!(
        (both.kind, names(&both)),
        (QueryKind::Select, vec!["mcp__chat__send_message", "mcp__tracker__list_issues"])
    );
    assert_eq!(find(&search, "readFile").direct, ["readFile"]);
}

#[test]
fn c3_plain_words_of_a_sentence_are_no_names() {
    let tools = [
        tool("send", "Send a request to an address"),
        tool("email_report", "Send a report by email to a person"),
        tool("web_fetch", "Get a page"),
    ];
    let search = holding(&tools);
    let first = |query: &str| names(&find(&search, query))[0].to_owned();
    assert_eq!(first("please send the report by email to Anna"), "email_report");
    assert_eq!(first("send report email"), "send", "so few words may well be names");
    assert_eq!(first("please send the report by email with web_fetch"), "web_fetch", "no sentence would have that");
}

#[test]
fn c4_servers() {
    let search = small();
    for query in ["tracker", "Tracker", "mcp__tracker", "mcp__tracker__", "server:tracker", "Server: tracker"] {
        let result = find(&search, query);
        assert_eq!(result.kind, QueryKind::Server, "{query}");
        assert_eq!(
            names(&result),
            ["mcp__tracker__create_issue", "mcp__tracker__list_issues", "mcp__tracker__close_issue"],
            "{query}"
        );
    }
    assert_eq!(names(&find(&search, "mcp__tracker__c")), ["mcp__tracker__create_issue", "mcp__tracker__close_issue"]);
    assert_eq!(find(&search, "mcp__").matches.len(), 5);
    assert_eq!(names(&find(&search, "server:chat list")), ["mcp__chat__list_channels"]);
    assert!(find(&search, "server:nowhere list").matches.is_empty());
    let first = with(&search, "tracker", |o| o.limit = Some(1.0)).unwrap();
    assert_eq!((first.matches.len(), first.more), (1, 2));
}

#[test]
fn c5_required_words_filter() {
    let search = small();
    assert_eq!(names(&find(&search, "+tracker list")), ["mcp__tracker__list_issues"]);
    assert_eq!(names(&find(&search, "+close")), ["mcp__tracker__close_issue"]);
    assert!(find(&search, "+nothing list").matches.is_empty());
    assert_eq!(with(&search, "+", |_| ()).unwrap_err().code(), ErrorCode::EmptyQuery);
    let plain = find(&search, "list");
    let filtered = with(&search, "+channels list", |_| ()).unwrap();
    let score = |r: &SearchResult| r.matches.iter().find(|m| m.tool.raw_name() == "list_channels").map(|m| m.score);
    assert_eq!(score(&plain), score(&filtered), "a required word adds nothing to a score");
}

#[test]
fn c9_what_is_hidden_is_nowhere() {
    let mut search = small();
    add(&mut search, "secret", &[tool("exfiltrate_vault", "Opens the vault"), tool("vault_list", "")]);
    for query in [
        "vault",
        "select:exfiltrate_vault",
        "exfiltrate vaul",
        "secret",
        "server:secret",
        "mcp__secret",
        "+vault list",
        "exfiltrate_vaults",
    ] {
        for hide in [
            |o: &mut SearchOptions| o.deny = vec!["mcp__secret__*".into()],
            |o: &mut SearchOptions| o.allow = Some(vec!["*issue*".into()]),
        ] {
            let result = with(&search, query, hide).unwrap();
            let text =
                format!("{:?}{:?}{:?}{:?}", names(&result), result.suggestions, result.ambiguous, result.unavailable);
            assert!(!text.contains("vault"), "{query}: {text}");
        }
    }
    // As if it were not there: the word is unknown.
    let hidden = with(&search, "list vault", |o| o.deny = vec!["mcp__secret__*".into()]).unwrap();
    assert_eq!(hidden.unknown, ["vault"]);
    let mut two = deferring();
    add(&mut two, "git-hub", &[tool("aaa", "")]);
    add(&mut two, "git_hub", &[tool("bbb", "")]);
    assert_eq!(names(&with(&two, "github", |o| o.deny = vec!["aaa".into()]).unwrap()), ["mcp__git_hub__bbb"]);
    let only = with(&search, "list", |o| o.server = Some("secret".into())).unwrap();
    assert_eq!(names(&only), ["mcp__secret__vault_list"]);
}

#[test]
fn c9_filters_come_before_the_limit() {
    let search = small();
    let result = with(&search, "list issues", |o| (o.limit, o.deny) = (Some(1.0), vec!["list_issues".into()])).unwrap();
    assert_eq!(result.matches.len(), 1);
}

#[test]
fn c10_any_limit_is_clamped() {
    let mut search = deferring();
    add(&mut search, "", &(0..60).map(|n| tool(&format!("same_{n}"), "")).collect::<Vec<_>>());
    for (limit, count) in [(0.0, 1), (-3.0, 1), (2.7, 2), (f64::NAN, 5), (1e12, 50), (f64::INFINITY, 50)] {
        assert_eq!(with(&search, "same", |o| o.limit = Some(limit)).unwrap().matches.len(), count, "{limit}");
    }
}

#[test]
fn c11_patterns() {
    let search = small();
    let regex = |pattern: &str| with(&search, pattern, |o| o.regex = true);
    assert_eq!(names(&regex("_issue$").unwrap()), ["mcp__tracker__create_issue", "mcp__tracker__close_issue"]);
    assert_eq!(names(&regex("(?i)PAGES").unwrap()), ["webSearch"]);
    assert_eq!(regex("[").unwrap_err().code(), ErrorCode::InvalidPattern);
    assert_eq!(regex(&"é".repeat(201)).unwrap_err().code(), ErrorCode::PatternTooLong);
    assert!(regex(&"é".repeat(200)).is_ok());
    assert!(regex("(x+x+)+y").unwrap().matches.is_empty());
    assert!(regex("((((a{50}){50}){50}){50})").is_err(), "bounded in size, too");
}

#[test]
fn down_servers_are_told_and_not_found() {
    let mut search = small();
    search.set_server_status("tracker", ServerStatus::Disconnected, Some("gone\naway")).unwrap();
    search.set_server_status("new", ServerStatus::Pending, None).unwrap();
    let result = find(&search, "issue");
    assert!(result.matches.is_empty());
    let down: Vec<_> = result.unavailable.iter().map(|u| (u.server.as_str(), u.status, u.reason.as_deref())).collect();
    assert_eq!(
        down,
        [("new", ServerStatus::Pending, None), ("tracker", ServerStatus::Disconnected, Some("gone away"))]
    );
    let select = find(&search, "select:close_issue");
    assert!(select.matches.is_empty() && select.missing.is_empty() && select.unavailable.len() == 1);
    assert_eq!(find(&search, "channels").unavailable.len(), 1, "only the one whose tools nobody knows");
    search.set_server_status("tracker", ServerStatus::Ready, None).unwrap();
    assert_eq!(find(&search, "close_issue").matches.len(), 1);
}

#[test]
fn close_names_are_suggested() {
    let search = small();
    assert_eq!(find(&search, "select:creat_isue").suggestions[0], "mcp__tracker__create_issue");
    let two = find(&search, "select:send_msg,list_chanels").suggestions;
    assert_eq!(two[..2], ["mcp__chat__send_message", "mcp__chat__list_channels"]);
    assert_eq!(
        find(&search, "select:mcp__tracker__open_ticket").suggestions[0],
        "mcp__tracker__create_issue",
        "by what it says"
    );
    assert!(find(&search, "select:zzz").suggestions.is_empty());
}
