//! Conversations that begin from any saved state, go on in any way, and are saved and gone on with after every step.

use crate::{checks, shelf};
use arbitrary::{Arbitrary, Unstructured};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use tool_search::{
    AddOptions, Counter, Defer, ErrorCode, Format, Load, Options, Overflow, PlanOptions, Preload, Ranking,
    ServerStatus, Session, SessionOptions, ToolSearch, Uses,
};

const MOST_STEPS: usize = 24;
const SERVERS: [&str; 6] = ["tracker", "chat", "plain", "down", "late", shelf::HIDDEN];
const STATUSES: [ServerStatus; 4] =
    [ServerStatus::Ready, ServerStatus::Pending, ServerStatus::Failed, ServerStatus::Disconnected];
const QUERIES: [&str; 8] = [
    "list issues",
    "select:send,close,create_issue",
    "report",
    "server:tracker",
    "the",
    "read a murmur",
    "+issue",
    "mcp__",
];

static SNAPSHOT: LazyLock<Vec<u8>> = LazyLock::new(|| shelf::shelf(0).full.snapshot());
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    shelf::shelf(0).full.tools().map(|tool| tool.name().to_owned()).chain(["toolSearch".to_owned()]).collect()
});

/// A name in a saved state, or one that a model calls.
#[derive(Debug, Arbitrary)]
enum Name {
    Tool(u8),
    Loose(u8),
    Text(String),
}

impl Name {
    fn text(&self) -> String {
        let tool = |at: &u8| NAMES[usize::from(*at) % NAMES.len()].clone();
        match self {
            Self::Tool(at) => tool(at),
            Self::Loose(at) => tool(at).trim_start_matches("mcp__").replace('_', " "),
            Self::Text(text) => text.clone(),
        }
    }
}

fn texts(names: &[Name]) -> Vec<String> {
    names.iter().take(40).map(Name::text).collect()
}

#[derive(Debug, Arbitrary)]
struct Start {
    activated: Vec<Name>,
    preloaded: Option<Vec<Name>>,
    preload: Option<(u16, Vec<(Name, u8)>)>,
    max_tools: Option<u8>,
    evict: bool,
    hide: bool,
    allow: Option<Name>,
    defer: Option<bool>,
    window: Option<u32>,
    listing: Option<u8>,
    counter: Option<u8>,
    scale: u8,
    array: Vec<Name>,
    /// Where among those the search tool stands.
    search_at: Option<u8>,
    used: Vec<Name>,
}

#[derive(Debug, Arbitrary)]
enum Step {
    Handle(u8, Option<i8>),
    Ask(String),
    Call(Name),
    Activate(Vec<Name>),
    Reset,
    Announce,
    /// What comes before each request where there is a cap.
    Check,
    Replace(u8, Vec<u8>, bool),
    Remove(u8),
    Status(u8, u8),
}

/// The bytes are the state, then the steps.
pub fn run(data: &[u8]) {
    let mut draw = Unstructured::new(data);
    let Ok(start) = Start::arbitrary(&mut draw) else { return };
    let options = start.engine();
    let Ok(mut engine) = ToolSearch::restore(&SNAPSHOT, options.clone()) else { panic!("the snapshot is refused") };
    let Some(mut session) = start.begin(&engine) else { return };
    let mut talk = Talk { start: &start, options, prompt: session.prompt().to_owned(), changed: false };
    talk.began(&engine, &mut session);
    for _ in 0..MOST_STEPS {
        match Step::arbitrary(&mut draw) {
            Ok(step) if !draw.is_empty() => talk.step(&mut engine, &mut session, &step),
            _ => break,
        }
    }
    let Ok(elsewhere) = ToolSearch::restore(&SNAPSHOT, talk.options.clone()) else { panic!("the snapshot is refused") };
    let names = session.names(&engine);
    if !talk.changed {
        talk.goes_on(&engine, &elsewhere, &mut session, &names);
    }
}

impl Start {
    fn engine(&self) -> Options {
        let mut options = shelf::options(Ranking::Bm25f);
        options.listing.max_tokens = self.listing.map(|tokens| u64::from(tokens) * 8);
        options.tokens.scale = f64::from(self.scale % 4 + 1) / 2.0;
        options.tokens.per_tool = u32::from(self.scale / 4);
        options.count_tokens = self.counter.map(|kind| -> Counter {
            Arc::new(move |text: &str| {
                Ok(match kind % 4 {
                    0 => 0,
                    1 => u32::MAX,
                    _ => text.len() as u32 / u32::from(kind % 16 + 1),
                })
            })
        });
        options.preload = self.preload.as_ref().map(|(max_tokens, used)| {
            let uses = |(name, called): &(Name, u8)| {
                (name.text(), Uses { loaded: u64::from(called / 2), called: u64::from(*called) })
            };
            let mut usage: Vec<(String, Uses)> = used.iter().take(20).map(uses).collect();
            usage.sort_by(|a, b| a.0.cmp(&b.0));
            usage.dedup_by(|a, b| a.0 == b.0);
            Preload { usage, max_tokens: u64::from(*max_tokens) }
        });
        options
    }

    fn session(&self) -> SessionOptions {
        let defer = self.defer.map(|always| if always { Defer::Always } else { Defer::Never });
        SessionOptions {
            plan: PlanOptions { defer, context_window: self.window.map(|tokens| u64::from(tokens) + 1), model: None },
            allow: self.allow.as_ref().map(|name| vec![name.text(), "*issue*".to_owned(), "re*".to_owned()]),
            deny: if self.hide { vec![shelf::HIDE.to_owned()] } else { Vec::new() },
            activated: texts(&self.activated),
            preloaded: self.preloaded.as_deref().map(texts),
            array: self.array(),
            used: texts(&self.used),
            max_tools: self.max_tools.map(usize::from),
            overflow: if self.evict { Overflow::Evict } else { Overflow::Error },
        }
    }

    fn array(&self) -> Vec<String> {
        let mut names = texts(&self.array);
        if let Some(at) = self.search_at {
            names.insert(usize::from(at) % (names.len() + 1), "toolSearch".to_owned());
        }
        names
    }

    /// A conversation, unless no request could carry its tools.
    fn begin(&self, engine: &ToolSearch) -> Option<Session> {
        match engine.session(self.session()) {
            Ok(session) => Some(session),
            Err(error) => {
                let zero = self.max_tools == Some(0);
                assert_eq!(error.code(), if zero { ErrorCode::InvalidOption } else { ErrorCode::TooManyTools });
                None
            }
        }
    }
}

/// A conversation as it goes.
struct Talk<'a> {
    start: &'a Start,
    options: Options,
    prompt: String,
    /// Whether the catalog is another than the one it began with.
    changed: bool,
}

impl Talk<'_> {
    /// What a conversation begins with: direct and preloaded tools, the search tool, and of the saved names those that are there, in the order
    /// that was saved.
    fn began(&self, engine: &ToolSearch, session: &mut Session) {
        let options = self.start.session();
        let (plan, tokens) = (session.plan, session.plan.tokens);
        let first = if plan.deferring { tokens.direct + tokens.search_tool + tokens.listing } else { tokens.full };
        assert_eq!((tokens.first_request, tokens.saved), (first, tokens.full as i64 - first as i64));
        assert!(plan.deferring || self.prompt.is_empty());
        // What explains it and counts what is hidden is there whatever the budget.
        let least = 8 * 45;
        let budget = self.start.listing.map_or(u64::MAX, |tokens| u64::from(tokens) * 8);
        assert!(
            self.start.counter.is_some() || self.start.scale % 4 != 1 || tokens.listing <= budget.max(least),
            "{tokens:?}"
        );
        assert!(checks::is_tame(&self.prompt));
        let sees = |name: &str, raw: &str| checks::passes(options.allow.as_deref(), &options.deny, name, raw);
        let preloaded = session.preloaded(engine).unwrap_or_default();
        if let (true, Some(names)) = (plan.deferring, &options.preloaded) {
            let deferred = |name: &&String| {
                engine.get(name).is_some_and(|t| t.load() == Load::Deferred && sees(name, t.raw_name()))
            };
            let expected: BTreeSet<&String> = names.iter().filter(deferred).collect();
            assert_eq!(preloaded.iter().collect::<BTreeSet<_>>(), expected);
        }
        let whole = |tool: &tool_search::Tool| {
            !plan.deferring || tool.load() == Load::Direct || preloaded.iter().any(|name| name == tool.name())
        };
        let base = engine.tools().filter(|tool| sees(tool.name(), tool.raw_name()) && whole(tool));
        let mut base: Vec<String> = base.map(|tool| tool.name().to_owned()).collect();
        let mut expected = Vec::new();
        if options.array.is_empty() {
            expected.append(&mut base);
        }
        // As it was saved, with the search tool at the end where nobody said.
        let array = options.array.iter().filter(|name| {
            let is_search = **name == "toolSearch";
            plan.deferring && is_search || engine.get(name).is_some_and(|tool| sees(name, tool.raw_name()))
        });
        for name in array.chain(plan.deferring.then_some(&"toolSearch".to_owned())).chain(&base) {
            if !expected.contains(name) {
                expected.push(name.clone());
            }
        }
        for name in &options.activated {
            let is_there = engine.get(name).is_some_and(|t| t.load() == Load::Deferred && sees(name, t.raw_name()));
            if is_there && !expected.contains(name) {
                expected.push(name.clone());
            }
        }
        let names = session.names(engine);
        if self.start.evict && self.start.max_tools.is_some() {
            assert!(names.iter().all(|name| expected.contains(name)));
        } else {
            assert_eq!(names, expected);
        }
    }

    fn step(&mut self, engine: &mut ToolSearch, session: &mut Session, step: &Step) {
        let before = session.names(engine);
        let mut grows = !(self.start.evict && self.start.max_tools.is_some());
        match step {
            Step::Handle(query, most) => {
                let query = Some(QUERIES[usize::from(*query) % QUERIES.len()].to_owned());
                let input = tool_search::SearchInput { query, max_results: most.map(f64::from) };
                self.ask(engine, session, &input);
            }
            Step::Ask(query) => self.ask(engine, session, &query.as_str().into()),
            Step::Call(name) => {
                let _ = session.resolve(engine, &name.text());
            }
            Step::Activate(names) => {
                let new = session.activate(engine, &texts(names));
                assert!(new.iter().all(|name| session.names(engine).contains(name) && !before.contains(name)));
            }
            Step::Reset => {
                session.reset(engine);
                grows = false;
                let preloaded = session.preloaded(engine).unwrap_or_default();
                assert!(session.activated(engine).is_empty());
                assert!(preloaded.iter().all(|name| session.names(engine).contains(name)));
            }
            Step::Announce => {
                let text = session.announce(engine);
                assert!(checks::is_tame(&text) && (self.changed || text.is_empty()));
                assert_eq!(session.announce(engine), "");
            }
            Step::Check => {
                let answer = session.check(engine);
                let size = session.names(engine).len();
                let most = self.start.max_tools.map_or(usize::MAX, usize::from);
                assert_eq!(answer.is_ok(), size <= most, "{answer:?}");
            }
            Step::Replace(server, tools, direct) => {
                let tools: Vec<String> = tools
                    .iter()
                    .take(8)
                    .collect::<BTreeSet<_>>()
                    .iter()
                    .map(|n| format!(r#"{{"name":"report_{n}"}}"#))
                    .collect();
                let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
                let mut options = AddOptions::server(SERVERS[usize::from(*server) % SERVERS.len()]);
                options.load = tool_search::LoadRule::All(if *direct { Load::Direct } else { Load::Deferred });
                assert!(engine.add(&tools, &options).is_ok());
                self.changed = true;
                grows = false;
            }
            Step::Remove(server) => {
                engine.remove_server(SERVERS[usize::from(*server) % SERVERS.len()]);
                self.changed = true;
                grows = false;
            }
            Step::Status(server, status) => {
                let (server, status) =
                    (SERVERS[usize::from(*server) % SERVERS.len()], STATUSES[usize::from(*status) % STATUSES.len()]);
                assert!(engine.set_server_status(server, status, None).is_ok());
                // A server that is new to the catalog stands in it.
                self.changed = true;
            }
        }
        let names = session.names(engine);
        assert!(!grows || names.starts_with(&before), "{before:?} {names:?}");
        self.holds(engine, session, &names);
        self.goes_on(engine, engine, session, &names);
    }

    fn ask(&self, engine: &ToolSearch, session: &mut Session, input: &tool_search::SearchInput) {
        let reply = session.handle(engine, input);
        let names = session.names(engine);
        assert!(
            reply.loaded.iter().chain(&reply.already_loaded).all(|name| names.contains(name)),
            "{reply:?} {names:?}"
        );
        assert!(checks::is_tame(&reply.text) && reply.text.len() <= 24 << 10);
    }

    fn holds(&self, engine: &ToolSearch, session: &mut Session, names: &[String]) {
        assert_eq!(session.prompt(), self.prompt);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert!(!self.start.hide || names.iter().all(|name| !name.starts_with("mcp__hush")));
        let tools = session.tools(engine, Format::Gemini);
        for (name, json) in names.iter().zip(&tools) {
            let Ok(tool) = serde_json::from_str::<serde_json::Value>(json) else { panic!("{json}") };
            assert_eq!(tool["name"], **name);
        }
        assert_eq!(tools.len(), names.len());
        let (Ok(tokens), Ok(sum)) = (session.tokens(engine), session.tokens_of(engine, names)) else {
            panic!("no tokens")
        };
        assert_eq!(tokens.array, sum);
    }

    /// Saved and gone on with, here or `elsewhere` over the same catalog, it sends the same tools, and lets the same leave.
    fn goes_on(&self, engine: &ToolSearch, elsewhere: &ToolSearch, session: &mut Session, names: &[String]) {
        let saved = SessionOptions {
            activated: session.activated(engine),
            preloaded: session.preloaded(engine),
            array: session.array(engine),
            used: session.used(engine),
            ..self.start.session()
        };
        let Ok(mut again) = elsewhere.session(saved.clone()) else {
            // Of what came later there may be more than a conversation may begin with.
            assert!(self.changed, "no session");
            return;
        };
        // A conversation decides when it begins, by what the catalog has then.
        if again.plan.deferring != session.plan.deferring {
            assert!(self.changed);
            return;
        }
        if !self.changed {
            assert_eq!((again.prompt(), again.activated(elsewhere)), (self.prompt.as_str(), saved.activated));
        }
        assert_eq!(again.names(elsewhere), names);
        assert_eq!((again.array(elsewhere), again.used(elsewhere)), (saved.array, saved.used));
    }
}
