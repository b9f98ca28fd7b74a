//! Rules B1 to B6 and C6 to C8: what words find, and in which order.

mod common;

use common::{add, deferring, find, holding, names, small, tool, with};
use tool_search::{AddOptions, Confidence, ErrorCode, Options, Ranking, SearchResult, Tier, ToolSearch};

#[test]
fn b1_every_field_is_searched() {
    let mut options = Options::default();
    options.keywords = vec![("plain".into(), vec!["zeppelin".into()]), ("pla*".into(), vec!["dirigible".into()])];
    let mut search = ToolSearch::new(options).unwrap();
    search
        .add(
            &[
                r#"{"name":"alpha_beta","title":"Gamma","description":"delta","annotations":{"searchHint":"epsilon"},
                    "_meta":{"anthropic/searchHint":"zeta"},"inputSchema":{"properties":{"eta":{"description":"theta","enum":["iota"]}}},
                    "outputSchema":{"properties":{"kappa":{"description":"lambda"}}}}"#,
                &tool("plain", ""),
            ],
            &AddOptions::server("omega"),
        )
        .unwrap();
    for word in ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"] {
        assert_eq!(names(&find(&search, word)), ["mcp__omega__alpha_beta"], "{word}");
    }
    assert!(find(&search, "lambda").matches.is_empty());
    assert_eq!(names(&find(&search, "zeppelin")), ["mcp__omega__plain"]);
    assert_eq!(names(&find(&search, "dirigible")), ["mcp__omega__plain"]);
}

#[test]
fn b1_the_name_weighs_more_than_the_description() {
    let mut search = deferring();
    add(&mut search, "", &[tool("other", "the weather and more"), tool("weather_now", "how it is outside")]);
    assert_eq!(names(&find(&search, "weather")), ["weather_now", "other"]);
}

#[test]
fn b3_whole_words_stems_and_accents() {
    let mut search = deferring();
    add(
        &mut search,
        "",
        &[
            tool("spreadsheet_open", "Opens it, as the theme of the user's choice"),
            tool("plan_event", "Scheduling of events in a café"),
            tool("feed", "Daily news"),
        ],
    );
    for miss in ["read", "s", "new"] {
        assert!(find(&search, miss).matches.is_empty(), "{miss}");
    }
    assert_eq!(names(&find(&search, "schedule")), ["plan_event"]);
    assert_eq!(names(&find(&search, "cafe")), ["plan_event"]);
    assert_eq!(names(&find(&search, "CAFÉ")), ["plan_event"]);
}

#[test]
fn b4_scripts_without_spaces() {
    let mut search = deferring();
    add(
        &mut search,
        "",
        &[tool("a", "解析PDF文件并提取文本"), tool("b", "ค้นหาไฟล์ในโฟลเดอร์"), tool("c", "저장소의 이슈를 만듭니다")],
    );
    assert_eq!(names(&find(&search, "提取文本"))[0], "a");
    assert_eq!(names(&find(&search, "解析pdf"))[0], "a");
    assert_eq!(names(&find(&search, "ไฟล์"))[0], "b");
    assert_eq!(names(&find(&search, "이슈"))[0], "c");
}

#[test]
fn b5_stop_words_find_nothing_but_a_tool_of_that_name() {
    let mut search = deferring();
    add(&mut search, "", &[tool("the", "is the one"), tool("get", "gets the thing"), tool("run_it", "and with the")]);
    assert_eq!(names(&find(&search, "the")), ["the"]);
    let none = find(&search, "and with");
    assert!(none.matches.is_empty() && none.confidence == Confidence::None);
    assert_eq!(names(&find(&search, "run something"))[0], "run_it");
    assert_eq!(with(&search, "?!", |_| ()).unwrap_err().code(), ErrorCode::NoTokens);
}

#[test]
fn b6_synonyms_widen_and_never_win() {
    let mut search = deferring();
    add(
        &mut search,
        "",
        &[
            tool("remove_entry", "Removes an entry, removing it"),
            tool("notes", "You may also delete what you wrote here, among other things"),
        ],
    );
    assert_eq!(names(&find(&search, "delete")), ["notes", "remove_entry"]);
    assert_eq!(names(&find(&search, "erase")).len(), 2);
}

#[test]
fn b6_misspelt_words_find_the_nearest_known_one() {
    let search = small();
    assert_eq!(names(&find(&search, "mesage"))[0], "mcp__chat__send_message");
    assert_eq!(names(&find(&search, "chanels"))[0], "mcp__chat__list_channels");
    assert!(find(&search, "zzzzzzz").matches.is_empty());
}

#[test]
fn b6_short_forms_and_phrases_go_both_ways() {
    for (query, name) in [
        ("PR", "get_pull_request"),
        ("pull request", "get_pr"),
        ("PRs", "get_pr"),
        ("PR", "list_prs"),
        ("mr", "merge_request_x"),
        ("VMs", "get_vm"),
        ("vm", "virtual_machine_x"),
        ("k8s", "kubernetes_apply"),
        ("login", "sign_in"),
        ("repo", "repository_get"),
        ("db", "database_query"),
        ("config", "configuration_read"),
        ("env", "environment_list"),
        ("auth", "authentication_check"),
        ("msg", "message_send"),
        ("look up", "search_users"),
        ("remove", "delete_x"),
        ("edit", "update_x"),
    ] {
        let mut search = deferring();
        add(&mut search, "", &[tool("other", "Something else"), tool(name, "")]);
        assert_eq!(names(&find(&search, query)), [name], "{query}");
    }
}

#[test]
fn c6_rarer_words_more_words_and_whole_names() {
    let mut search = deferring();
    add(
        &mut search,
        "",
        &[
            tool("get_a", "get get get get get get get"),
            tool("get_b", "barometer"),
            tool("find_symbol_references", "find symbol"),
            tool("find_symbol_deep", ""),
            tool("symbol_find", "searches"),
        ],
    );
    assert_eq!(names(&find(&search, "get barometer"))[0], "get_b");
    assert_eq!(names(&find(&search, "find the symbol"))[0], "symbol_find");
}

#[test]
fn c6_one_clause_in_full_is_more_than_a_word_of_each() {
    let tools = [tool("a", "archive parcel"), tool("b", "archive invoice"), tool("c", "track parcel")];
    let search = holding(&tools);
    let first = |query: &str| names(&find(&search, query))[0].to_owned();
    assert_eq!(first("archive the invoice, track the parcel"), "b");
    assert_eq!(first("track the parcel and archive the invoice"), "b", "in catalog order, for they are as good");
    let scores = |query: &str| find(&search, query).matches.iter().map(|m| m.score).collect::<Vec<_>>();
    let two = scores("archive the invoice, track the parcel");
    assert!(two[1] > two[2], "one clause in full before a word of each: {two:?}");
}

#[test]
fn c6_each_part_is_served_before_any_is_served_twice() {
    let mut search = small();
    let verbs = ["create", "delete", "copy", "move", "lock", "print"];
    let tools = verbs.map(|verb| tool(&format!("{verb}_wiki_page"), "Works on a page of the team's wiki"));
    add(&mut search, "wiki", &tools);
    // So that the words of the other part are common, and a tool that has them both still is behind every page.
    let fillers = (0..7).map(|n| tool(&format!("filler_{n}"), "Has to do with a message that somebody may send"));
    add(&mut search, "filler", &fillers.collect::<Vec<_>>());
    for query in [
        "send a message and create a wiki page",
        "create a page in the team's wiki, then send a message",
        "First create a wiki page for the team. After that, send a message.",
    ] {
        let found = find(&search, query);
        let mut two = names(&found)[..2].to_vec();
        two.sort();
        assert_eq!(two, ["mcp__chat__send_message", "mcp__wiki__create_wiki_page"], "{query}");
    }
}

#[test]
fn c6_more_words_are_better_than_one_again_and_again() {
    let mut search = deferring();
    let mut tools = vec![
        tool("a1", &"invoice ".repeat(6)),
        tool("a2", "Sends one invoice to a customer about payments monthly"),
        tool("a3", "Greets a customer"),
    ];
    tools.extend((0..9).map(|n| tool(&format!("filler_{n}"), "Something else entirely")));
    add(&mut search, "", &tools);
    assert_eq!(names(&find(&search, "invoice customer"))[0], "a2");
}

#[test]
fn c7_nothing_is_padded_and_doubt_is_said() {
    let search = small();
    let none = find(&search, "quantum teleportation");
    assert!(none.matches.is_empty() && none.confidence == Confidence::None);
    let low = find(&search, "list teleporters");
    assert_eq!((low.confidence, low.unknown.as_slice()), (Confidence::Low, &["teleporters".to_owned()][..]));
    assert_eq!(find(&search, "list channels").confidence, Confidence::High);
}

#[test]
fn c7_padding_is_left_out() {
    let tools = [
        tool("deploy", "datacenter location identifier"),
        tool("batch", "unique product identifier"),
        tool("identifier_list", "all of them"),
        tool("place", "datacenter identifier"),
    ];
    let search = holding(&tools);
    let found = find(&search, "datacenter location identifier");
    let mut found = names(&found);
    found.sort();
    assert_eq!(found, ["deploy", "identifier_list", "place"]);
    assert_eq!(find(&search, "datacenter location identifier unknown").matches.len(), 4, "no tool has every word");
}

#[test]
fn c8_ties_are_in_catalog_order_and_fresh_ones_come_first() {
    let mut search = deferring();
    add(&mut search, "b", &[tool("ping", "same")]);
    add(&mut search, "a", &[tool("ping", "same"), tool("pong", "same")]);
    let all = ["mcp__a__ping", "mcp__a__pong", "mcp__b__ping"];
    assert_eq!(names(&find(&search, "same")), all);
    let rest = with(&search, "same", |o| o.loaded = vec![all[0].into()]).unwrap();
    assert_eq!(names(&rest), [all[1], all[2], all[0]]);
    let page = with(&search, "same", |o| (o.limit, o.offset) = (Some(1.0), 1)).unwrap();
    assert_eq!((names(&page), page.more), (vec![all[1]], 1));
}

#[test]
fn c8_the_best_are_those_of_all_that_match() {
    // Common words and rare ones, with synonyms, several forms and identifiers among them.
    let common = "create get list lists fetch delete remove issue issues page message user users file report";
    let rare = (0..200).map(|n| format!("{}{n}", ["part", "thing", "colou", "flavo"][n % 4]));
    let words: Vec<String> = common.split(' ').map(str::to_owned).chain(rare).collect();
    let mut seed = 7u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut some = |count: usize| -> Vec<&str> {
        (0..count).map(|_| &*words[random(words.len()) * random(words.len()) / words.len()]).collect()
    };
    let mut search = deferring();
    for server in 0..30 {
        let tools: Vec<String> =
            (0..20).map(|n| tool(&format!("{}_{n}", some(2).join("_")), &some(12).join(" "))).collect();
        add(&mut search, &format!("server{server}"), &tools);
    }
    search.remove_server("server3");
    for length in 1..=6 {
        for at in 0..60 {
            let unknown = if at % 3 == 0 { " xqxqxqxq" } else { "" };
            let query = some(length).join(if at % 7 == 0 { ", " } else { " " }) + unknown;
            for deny in [vec![], vec!["*issue*".to_owned()]] {
                let best = with(&search, &query, |options| options.deny.clone_from(&deny)).unwrap();
                // Where some are loaded, all that match are put in order.
                let all = with(&search, &query, |options| {
                    options.deny.clone_from(&deny);
                    options.loaded = vec!["another".to_owned()];
                });
                let told = |result: &SearchResult| {
                    let matches = result.matches.iter().map(|m| (m.tool.name().to_owned(), m.score.to_bits(), m.tier));
                    (matches.collect::<Vec<_>>(), result.total, result.more)
                };
                assert_eq!(told(&best), told(&all.unwrap()), "{query}");
            }
        }
    }
}

#[test]
fn explanations_add_up() {
    let search = small();
    let mut padded = deferring();
    add(&mut padded, "", &[tool("fetch", "a page"), tool("big", "page file repository"), tool("zz", "")]);
    let named = with(&padded, "page fetch file repository", |o| o.explain = true).unwrap();
    for found in &named.matches {
        let sum: f64 = found.explain.as_ref().unwrap().iter().map(|e| e.weight).sum();
        assert!((sum - found.score).abs() < 1e-9, "{}", found.tool.name());
    }
    for query in [
        "list issues of a project",
        "erase",
        "web fetch search pages",
        "mesage chanel",
        "+chat send",
        "open tickets",
        "First list the issues, then close the issue that is open. Search the web and send a message to the channel!",
    ] {
        let result = with(&search, query, |o| o.explain = true).unwrap();
        for found in result.matches.iter().filter(|m| m.tier == Tier::Keywords) {
            let sum: f64 = found.explain.as_ref().unwrap().iter().map(|e| e.weight).sum();
            assert!(
                (sum - found.score).abs() <= 1e-9 * found.score,
                "{query}: {} {sum} {}",
                found.tool.name(),
                found.score
            );
        }
    }
}

#[test]
fn the_additive_scorer() {
    let mut options = Options::default();
    options.ranking = Ranking::Additive;
    let mut search = ToolSearch::new(options).unwrap();
    add(
        &mut search,
        "gate",
        &[
            tool("spot_get_ticker", "Get spot market data"),
            tool("spot_create_order", "Create spot order"),
            tool("spot_cancel_order", "Cancel spot order"),
        ],
    );
    add(&mut search, "", &[tool("spotlight", "Finds files"), tool("webSearch", "")]);
    let scores = |query: &str| -> Vec<(String, f64)> {
        find(&search, query).matches.iter().map(|m| (m.tool.name().to_owned(), m.score)).collect()
    };
    let expected = [
        ("mcp__gate__spot_get_ticker", 28.0),
        ("mcp__gate__spot_create_order", 14.0),
        ("mcp__gate__spot_cancel_order", 14.0),
        ("spotlight", 5.0),
    ];
    assert_eq!(scores("spot ticker"), expected.map(|(n, s)| (n.to_owned(), s)));
    assert_eq!(scores("websear"), [("webSearch".to_owned(), 3.0)]);
    for found in with(&search, "spot ticker", |o| o.explain = true).unwrap().matches {
        assert_eq!(found.explain.unwrap().iter().map(|e| e.weight).sum::<f64>(), found.score);
    }
    assert!(scores("nothing").is_empty());
}

#[test]
fn length_and_repetition_do_not_win() {
    let mut search = deferring();
    let long =
        format!("Rotates a key. {}", "It also has a long story about every detail of what happens then. ".repeat(40));
    let stuffed = "invoice ".repeat(200);
    add(
        &mut search,
        "",
        &[
            tool("long_story", &long),
            tool("key_turner", "Rotates a key"),
            tool("stuffed", &stuffed),
            tool("bill", "Sends an invoice to a customer"),
        ],
    );
    assert_eq!(names(&find(&search, "rotates"))[0], "key_turner");
    assert_eq!(names(&find(&search, "invoice to a customer"))[0], "bill");
    let scores: Vec<f64> = find(&search, "invoice").matches.iter().map(|m| m.score).collect();
    assert!(scores[0] < 2.0 * scores[1], "two hundred times is not twice as good: {scores:?}");
}

#[test]
fn near_duplicates_of_several_servers_all_stand_there() {
    let mut search = deferring();
    for server in ["a", "b", "c", "d"] {
        add(&mut search, server, &[tool("search_files", "Searches files by name"), tool("other", "")]);
    }
    let all = ["mcp__a__search_files", "mcp__b__search_files", "mcp__c__search_files", "mcp__d__search_files"];
    for query in ["search files", "search_files", "find files by name"] {
        assert_eq!(names(&find(&search, query))[..4], all, "{query}");
    }
    assert_eq!(names(&find(&search, "search files of c"))[0], all[2]);
}

#[test]
fn queries_that_are_texts_are_read_from_their_beginning() {
    let search = small();
    let words: Vec<String> = (0..100_000).map(|n| format!("word{n}")).collect();
    let text = format!("send a message {}", words.join(" "));
    assert_eq!(names(&find(&search, &text))[0], "mcp__chat__send_message");
    assert!(find(&search, &format!("select:{}", words.join(","))).missing.len() > 1_000);
    assert_eq!(names(&find(&search, &"message ".repeat(50_000)))[0], "mcp__chat__send_message");
}

#[test]
fn explanations_show_no_keywords() {
    let mut options = Options::default();
    options.keywords = vec![("plain".into(), vec!["kryptonite".into()])];
    let mut search = ToolSearch::new(options).unwrap();
    add(&mut search, "", &[tool("plain", "")]);
    let found = with(&search, "kryptonit", |o| o.explain = true).unwrap();
    assert!(!found.matches.is_empty() && !format!("{:?}", found.matches[0].explain).contains("kryptonite"));
}
