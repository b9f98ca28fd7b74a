//! A catalog that is added to, replaced, removed from and searched while a conversation goes on, against a model of it.

use crate::model::{Addition, Found, Given, Meaning, Model, Sees, Session, Tool};
use crate::{checks, model};
use arbitrary::{Arbitrary, Unstructured};
use std::collections::BTreeSet;
use tool_search::{
    AddOptions, CallResolution, Defer, Error, Format, Load, LoadRule, Options, PlanOptions, SearchOptions,
    SearchResult, ServerStatus, SessionOptions, Tier, ToolSearch,
};

/// Words that are no others', nor close to any: what has one can be told without knowing how words are found.
const WORDS: [&str; 8] = ["zorble", "quimfat", "wexnidu", "jyphoka", "brastund", "clovemp", "hyxtor", "fnaggle"];
const JOINTS: [&str; 7] = ["_", "-", ".", "/", ":", " ", "__"];
const SERVERS: [&str; 6] = ["alpha", "al pha", "al_pha", "Beta", "ß", "🦀"];
const NAMES: [&str; 16] = [
    "x",
    "X",
    "mcp__alpha__x",
    "mcp__x",
    "MCP__ALPHA__x",
    "toolSearch",
    "🦀",
    "🐙",
    "__proto__",
    "straße",
    "STRASSE",
    "検索",
    "a b",
    "",
    "alpha x",
    "_",
];
const STATUSES: [ServerStatus; 4] =
    [ServerStatus::Ready, ServerStatus::Pending, ServerStatus::Failed, ServerStatus::Disconnected];
/// Where a life ends, so that every one is short.
const MOST_CHANGES: usize = 24;
const MOST_TOOLS: usize = 24;

#[derive(Debug, Clone, Copy, Arbitrary)]
struct Word(u8);

impl Word {
    fn text(self) -> &'static str {
        WORDS[usize::from(self.0) % WORDS.len()]
    }

    /// For names, many of which should be alike.
    fn of_few(self) -> &'static str {
        WORDS[usize::from(self.0) % 3]
    }
}

#[derive(Debug, Clone, Arbitrary)]
enum Name {
    Words {
        first: Word,
        second: Word,
        joint: u8,
    },
    Odd(u8),
    /// One of 256 that are alike but for what stands between their letters.
    Alike(u8),
}

impl Name {
    fn text(&self) -> String {
        match self {
            Self::Words { first, second, joint } => {
                let Some(joint) = JOINTS.get(usize::from(*joint) % 16) else { return first.of_few().to_owned() };
                [first.of_few(), joint, second.of_few()].concat()
            }
            Self::Odd(at) => NAMES[usize::from(*at) % NAMES.len()].to_owned(),
            Self::Alike(bits) => (0..8).map(|bit| if bits >> bit & 1 == 0 { "y_" } else { "y-" }).collect(),
        }
    }

    fn words(&self) -> Vec<&'static str> {
        match self {
            Self::Words { first, joint, .. } if usize::from(*joint) % 16 >= JOINTS.len() => vec![first.of_few()],
            Self::Words { first, second, .. } => vec![first.of_few(), second.of_few()],
            _ => Vec::new(),
        }
    }
}

#[derive(Debug, Arbitrary)]
struct Definition {
    name: Name,
    about: Vec<Word>,
    always_load: bool,
}

impl Definition {
    fn given(&self) -> Given {
        let about: Vec<&'static str> = self.about.iter().take(6).map(|word| word.text()).collect();
        let words = self.name.words().into_iter().chain(about.iter().copied()).collect::<BTreeSet<_>>();
        Given { name: self.name.text(), description: about.join(", "), words, always_load: self.always_load }
    }
}

#[derive(Debug, Clone, Copy, Arbitrary)]
struct Server(u8);

impl Server {
    fn name(self) -> &'static str {
        // The first, most of the time: there should be something to replace.
        SERVERS[usize::from(self.0.saturating_sub(127)) % SERVERS.len()]
    }
}

#[derive(Debug, Arbitrary)]
enum Asked {
    Word(Word),
    Select(Vec<Name>),
    Pattern(Word),
    Names(Vec<Name>),
    Words(Vec<Word>),
    Server(Server),
    Text(String),
}

#[derive(Debug, Arbitrary)]
enum Change {
    Add {
        server: Option<Server>,
        tools: Vec<Definition>,
        direct: Option<Name>,
        all_direct: bool,
        prefix: bool,
    },
    /// What a server has once more, some of it changed.
    Again {
        server: Server,
        direct: bool,
        without: u8,
        other: Option<u8>,
        turned: bool,
    },
    Remove(Server),
    Status(Server, u8),
    /// Through bytes and back.
    Snapshot,
    Search(Asked),
    Begin {
        defer: bool,
        deny: Option<Name>,
        allow: Option<Vec<Name>>,
    },
    Load(Asked),
    Call(Name),
    Activate(Vec<Name>),
    Reset,
    Announce,
}

/// The bytes are the changes.
pub fn run(data: &[u8]) {
    let mut draw = Unstructured::new(data);
    let mut life = Life::new();
    for _ in 0..MOST_CHANGES {
        match Change::arbitrary(&mut draw) {
            Ok(change) if !draw.is_empty() => life.change(&change),
            _ => break,
        }
    }
    life.end();
}

fn options() -> Options {
    let mut options = Options::default();
    options.defer = Defer::Always;
    options
}

/// The engine and what it should be.
struct Life {
    engine: ToolSearch,
    model: Model,
    session: tool_search::Session,
    expected: Session,
}

/// Nothing here is refused.
fn sure<T>(answer: Result<T, Error>) -> T {
    answer.unwrap_or_else(|error| panic!("{error}"))
}

impl Life {
    fn new() -> Self {
        let (engine, model) = (sure(ToolSearch::new(options())), Model::default());
        let session = sure(engine.session(SessionOptions::default()));
        let expected = Session::new(&model, false, Sees::default());
        let mut life = Self { engine, model, session, expected };
        // With nothing to defer a conversation would begin without a search tool.
        let seed = Given { name: "seed".to_owned(), ..Default::default() };
        life.add(&Addition { tools: vec![seed], options: AddOptions::default() });
        life.begin(true, Sees::default());
        life
    }

    fn change(&mut self, change: &Change) {
        match change {
            Change::Add { server, tools, direct, all_direct, prefix } => {
                let load = match direct {
                    Some(name) => LoadRule::Direct(vec![name.text().replace("y_", "y?"), "*quim*".to_owned()]),
                    None => LoadRule::All(if *all_direct { Load::Direct } else { Load::Deferred }),
                };
                let server = server.map(|server| server.name().to_owned());
                let instructions = server.as_ref().filter(|_| !tools.is_empty()).map(|name| format!("Of {name}."));
                let options = AddOptions { server, instructions, load, prefix: *prefix };
                let tools = tools.iter().take(MOST_TOOLS).map(Definition::given).collect();
                self.add(&Addition { tools, options });
            }
            Change::Again { server, direct, without, other, turned } => {
                let Some(was) = self.model.servers.get(server.name()).and_then(|server| server.addition.clone()) else {
                    return;
                };
                let Addition { mut tools, mut options } = was;
                let without = usize::from(without % 8);
                if without < tools.len() {
                    tools.remove(without);
                }
                if let Some(given) = other.and_then(|at| tools.get_mut(usize::from(at % 4))) {
                    given.description += "!";
                }
                if *turned {
                    tools.reverse();
                }
                options.load = LoadRule::All(if *direct { Load::Direct } else { Load::Deferred });
                self.add(&Addition { tools, options });
            }
            Change::Remove(server) => {
                let delta = self.engine.remove_server(server.name());
                assert_eq!(delta.removed, self.model.remove(server.name()));
                assert!(delta.added.is_empty() && delta.changed.is_empty());
            }
            Change::Status(server, status) => {
                let status = STATUSES[usize::from(*status) % STATUSES.len()];
                sure(self.engine.set_server_status(server.name(), status, Some("so it is")));
                self.model.set_status(server.name(), status);
            }
            Change::Snapshot => {
                self.engine = sure(ToolSearch::restore(&self.engine.snapshot(), options()));
                self.begin(true, Sees::default());
            }
            Change::Search(asked) => self.search(asked),
            Change::Begin { defer, deny, allow } => {
                let patterns = |names: &[Name]| names.iter().take(4).map(|name| format!("*{}", name.text())).collect();
                let deny = deny.as_ref().map(|name| vec![name.text(), "mcp__Beta__*".to_owned()]).unwrap_or_default();
                self.begin(*defer, Sees { allow: allow.as_deref().map(patterns), deny });
            }
            Change::Load(asked) => self.load(asked),
            Change::Call(name) => self.call(&name.text()),
            Change::Activate(names) => {
                let names: Vec<String> = names.iter().take(4).map(Name::text).collect();
                self.expected.follow(&self.model);
                let mut new = Vec::new();
                for name in &names {
                    if let Meaning::One(tool, _) = self.model.resolve(name, &self.expected.sees)
                        && self.expected.activate(tool)
                    {
                        new.push(tool.name.clone());
                    }
                }
                assert_eq!(self.session.activate(&self.engine, &names), new);
            }
            Change::Reset => {
                self.session.reset(&self.engine);
                self.expected.follow(&self.model);
                self.expected.reset(&self.model);
            }
            Change::Announce => self.announce(),
        }
        self.compare();
    }

    fn add(&mut self, addition: &Addition) {
        let tools: Vec<String> = addition.tools.iter().map(Given::json).collect();
        let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
        let answer = self.engine.add(&tools, &addition.options);
        let expected = self.model.add(addition);
        assert_eq!(answer.as_ref().map_err(Error::code), expected.as_ref().map_err(|code| *code));
    }

    fn begin(&mut self, defer: bool, sees: Sees) {
        let defer = Some(if defer { Defer::Always } else { Defer::Never });
        let plan = PlanOptions { defer, ..Default::default() };
        let options = SessionOptions { plan, allow: sees.allow.clone(), deny: sees.deny.clone(), ..Default::default() };
        self.session = sure(self.engine.session(options));
        let plan = self.session.plan;
        let deferred = self.model.list(&sees, &|_| true);
        // A server that is still connecting may bring what there is to defer.
        let awaited = self.model.servers.values().any(|server| server.status == ServerStatus::Pending);
        let something = awaited || !deferred.names.is_empty() || !deferred.down.is_empty();
        assert!(!plan.deferring || (defer == Some(Defer::Always) && something));
        assert!(plan.deferring || defer == Some(Defer::Never) || deferred.names.is_empty());
        assert_eq!(plan.tokens.full, plan.tokens.direct + plan.tokens.deferrable);
        self.expected = Session::new(&self.model, plan.deferring, sees);
        self.section();
    }

    /// The section names what is deferred, server by server, and nothing else.
    fn section(&self) {
        let shown = |tools: &[Tool]| -> Vec<String> {
            let sees = &self.expected.sees;
            let seen = tools
                .iter()
                .filter(|t| !t.direct && checks::passes(sees.allow.as_deref(), &sees.deny, &t.name, &t.raw_name));
            seen.map(|tool| tool.name.clone()).collect()
        };
        let mut expected = String::new();
        let builtin = (String::new(), shown(&self.model.builtin));
        let servers = self.model.servers.iter().map(|(name, server)| {
            let told = Some(&server.instructions).filter(|text| !text.is_empty());
            let told = told.map(|text| format!("Instructions of this server: {text}\n")).unwrap_or_default();
            (format!("### Server: {name}\n{told}"), shown(&server.tools))
        });
        for (head, names) in std::iter::once(builtin).chain(servers).filter(|(_, names)| !names.is_empty()) {
            if !names.iter().all(|name| is_plain(name)) {
                return;
            }
            expected += &format!("\n{head}{}\n", names.join("\n"));
        }
        if self.session.plan.deferring {
            assert!(self.session.prompt().ends_with(&expected), "{}\n\n{expected}", self.session.prompt());
        }
    }

    fn query(asked: &Asked) -> String {
        let names = |names: &[Name]| names.iter().take(5).map(Name::text).collect::<Vec<_>>();
        match asked {
            Asked::Word(word) | Asked::Pattern(word) => word.text().to_owned(),
            Asked::Select(all) => format!("select:{}", names(all).join(",")),
            Asked::Names(all) => names(all).join(", "),
            Asked::Words(words) => words.iter().take(6).map(|word| word.text()).collect::<Vec<_>>().join(" "),
            Asked::Server(server) => server.name().to_owned(),
            Asked::Text(text) => text.clone(),
        }
    }

    /// What the model knows of an answer, where it knows it.
    fn knows(&self, asked: &Asked, sees: &Sees) -> Option<Found> {
        let model = &self.model;
        match asked {
            Asked::Word(word) => Some(model.word(word.text(), sees)),
            Asked::Pattern(word) => {
                let word = word.text();
                Some(model.list(sees, &|tool| tool.name.contains(word) || tool.given.description.contains(word)))
            }
            Asked::Select(names) => {
                let names: Vec<String> = names.iter().take(5).map(|name| name.text().trim().to_owned()).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
                Some(model.select(&names, sees)).filter(|_| !names.is_empty())
            }
            _ => None,
        }
    }

    fn search(&mut self, asked: &Asked) {
        let regex = matches!(asked, Asked::Pattern(_));
        for sees in [Sees::default(), Sees { allow: None, deny: vec!["*a__*".to_owned(), "x".to_owned()] }] {
            let options = SearchOptions {
                limit: Some(50.0),
                deny: sees.deny.clone(),
                regex,
                explain: true,
                ..Default::default()
            };
            let query = Self::query(asked);
            let answer = self.engine.search(&query, &options);
            checks::answer(&self.engine, &query, &options, &answer);
            if let (Some(expected), Ok(result)) = (self.knows(asked, &sees), &answer) {
                same(result, &expected, &sees, matches!(asked, Asked::Word(_)));
            } else if let Asked::Server(server) = asked {
                self.lists(*server, &sees, &answer);
            }
        }
    }

    /// Rule C4, unless a tool is called so. A server that is hidden may leave its name to another that is spelt alike.
    fn lists(&self, server: Server, sees: &Sees, answer: &Result<SearchResult, Error>) {
        let Ok(result) = answer else { return };
        let is_there = self.model.servers.contains_key(server.name()) && sees.deny.is_empty();
        if result.kind == tool_search::QueryKind::Server && is_there {
            let all = self.model.list(sees, &|tool| tool.server.as_deref() == Some(server.name()));
            assert_eq!(names_of(result), all.names);
        }
    }

    fn load(&mut self, asked: &Asked) {
        self.expected.follow(&self.model);
        let query = Self::query(asked);
        let before = self.session.tools(&self.engine, Format::OpenaiChat);
        let reply = self.session.handle(&self.engine, &query.as_str().into());
        let pattern = matches!(asked, Asked::Pattern(_));
        if let (Some(expected), Some(result), false) = (self.knows(asked, &self.expected.sees), &reply.result, pattern)
        {
            let all: BTreeSet<&String> = expected.names.iter().collect();
            let found: Vec<String> = names_of(result);
            assert!(found.iter().all(|name| all.contains(name)), "{found:?} {expected:?}");
            assert_eq!(found.len() + result.more, all.len());
        }
        let mut new = Vec::new();
        for name in reply.result.iter().flat_map(names_of) {
            let Some(tool) = self.model.tools().find(|tool| tool.name == name) else { panic!("{name} is not there") };
            if self.expected.activate(tool) {
                new.push(name);
            }
        }
        assert_eq!((&reply.loaded, reply.changed), (&new, !new.is_empty()));
        assert!(self.session.tools(&self.engine, Format::OpenaiChat).starts_with(&before));
        assert!(checks::is_tame(&reply.text) && reply.text.len() <= 16 << 10, "{}", reply.text);
    }

    fn call(&mut self, name: &str) {
        self.expected.follow(&self.model);
        let resolution = self.session.resolve(&self.engine, name);
        let down = |tool: &Tool| {
            let server = tool.server.as_ref().and_then(|server| self.model.servers.get(server));
            server.is_some_and(|server| server.status != ServerStatus::Ready)
        };
        match (self.model.resolve(name, &self.expected.sees), resolution) {
            (_, CallResolution::Search) => assert!(self.session.plan.deferring && name == "toolSearch"),
            (Meaning::One(tool, _), CallResolution::Unavailable { name, .. }) => {
                assert!(down(tool) && name == tool.name)
            }
            (Meaning::One(tool, _), CallResolution::Ready(own)) => {
                assert!(!down(tool) && !self.expected.activate(tool) && own.name() == tool.name);
            }
            (Meaning::One(tool, _), CallResolution::Activated(own, _)) => {
                assert!(!down(tool) && self.expected.activate(tool) && own.name() == tool.name);
            }
            (Meaning::Many(tools), CallResolution::Ambiguous { candidates, .. }) => {
                assert_eq!(candidates, tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>());
            }
            (Meaning::Nothing, CallResolution::Unknown { .. }) => {}
            (Meaning::Nothing, CallResolution::Unavailable { server, .. }) => {
                assert!(self.model.servers.get(&server).is_some_and(|server| server.status != ServerStatus::Ready));
            }
            (expected, resolution) => panic!("{name:?} is {expected:?}, not {resolution:?}"),
        }
    }

    fn announce(&mut self) {
        let text = self.session.announce(&self.engine);
        let (added, removed) = self.expected.announce(&self.model);
        assert_eq!(text.is_empty(), added.is_empty() && removed.is_empty(), "{text} {added:?} {removed:?}");
        assert!(checks::is_tame(&text));
        if added.iter().chain(&removed).all(|name| is_plain(name)) {
            let leads = ["New deferred tools, to be loaded with toolSearch", "Tools that are gone"];
            let lines = leads.iter().zip([&added, &removed]).filter(|(_, names)| !names.is_empty());
            let lines: Vec<String> = lines.map(|(lead, names)| format!("{lead}: {}.", names.join(", "))).collect();
            assert_eq!(text, lines.join("\n"));
        }
        assert_eq!(self.session.announce(&self.engine), "");
    }

    fn compare(&mut self) {
        let tools =
            |engine: &ToolSearch| -> Vec<String> { engine.tools().map(|tool| tool.name().to_owned()).collect() };
        let names: Vec<String> = self.model.tools().map(|tool| tool.name.clone()).collect();
        assert_eq!((tools(&self.engine), self.engine.len()), (names.clone(), names.len()));
        for (tool, expected) in self.engine.tools().zip(self.model.tools()) {
            let own = (tool.raw_name(), tool.server(), tool.load() == Load::Direct, tool.definition());
            assert_eq!(
                own,
                (&*expected.raw_name, expected.server.as_deref(), expected.direct, &*expected.given.json())
            );
            assert!(self.engine.get(tool.name()).is_some_and(|own| std::sync::Arc::ptr_eq(own, tool)));
        }
        for (name, server) in &self.model.servers {
            assert_eq!(self.engine.server_status(name), Some(server.status));
        }
        // Now and then it falls behind by several changes.
        if !names.len().is_multiple_of(3) {
            self.expected.follow(&self.model);
            assert_eq!(self.session.names(&self.engine), self.expected.names());
            assert_eq!(self.session.activated(&self.engine), self.expected.activated());
        }
    }

    /// Rule A4: a catalog with a past answers as one made now, and as one out of a snapshot.
    fn end(self) {
        let mut fresh = sure(ToolSearch::new(options()));
        let additions = self.model.servers.values().filter_map(|server| server.addition.as_ref());
        // Backwards: the order of connecting must not matter.
        for addition in self.model.builtin_additions.iter().chain(additions.rev()) {
            let tools: Vec<String> = addition.tools.iter().map(Given::json).collect();
            sure(fresh.add(&tools.iter().map(String::as_str).collect::<Vec<_>>(), &addition.options));
        }
        let noted = |server: &&model::Server| server.status != ServerStatus::Ready || server.addition.is_none();
        for (name, server) in self.model.servers.iter().filter(|(_, server)| noted(server)) {
            sure(fresh.set_server_status(name, server.status, Some("so it is")));
        }
        let restored = sure(ToolSearch::restore(&self.engine.snapshot(), options()));
        let search = SearchOptions { explain: true, ..Default::default() };
        for query in ["quimfat wexnidu", "find zorbel, then brastund", "select:x,straße", "+clovemp zorble"] {
            let told = checks::told(&fresh.search(query, &search));
            assert_eq!(checks::told(&self.engine.search(query, &search)), told, "lived, {query}");
            assert_eq!(checks::told(&restored.search(query, &search)), told, "restored, {query}");
        }
        assert_eq!(self.engine.tokens(), fresh.tokens());
        let prompt = |engine: &ToolSearch| sure(engine.session(SessionOptions::default())).prompt().to_owned();
        assert_eq!(prompt(&self.engine), prompt(&fresh));
    }
}

/// Whether a name is shown as it is, and not in quotes.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(plain)
}

fn names_of(result: &SearchResult) -> Vec<String> {
    result.matches.iter().map(|m| m.tool.name().to_owned()).collect()
}

/// An answer against what the model knows of it; what words find is ranked, and only which tools they are is known.
fn same(result: &SearchResult, expected: &Found, sees: &Sees, ranked: bool) {
    let mut found = Found {
        names: names_of(result),
        exact: result.matches.iter().filter(|m| m.tier == Tier::Exact).map(|m| m.tool.name().to_owned()).collect(),
        missing: result.missing.clone(),
        direct: result.direct.clone(),
        ambiguous: result.ambiguous.iter().map(|a| (a.name.clone(), a.candidates.clone())).collect(),
        down: result.unavailable.iter().map(|down| down.server.clone()).collect(),
    };
    let mut wanted = expected.clone();
    if ranked {
        found.names.sort();
        wanted.names.sort();
    }
    // Whether a server without tools may be spoken of where tools are denied is no matter of tools.
    if !sees.deny.is_empty() {
        found.down.clear();
        wanted.down.clear();
    }
    if wanted.names.len() <= 50 {
        assert_eq!(found, wanted, "{:?}", result.query);
    }
}
