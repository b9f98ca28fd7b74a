//! Catalogs that targets search: small, of every kind of tool, and with a server that is to stay hidden.

use serde_json::{Value, json};
use std::sync::LazyLock;
use tool_search::{AddOptions, Defer, LoadRule, Options, Ranking, ServerStatus, ToolSearch};

/// The server whose tools a conversation is not to see, and the pattern that hides them.
pub const HIDDEN: &str = "hush-9 vault";
pub const HIDE: &str = "mcp__hush-9_vault__*";
/// What nothing that is told may have in it where they are hidden.
pub const TRACES: [&str; 3] = ["hush-9", "hush 9", "murmur"];

pub fn options(ranking: Ranking) -> Options {
    let mut options = Options::default();
    options.defer = Defer::Always;
    options.ranking = ranking;
    options.keywords = vec![
        ("*issue*".to_owned(), vec!["bug tracker".to_owned(), "backlog".to_owned()]),
        ("mcp__chat__send".to_owned(), vec!["ping".to_owned()]),
    ];
    options
}

fn tool(name: &str, description: &str, parameters: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> = parameters
        .iter()
        .map(|p| ((*p).to_owned(), json!({ "type": "string", "description": format!("the {p}") })))
        .collect();
    json!({ "name": name, "description": description, "inputSchema": { "type": "object", "properties": properties } })
}

fn put(engine: &mut ToolSearch, server: &str, tools: &[Value]) {
    let json = Value::from(tools).to_string();
    let options = AddOptions {
        server: Some(server.to_owned()).filter(|name| !name.is_empty()),
        instructions: Some(format!("Ask {server} <kindly>.\n## And often")).filter(|_| server != "chat"),
        load: LoadRule::Direct(vec!["read*".to_owned()]),
        prefix: server != "plain",
    };
    if let Err(error) = engine.add_json(&json, &options) {
        panic!("{error}");
    }
}

/// Some thirty tools: spelt alike, one named like a word of the query language, one like a stop word, in scripts with and without
/// spaces, direct ones, a server that is down and one that never came up unless all is `calm`, and the hidden server where it is
/// wanted.
pub fn engine(options: Options, with_hidden: bool, calm: bool) -> ToolSearch {
    let Ok(mut engine) = ToolSearch::new(options) else { panic!("the options are refused") };
    put(
        &mut engine,
        "",
        &[
            tool("readFile", "Reads a file", &["path"]),
            tool("web_fetch", "Fetches a page of the web", &["url"]),
            tool("the", "An article", &[]),
            tool("🦀", "Sideways", &[]),
        ],
    );
    put(
        &mut engine,
        "tracker",
        &[
            tool("create_issue", "Opens an issue in a project", &["title", "body", "labels"]),
            tool("createIssue", "Opens an issue, the old way", &["title"]),
            tool("list_issues", "Lists the issues of a project, newest first", &["project", "since"]),
            tool("close", "Closes an issue", &["issue_id"]),
            tool("select", "Selects a project for what follows", &["project"]),
            tool("get-v2.1/items", "Items of the second version", &["page"]),
        ],
    );
    put(
        &mut engine,
        "chat",
        &[
            tool("send", "Sends a message to a channel or a person", &["channel", "text"]),
            tool("list_channels", "Lists channels <with> `marks`\n# and lines", &[]),
            tool("检索消息", "在频道中检索消息", &["关键词"]),
            tool("ค้นหา", "ค้นหาข้อความ", &[]),
        ],
    );
    put(
        &mut engine,
        "Büro straße",
        &[tool("größe", "Die Größe eines Raumes", &["raum"]), tool("ﬁle list", "Lists \u{202E}files", &[])],
    );
    let many: Vec<Value> = (0..12)
        .map(|n| tool(&format!("report_{n}"), &format!("Makes report number {n} of sales"), &["month"]))
        .collect();
    put(&mut engine, "plain", &many);
    put(
        &mut engine,
        "down",
        &[tool("create_issue", "Opens an issue somewhere else", &["title"]), tool("reboot", "Starts it anew", &[])],
    );
    let reason = Some("it <said>\nnothing");
    let states = [("down", ServerStatus::Failed, reason), ("late", ServerStatus::Pending, None)];
    for (server, status, reason) in states.into_iter().filter(|_| !calm) {
        if engine.set_server_status(server, status, reason).is_err() {
            panic!("{server} is refused");
        }
    }
    if with_hidden {
        let mut close = tool("close", "Closes the vault, issue by issue", &["murmurings"]);
        close["annotations"] = json!({ "searchHint": "murmur" });
        put(
            &mut engine,
            HIDDEN,
            &[close, tool("list_murmurs", "Lists murmurs of the vault", &[]), tool("read_murmur", "Reads one", &[])],
        );
    }
    engine
}

/// An engine with the hidden server, the same out of a snapshot, and one that never had the hidden server.
pub struct Shelf {
    pub full: ToolSearch,
    pub restored: ToolSearch,
    pub without: ToolSearch,
}

impl Shelf {
    fn new(ranking: Ranking, calm: bool) -> Self {
        Self::of(options(ranking), calm)
    }

    fn of(options: Options, calm: bool) -> Self {
        let full = engine(options.clone(), true, calm);
        let Ok(restored) = ToolSearch::restore(&full.snapshot(), options.clone()) else {
            panic!("a snapshot is refused")
        };
        Self { full, restored, without: engine(options, false, calm) }
    }
}

static BM25F: LazyLock<Shelf> = LazyLock::new(|| Shelf::new(Ranking::Bm25f, false));
static CALM: LazyLock<Shelf> = LazyLock::new(|| Shelf::new(Ranking::Bm25f, true));
static MEANING: LazyLock<Shelf> = LazyLock::new(|| {
    let mut options = options(Ranking::Bm25f);
    options.meaning = true;
    Shelf::of(options, true)
});
static ADDITIVE: LazyLock<Shelf> = LazyLock::new(|| Shelf::new(Ranking::Additive, false));

/// The shelf that the lowest two bits of a choice name.
pub fn shelf(choice: u8) -> &'static Shelf {
    [&BM25F, &ADDITIVE, &CALM, &MEANING][usize::from(choice & 3)]
}
