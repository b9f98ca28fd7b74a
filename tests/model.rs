//! Rules A2 to A6, F5 and H3: a catalog with a past against one made now from the same content, and against the plainest of models.

use proptest::prelude::*;
use std::collections::BTreeMap;
use tool_search::{
    AddOptions, CatalogDelta, Defer, Error, LoadRule, Options, Ranking, SearchOptions, ServerStatus, Session,
    SessionOptions, ToolSearch,
};

/// Names that are spelt alike, that collide once they are callable, and that are odd.
const NAMES: [&str; 26] = [
    "create_issue",
    "createIssue",
    "create-issue",
    "create issue",
    "CREATE_ISSUE",
    "createissue",
    "issue",
    "issues",
    "list_issues",
    "get",
    "the",
    "look up",
    "lookup",
    "s3",
    "x",
    "🦀",
    "🐙",
    "検索",
    "検索_issue",
    "straße",
    "strasse",
    "ﬁle",
    "file",
    "__proto__",
    "mcp__alpha__x",
    "toolSearch",
];
const SERVERS: [&str; 5] = ["", "alpha", "al pha", "al_pha", "Beta"];
const WORDS: [&str; 22] = [
    "issue", "issues", "issued", "create", "creates", "the", "list", "search", "find", "look", "up", "file", "files",
    "webFetch", "web", "fetch", "検索", "検", "remove", "delete", "straße", "2",
];

#[derive(Debug, Clone)]
enum Change {
    Add {
        server: usize,
        tools: Vec<(usize, Vec<usize>)>,
        direct: bool,
        prefix: bool,
    },
    Remove(usize),
    Status(usize),
    /// Through bytes and back.
    Snapshot,
    Search(String),
    Load(String),
}

fn text() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..WORDS.len(), 0..5)
}

fn query() -> impl Strategy<Value = String> {
    let words = || text().prop_map(|words| words.into_iter().map(|w| WORDS[w]).collect::<Vec<_>>().join(" "));
    let name = || prop::sample::select(&NAMES[..]);
    prop_oneof![
        4 => words(),
        2 => name().prop_map(str::to_owned),
        1 => (name(), name()).prop_map(|(a, b)| format!("select:{a},{b}")),
        1 => (name(), words()).prop_map(|(name, words)| format!("{name} {words}")),
        1 => words().prop_map(|words| format!("+issue {words}")),
        1 => prop::sample::select(&["crate_isue", "mcp__al", "al pha", "server:beta file", "finnd isues, then delet"][..])
            .prop_map(str::to_owned),
    ]
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let tools = prop::collection::vec((0..NAMES.len(), text()), 0..5);
    let add = (0..SERVERS.len(), tools, any::<bool>(), prop::bool::weighted(0.8))
        .prop_map(|(server, tools, direct, prefix)| Change::Add { server, tools, direct, prefix });
    let change = prop_oneof![
        8 => add,
        2 => (1..SERVERS.len()).prop_map(Change::Remove),
        1 => (1..SERVERS.len()).prop_map(Change::Status),
        1 => Just(Change::Snapshot),
        3 => query().prop_map(Change::Search),
        3 => query().prop_map(Change::Load),
    ];
    prop::collection::vec(change, 1..14)
}

/// One call of `add`, kept to be made again.
#[derive(Debug, Clone)]
struct Addition {
    tools: Vec<String>,
    options: AddOptions,
}

impl Addition {
    fn new(server: usize, tools: &[(usize, Vec<usize>)], direct: bool, prefix: bool) -> Self {
        let tool = |(name, words): &(usize, Vec<usize>)| {
            let words: Vec<&str> = words.iter().map(|w| WORDS[*w]).collect();
            serde_json::json!({
                "name": NAMES[*name],
                "description": words.join(" "),
                "annotations": { "searchHint": words.first() },
                "inputSchema": { "type": "object", "properties": { words.last().unwrap_or(&"id").to_string(): {} } },
            })
            .to_string()
        };
        let load = if direct { LoadRule::Direct(vec!["*e".to_owned()]) } else { LoadRule::default() };
        let server = Some(SERVERS[server].to_owned()).filter(|name| !name.is_empty());
        Self {
            tools: tools.iter().map(tool).collect(),
            options: AddOptions { server, load, prefix, ..Default::default() },
        }
    }

    fn apply(&self, engine: &mut ToolSearch) -> Result<CatalogDelta, Error> {
        let tools: Vec<&str> = self.tools.iter().map(String::as_str).collect();
        engine.add(&tools, &self.options)
    }
}

/// What is in a catalog, as the additions that brought it.
#[derive(Debug, Clone, Default)]
struct Model {
    builtin: Vec<Addition>,
    servers: BTreeMap<String, Option<Addition>>,
    down: Vec<String>,
}

impl Model {
    fn add(&mut self, addition: &Addition) {
        match &addition.options.server {
            None => self.builtin.push(addition.clone()),
            Some(server) => {
                self.servers.insert(server.clone(), Some(addition.clone()));
                self.down.retain(|down| down != server);
            }
        }
    }

    fn fresh(&self, options: &Options) -> ToolSearch {
        let mut engine = ToolSearch::new(options.clone()).unwrap();
        let servers = self.servers.values().flatten();
        // Backwards: the order of connecting must not matter.
        self.builtin.iter().chain(servers.rev()).for_each(|addition| drop(addition.apply(&mut engine).unwrap()));
        self.down.iter().for_each(|down| engine.set_server_status(down, ServerStatus::Pending, Some("slow")).unwrap());
        engine
    }
}

fn tools(engine: &ToolSearch) -> Vec<String> {
    let one = |tool: &std::sync::Arc<tool_search::Tool>| {
        assert!(std::sync::Arc::ptr_eq(tool, engine.get(tool.name()).unwrap()));
        format!("{} {} {:?} {:?} {}", tool.name(), tool.raw_name(), tool.server(), tool.load(), tool.definition())
    };
    engine.tools().map(one).collect()
}

/// Everything that searches say, scores and their addends to the bit.
fn told(engine: &ToolSearch, query: &str) -> String {
    let deny = vec!["*list*".to_owned(), "x".to_owned()];
    let loaded = vec!["mcp__alpha__issue".to_owned()];
    let ways = [
        SearchOptions { explain: true, limit: Some(3.0), ..Default::default() },
        SearchOptions { deny, loaded, ..Default::default() },
    ];
    let answers = ways.map(|way| match engine.search(query, &way) {
        Err(error) => format!("{error:?}"),
        Ok(mut result) => {
            let matches: Vec<String> = std::mem::take(&mut result.matches)
                .iter()
                .map(|m| {
                    let explain = m.explain.iter().flatten().map(|e| (&e.term, e.field, e.weight.to_bits()));
                    format!("{} {:x} {:?} {:?}", m.tool.name(), m.score.to_bits(), m.tier, explain.collect::<Vec<_>>())
                })
                .collect();
            format!("{matches:#?} {result:?}")
        }
    });
    answers.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a4_a_past_leaves_no_trace(changes in changes(), queries in prop::collection::vec(query(), 3), additive in any::<bool>()) {
        let mut options = Options::default();
        options.defer = Defer::Always;
        options.ranking = if additive { Ranking::Additive } else { Ranking::Bm25f };
        options.keywords.push(("*issue*".to_owned(), vec!["bug tracker".to_owned()]));
        options.keywords.push(("lookup".to_owned(), vec!["oracle".to_owned()]));
        let mut lived = ToolSearch::new(options.clone()).unwrap();
        let mut model = Model::default();
        // With nothing to defer a conversation would begin without a search tool.
        let seed = Addition { tools: vec![r#"{"name":"seed"}"#.to_owned()], options: AddOptions::default() };
        seed.apply(&mut lived).unwrap();
        model.add(&seed);
        let begin = |engine: &ToolSearch| -> Session { engine.session(SessionOptions::default()).unwrap() };
        let (mut session, mut loaded) = (begin(&lived), Vec::<String>::new());
        for change in &changes {
            match change {
                Change::Add { server, tools, direct, prefix } => {
                    let addition = Addition::new(*server, tools, *direct, *prefix);
                    let answer = addition.apply(&mut lived);
                    prop_assert_eq!(&answer, &addition.apply(&mut model.fresh(&options)));
                    if let Ok(delta) = answer {
                        model.add(&addition);
                        loaded.retain(|name| !delta.removed.contains(name));
                    }
                }
                Change::Remove(server) => {
                    let server = SERVERS[*server];
                    let removed = lived.remove_server(server).removed;
                    prop_assert_eq!(&removed, &model.fresh(&options).remove_server(server).removed);
                    loaded.retain(|name| !removed.contains(name));
                    model.servers.remove(server);
                    model.down.retain(|down| down != server);
                }
                Change::Status(server) => {
                    let server = SERVERS[*server];
                    lived.set_server_status(server, ServerStatus::Pending, Some("slow")).unwrap();
                    model.down.push(server.to_owned());
                }
                Change::Snapshot => {
                    lived = ToolSearch::restore(&lived.snapshot(), options.clone()).unwrap();
                    loaded = session.activated(&lived);
                    session = lived.session(SessionOptions { activated: loaded.clone(), ..Default::default() }).unwrap();
                    loaded = session.activated(&lived);
                }
                Change::Search(query) => drop(told(&lived, query)),
                Change::Load(query) => {
                    let names = session.names(&lived);
                    let new = session.handle(&lived, &query.as_str().into()).loaded;
                    prop_assert!(new.iter().all(|name| !names.contains(name)));
                    // What was direct once is in the array already, and is only noted.
                    let all = session.activated(&lived);
                    prop_assert!(all.starts_with(&loaded) && new.iter().all(|name| all[loaded.len()..].contains(name)));
                    loaded = all;
                }
            }
            // What a session has loaded stays the tool that it was, whoever came into its place inside.
            prop_assert_eq!(&session.activated(&lived), &loaded);
            let mut names = session.names(&lived);
            prop_assert!(loaded.iter().all(|name| names.contains(name)));
            let length = names.len();
            names.sort_unstable();
            names.dedup();
            prop_assert_eq!(names.len(), length);
        }
        let fresh = model.fresh(&options);
        prop_assert_eq!(tools(&lived), tools(&fresh));
        prop_assert_eq!(lived.tokens(), fresh.tokens());
        prop_assert_eq!(begin(&lived).prompt().to_owned(), begin(&fresh).prompt().to_owned());
        let restored = ToolSearch::restore(&lived.snapshot(), options.clone()).unwrap();
        for query in queries.iter().map(String::as_str).chain(["issue", "検", "create issue"]) {
            let expected = told(&fresh, query);
            prop_assert_eq!(told(&lived, query), &*expected, "lived, {}", query);
            prop_assert_eq!(told(&restored, query), &*expected, "restored, {}", query);
        }
    }
}

/// Long after everything in it was replaced again and again: what is gone is given back, and has left nothing.
#[test]
fn a4_h2_churn_leaves_no_trace() {
    let mut options = Options::default();
    options.defer = Defer::Always;
    let mut lived = ToolSearch::new(options.clone()).unwrap();
    let mut model = Model::default();
    let mut most = 0;
    for round in 0..120 {
        let tool = |n: usize| {
            let (stays, passes) = (WORDS[(n * 7 + round / 9) % WORDS.len()], format!("w{round}x{n}"));
            let name = if n.is_multiple_of(3) { format!("list_{passes}") } else { format!("get_{stays}_{n}") };
            serde_json::json!({ "name": name, "description": format!("{stays} {passes} issues of {}", round % 3) })
                .to_string()
        };
        let server = ["one", "two", "three"][round % 3];
        let tools = (0..10 + round % 5).map(tool).collect();
        let addition = Addition { tools, options: AddOptions::server(server) };
        addition.apply(&mut lived).unwrap();
        model.add(&addition);
        if round % 10 == 4 {
            lived.remove_server("two");
            model.servers.remove("two");
        }
        if round % 50 == 30 {
            lived = ToolSearch::restore(&lived.snapshot(), options.clone()).unwrap();
        }
        let fresh = model.fresh(&options);
        for query in ["issue 2", "list issues", &format!("w{round}x3"), "w7x3", "get file", "list_w7x4"] {
            assert_eq!(told(&lived, query), told(&fresh, query), "round {round}, {query}");
        }
        if round == 40 {
            most = lived.snapshot().len();
        }
    }
    assert!(lived.snapshot().len() < 2 * most, "{} and {most}", lived.snapshot().len());
}
