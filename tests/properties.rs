//! Rules A4, C8, C9 and F1, preloading and caps over generated catalogs, changes and queries.

mod common;

use proptest::prelude::*;
use std::collections::BTreeMap;
use tool_search::{
    AddOptions, CallResolution, Defer, Format, Options, Overflow, Preload, Ranking, SearchOptions, SearchResult,
    ServerStatus, SessionOptions, ToolSearch, Uses,
};

const WORDS: [&str; 30] = [
    "create", "delete", "list", "get", "search", "issue", "issues", "file", "message", "channel", "repo", "branch",
    "order", "spot", "ticker", "web", "fetch", "webfetch", "the", "of", "s3", "v2", "find", "symbol", "update", "read",
    "x", "法令", "検索", "café",
];
/// How many of them, from the front, names are made of.
const NAME_WORDS: usize = 27;
const SERVERS: [&str; 4] = ["alpha", "beta", "gamma ray", "Delta"];

fn words(max: usize) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 0..max)
}

/// Tools by name, so that no two of one server share it; in a callable name every letter beyond ASCII is `_`.
fn tools() -> impl Strategy<Value = BTreeMap<String, String>> {
    let tool = (prop::collection::vec(prop::sample::select(&WORDS[..NAME_WORDS]), 1..4), words(8), words(4)).prop_map(|(name, text, parameters)| {
        let name = name.join("_");
        let properties: serde_json::Map<_, _> =
            parameters.iter().map(|p| ((*p).to_owned(), serde_json::json!({ "description": text.join(" ") }))).collect();
        let json = serde_json::json!({ "name": name, "description": text.join(" "), "inputSchema": { "type": "object", "properties": properties } });
        (name, json.to_string())
    });
    prop::collection::vec(tool, 0..6).prop_map(|all| all.into_iter().collect())
}

#[derive(Debug, Clone)]
enum Change {
    Add(usize, BTreeMap<String, String>),
    Remove(usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let server = 0..SERVERS.len();
    let change = prop_oneof![
        4 => (server.clone(), tools()).prop_map(|(s, t)| Change::Add(s, t)),
        1 => server.prop_map(Change::Remove),
    ];
    prop::collection::vec(change, 1..10)
}

fn query() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => words(5).prop_map(|w| w.join(" ")),
        1 => prop::sample::select(&WORDS[..]).prop_map(|w| format!("+{w} create")),
        1 => words(3).prop_map(|w| format!("select:{}", w.join(","))),
        1 => prop::sample::select(&SERVERS[..]).prop_map(str::to_owned),
        1 => words(3).prop_map(|w| w.join("_")),
        1 => ".{0,40}",
    ]
}

fn engine(ranking: Ranking) -> ToolSearch {
    let mut options = Options::default();
    options.defer = Defer::Always;
    options.ranking = ranking;
    ToolSearch::new(options).unwrap()
}

fn put(search: &mut ToolSearch, server: usize, tools: &BTreeMap<String, String>) {
    let refs: Vec<&str> = tools.values().map(String::as_str).collect();
    search.add(&refs, &AddOptions::server(SERVERS[server])).unwrap();
}

/// Applies the changes, and gives what is there in the end.
fn apply(search: &mut ToolSearch, changes: &[Change]) -> BTreeMap<usize, BTreeMap<String, String>> {
    let mut state = BTreeMap::new();
    for change in changes {
        match change {
            Change::Add(server, tools) => {
                put(search, *server, tools);
                state.insert(*server, tools.clone());
            }
            Change::Remove(server) => {
                search.remove_server(SERVERS[*server]);
                state.remove(server);
            }
        }
    }
    state
}

/// Everything that an answer says, scores to the bit.
fn told(result: Result<SearchResult, tool_search::Error>) -> String {
    match result {
        Err(error) => format!("{error:?}"),
        Ok(r) => {
            let matches: Vec<_> = r.matches.iter().map(|m| (m.tool.name(), m.score.to_bits(), m.tier)).collect();
            format!(
                "{:?} {matches:?} {:?} {:?} {:?} {:?} {:?} {} {:?} {:?}",
                r.kind, r.missing, r.direct, r.ambiguous, r.suggestions, r.confidence, r.more, r.unavailable, r.unknown
            )
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// However a catalog came about, it answers as a fresh one does; and so does one whose servers came in another order.
    #[test]
    fn a4_c8_history_leaves_no_trace(changes in changes(), queries in prop::collection::vec(query(), 1..6), additive in any::<bool>()) {
        let ranking = if additive { Ranking::Additive } else { Ranking::Bm25f };
        let mut lived = engine(ranking);
        // An index built on the way must not matter.
        let half = changes.len() / 2;
        apply(&mut lived, &changes[..half]);
        let _ = lived.search("create", &SearchOptions::default());
        let mut state = apply(&mut engine(ranking), &changes);
        apply(&mut lived, &changes[half..]);
        let (mut fresh, mut backwards) = (engine(ranking), engine(ranking));
        for (server, tools) in &state {
            put(&mut fresh, *server, tools);
        }
        while let Some((server, tools)) = state.pop_last() {
            put(&mut backwards, server, &tools);
        }
        for query in &queries {
            let expected = told(fresh.search(query, &SearchOptions::default()));
            prop_assert_eq!(&told(lived.search(query, &SearchOptions::default())), &expected);
            prop_assert_eq!(&told(backwards.search(query, &SearchOptions::default())), &expected);
            prop_assert_eq!(&told(fresh.search(query, &SearchOptions::default())), &expected);
        }
    }

    /// Scores are finite, not negative, and fall within what is not loaded; an offset goes on where the limit ended.
    #[test]
    fn c8_order_and_pages(tools in tools(), query in query()) {
        let mut search = engine(Ranking::Bm25f);
        put(&mut search, 0, &tools);
        let with = |limit: f64, offset| search.search(&query, &SearchOptions { limit: Some(limit), offset, ..Default::default() });
        let Ok(all) = with(50.0, 0) else { return Ok(()) };
        for pair in all.matches.windows(2) {
            prop_assert!(pair[0].tier <= pair[1].tier);
            prop_assert!(pair[0].tier < pair[1].tier || pair[0].tier != tool_search::Tier::Keywords || pair[0].score >= pair[1].score);
        }
        prop_assert!(all.matches.iter().all(|m| m.score.is_finite() && m.score >= 0.0));
        let named = all.matches.iter().filter(|m| m.tier != tool_search::Tier::Keywords).count();
        if all.kind == tool_search::QueryKind::Keywords && named == 0 {
            let pages: Vec<String> = (0..all.matches.len())
                .flat_map(|at| with(1.0, at).unwrap().matches.into_iter().map(|m| m.tool.name().to_owned()))
                .collect();
            prop_assert_eq!(pages, all.matches.iter().map(|m| m.tool.name().to_owned()).collect::<Vec<_>>());
        }
    }

    /// A catalog with hidden tools answers as one without them, as far as anything is told.
    #[test]
    fn c9_hidden_tools_are_nowhere(changes in changes(), queries in prop::collection::vec(query(), 1..6), pending in any::<bool>()) {
        let mut search = engine(Ranking::Bm25f);
        apply(&mut search, &changes);
        let hidden = [r#"{"name":"hush_vault","description":"issue file hush","annotations":{"searchHint":"murmur"}}"#, r#"{"name":"list_hush"}"#];
        search.add(&hidden, &AddOptions::server("hush")).unwrap();
        if pending {
            search.set_server_status("hush", ServerStatus::Pending, None).unwrap();
        }
        let deny = vec!["mcp__hush__*".to_owned()];
        let mut session = search.session(SessionOptions { deny: deny.clone(), ..Default::default() }).unwrap();
        let mut all = session.prompt().to_owned();
        for query in queries.iter().map(String::as_str).chain(["huhs", "mcp__hus", "list_hus", "vaults"]) {
            all += &told(search.search(query, &SearchOptions { deny: deny.clone(), explain: true, ..Default::default() })).replace(query, "");
            all += &session.handle(&search, &query.into()).text.replace(query, "");
            all += &format!("{:?}", session.resolve(&search, query)).replace(query, "");
        }
        all += &session.names(&search).join(" ");
        all += &session.announce(&search);
        prop_assert!(!all.contains("hush") && !all.contains("murmur"), "{}", all);
    }

    /// Whatever a conversation does, its arrays only grow at their end, as long as nothing is removed.
    #[test]
    fn f1_arrays_only_grow(first in tools(), later in prop::collection::vec((1..4usize, tools()), 0..3), steps in prop::collection::vec((0..4u8, query()), 1..8)) {
        let mut search = engine(Ranking::Bm25f);
        put(&mut search, 0, &first);
        let mut later = later.into_iter();
        let mut servers = std::collections::BTreeSet::from([0]);
        let mut session = search.session(SessionOptions::default()).unwrap();
        let prompt = session.prompt().to_owned();
        let mut before = session.tools(&search, Format::Anthropic);
        for (kind, text) in steps {
            match kind {
                0 => drop(session.resolve(&search, &text)),
                1 => drop(session.activate(&search, &[text])),
                2 => {
                    if let Some((server, tools)) = later.next().filter(|(s, _)| servers.insert(*s)) {
                        put(&mut search, server, &tools);
                    }
                }
                _ => {
                    let reply = session.handle(&search, &text.as_str().into());
                    let after = session.tools(&search, Format::Anthropic);
                    prop_assert_eq!(reply.changed, after.len() > before.len());
                }
            }
            let after = session.tools(&search, Format::Anthropic);
            prop_assert_eq!(&after[..before.len()], &before[..]);
            before = after;
        }
        prop_assert_eq!(session.prompt(), prompt);
        if !session.plan.deferring {
            return Ok(());
        }
        let mut again = search.session(SessionOptions { activated: session.activated(&search), ..Default::default() }).unwrap();
        prop_assert_eq!(again.names(&search), session.names(&search));
    }

    /// With a cap that lets tools leave, every request fits, what never leaves stays in front, and what a reply says is loaded
    /// is in the next request; what was preloaded is chosen alike by a catalog that came about otherwise.
    #[test]
    fn caps_hold_and_replies_are_true(first in tools(), second in tools(), used in prop::collection::vec((query(), 1..5u64), 0..4), most in 4..9usize, steps in prop::collection::vec((0..3u8, query()), 1..10)) {
        let usage = used.iter().map(|(name, called)| (format!("mcp__{}__{name}", SERVERS[0]), Uses { loaded: 1, called: *called }));
        let usage: BTreeMap<String, Uses> = usage.chain(first.keys().take(1).map(|n| (format!("mcp__alpha__{n}"), Uses { loaded: 0, called: 3 }))).collect();
        let usage: Vec<(String, Uses)> = usage.into_iter().collect();
        let begin = |servers: [(usize, &BTreeMap<String, String>); 2]| {
            let mut options = Options::default();
            options.defer = Defer::Always;
            options.preload = Some(Preload { usage: usage.clone(), max_tokens: 60 });
            let mut search = ToolSearch::new(options).unwrap();
            servers.iter().for_each(|(server, tools)| put(&mut search, *server, tools));
            search
        };
        let search = begin([(0, &first), (1, &second)]);
        let other = begin([(1, &second), (0, &first)]);
        let options = SessionOptions { max_tools: Some(most), overflow: Overflow::Evict, ..Default::default() };
        let Ok(mut session) = search.session(options.clone()) else { return Ok(()) };
        prop_assume!(session.plan.deferring);
        let base = session.names(&search);
        prop_assert_eq!(&other.session(options).unwrap().names(&other), &base);
        prop_assert!(session.plan.tokens.direct <= 60);
        for (kind, text) in steps {
            let loaded = match kind {
                0 => match session.resolve(&search, &text) {
                    CallResolution::Activated(tool, _) => vec![tool.name().to_owned()],
                    _ => Vec::new(),
                },
                1 => session.activate(&search, &[text]),
                _ => {
                    let reply = session.handle(&search, &text.as_str().into());
                    reply.loaded.into_iter().chain(reply.already_loaded).collect()
                }
            };
            session.check(&search).unwrap();
            let names = session.names(&search);
            prop_assert!(names.len() <= most && names.starts_with(&base));
            prop_assert!(loaded.iter().all(|name| names.contains(name)), "{:?} in {:?}", loaded, names);
            let mut again = search.session(SessionOptions { activated: session.activated(&search), preloaded: session.preloaded(&search), ..Default::default() }).unwrap();
            prop_assert_eq!(again.names(&search), names);
        }
    }
}
