//! A catalog and its conversations, slow and obvious: lists that are walked, and the rules as they are written down. It shares no
//! line with the core.

use crate::{checks, definitions};
use std::collections::{BTreeMap, BTreeSet};
use tool_search::{AddOptions, CatalogDelta, ErrorCode, Load, LoadRule, ServerStatus};

/// A definition that is added: its name, its description, and the words that it has in either.
#[derive(Debug, Clone, Default)]
pub struct Given {
    pub name: String,
    pub description: String,
    pub words: BTreeSet<&'static str>,
    pub always_load: bool,
}

impl Given {
    pub fn json(&self) -> String {
        let mut all = serde_json::json!({ "name": self.name, "description": self.description });
        if self.always_load {
            all["annotations"] = serde_json::json!({ "alwaysLoad": true });
        }
        all.to_string()
    }
}

/// One call of `add`.
#[derive(Debug, Clone)]
pub struct Addition {
    pub tools: Vec<Given>,
    pub options: AddOptions,
}

#[derive(Debug, Clone)]
pub struct Tool {
    pub name: String,
    pub raw_name: String,
    pub server: Option<String>,
    pub direct: bool,
    pub given: Given,
    /// The same as long as the tool stays in the catalog.
    pub life: u64,
}

#[derive(Debug, Clone, Default)]
pub struct Server {
    pub tools: Vec<Tool>,
    pub status: ServerStatus,
    pub instructions: String,
    pub addition: Option<Addition>,
}

#[derive(Debug, Default)]
pub struct Model {
    pub builtin: Vec<Tool>,
    pub builtin_additions: Vec<Addition>,
    pub servers: BTreeMap<String, Server>,
    lives: u64,
}

/// What a written name means: the one tool, and whether it is its callable name but for the case; or all that it may mean.
#[derive(Debug)]
pub enum Meaning<'a> {
    One(&'a Tool, bool),
    Many(Vec<&'a Tool>),
    Nothing,
}

/// One way for a name to mean a tool.
type Way<'a> = &'a dyn Fn(&Tool) -> bool;

/// What a search finds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    pub names: Vec<String>,
    /// Those of them that were asked for by their callable names.
    pub exact: Vec<String>,
    pub missing: Vec<String>,
    pub direct: Vec<String>,
    pub ambiguous: Vec<(String, Vec<String>)>,
    pub down: BTreeSet<String>,
}

/// Which tools exist for a search or a session.
#[derive(Debug, Clone, Default)]
pub struct Sees {
    pub allow: Option<Vec<String>>,
    pub deny: Vec<String>,
}

impl Sees {
    fn tool(&self, tool: &Tool) -> bool {
        checks::passes(self.allow.as_deref(), &self.deny, &tool.name, &tool.raw_name)
    }
}

pub fn lower(text: &str) -> String {
    text.to_lowercase().replace('ß', "ss").replace('ς', "σ")
}

/// A name without case and separators, and without `mcp__`; one that has nothing else stays as it is.
fn loose(name: &str) -> String {
    let bare = squashed(name);
    if bare.is_empty() { name.to_owned() } else { bare }
}

fn squashed(name: &str) -> String {
    let begins = name.chars().take(5).collect::<String>().eq_ignore_ascii_case("mcp__");
    let letters = name.chars().skip(if begins { 5 } else { 0 }).filter(|c| c.is_alphanumeric());
    lower(&letters.collect::<String>())
}

impl Model {
    /// Rule A2.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.builtin.iter().chain(self.servers.values().flat_map(|server| &server.tools))
    }

    fn is_down(&self, tool: &Tool) -> bool {
        tool.server.as_ref().is_some_and(|name| self.servers[name].status != ServerStatus::Ready)
    }

    /// Rules A1, A3, A5, A6.
    pub fn add(&mut self, addition: &Addition) -> Result<CatalogDelta, ErrorCode> {
        let options = &addition.options;
        let usable = |given: &Given| !given.name.trim().is_empty() && given.name.chars().count() <= 128;
        if !addition.tools.iter().all(usable) {
            return Err(ErrorCode::InvalidTool);
        }
        let replaced =
            options.server.as_ref().and_then(|name| self.servers.get(name)).map(|server| server.tools.clone());
        let replaced = replaced.unwrap_or_default();
        let others: Vec<String> =
            self.tools().filter(|t| t.server.is_none() || t.server != options.server).map(|t| t.name.clone()).collect();
        let mut new: Vec<Tool> = Vec::new();
        let mut delta = CatalogDelta::default();
        for given in &addition.tools {
            let name = definitions::callable(&given.name, options);
            if name == "toolSearch" {
                return Err(ErrorCode::ReservedName);
            }
            if others.contains(&name) || new.iter().any(|tool| tool.name == name) {
                return Err(ErrorCode::DuplicateName);
            }
            let raw_name = raw(&given.name, options.server.as_deref());
            let direct = given.always_load
                || match &options.load {
                    LoadRule::All(load) => *load == Load::Direct,
                    LoadRule::Direct(patterns) => !checks::passes(None, patterns, &name, &raw_name),
                };
            let was = replaced.iter().find(|tool| tool.name == name);
            match was {
                None => delta.added.push(name.clone()),
                Some(was) if (was.given.json(), was.direct, &was.raw_name) != (given.json(), direct, &raw_name) => {
                    delta.changed.push(name.clone());
                }
                Some(_) => {}
            }
            let life = was.map_or_else(|| self.next_life(), |was| was.life);
            new.push(Tool { name, raw_name, server: options.server.clone(), direct, given: given.clone(), life });
        }
        let gone = replaced.iter().filter(|tool| new.iter().all(|own| own.name != tool.name));
        delta.removed = gone.map(|tool| tool.name.clone()).collect();
        match &options.server {
            None => {
                self.builtin.extend(new);
                self.builtin_additions.push(addition.clone());
            }
            Some(name) => {
                let instructions = options.instructions.clone().unwrap_or_default();
                let server =
                    Server { tools: new, status: ServerStatus::Ready, instructions, addition: Some(addition.clone()) };
                self.servers.insert(name.clone(), server);
            }
        }
        Ok(delta)
    }

    fn next_life(&mut self) -> u64 {
        self.lives += 1;
        self.lives
    }

    pub fn remove(&mut self, server: &str) -> Vec<String> {
        let gone = self.servers.remove(server).unwrap_or_default();
        gone.tools.iter().map(|tool| tool.name.clone()).collect()
    }

    pub fn set_status(&mut self, server: &str, status: ServerStatus) {
        self.servers.entry(server.to_owned()).or_default().status = status;
    }

    /// Rule C2: the first way that leads to any tool decides.
    pub fn resolve(&self, written: &str, sees: &Sees) -> Meaning<'_> {
        let seen = |way: Way<'_>| -> Vec<&Tool> { self.tools().filter(|t| sees.tool(t) && way(t)).collect() };
        let behind_server = |tool: &Tool| tool.server.as_ref().map(|server| squashed(server) + &loose(&tool.raw_name));
        let wanted = loose(written);
        let ways: [(bool, Way<'_>); 4] = [
            (true, &|tool| tool.name == written),
            (true, &|tool| lower(&tool.name) == lower(written)),
            (false, &|tool| tool.raw_name == written),
            (false, &|tool| {
                loose(&tool.name) == wanted
                    || loose(&tool.raw_name) == wanted
                    || behind_server(tool) == Some(wanted.clone())
            }),
        ];
        for (callable, way) in ways {
            match &seen(way)[..] {
                [] => {}
                [one] => return Meaning::One(one, callable),
                // No more are told.
                many => return Meaning::Many(many.iter().take(50).copied().collect()),
            }
        }
        Meaning::Nothing
    }

    /// Rule C1.
    pub fn select(&self, names: &[&str], sees: &Sees) -> Found {
        let mut found = Found::default();
        let mut asked = BTreeSet::new();
        let put = |list: &mut Vec<String>, name: &str| {
            if !list.iter().any(|own| own == name) {
                list.push(name.to_owned());
            }
        };
        for name in names.iter().filter(|name| asked.insert(**name)) {
            match self.resolve(name, sees) {
                Meaning::One(tool, _) if tool.direct => put(&mut found.direct, &tool.name),
                Meaning::One(tool, _) if self.is_down(tool) => found.down.extend(tool.server.clone()),
                Meaning::One(tool, exactly) => {
                    if exactly && !found.names.contains(&tool.name) {
                        put(&mut found.exact, &tool.name);
                    }
                    put(&mut found.names, &tool.name);
                }
                Meaning::Many(tools) => {
                    found.ambiguous.push(((*name).to_owned(), tools.iter().map(|tool| tool.name.clone()).collect()));
                }
                Meaning::Nothing => found.missing.push((*name).to_owned()),
            }
        }
        // A server that never showed its tools may have what is missing.
        if !found.missing.is_empty() {
            found.down.extend(self.silent(sees));
        }
        found
    }

    /// Servers that are down and have no tools, where a filter could let one through.
    fn silent(&self, sees: &Sees) -> Vec<String> {
        let silent = |server: &Server| server.status != ServerStatus::Ready && server.tools.is_empty();
        let all =
            self.servers.iter().filter(|(_, server)| silent(server) && sees.allow.is_none() && sees.deny.is_empty());
        all.map(|(name, _)| name.clone()).collect()
    }

    /// Deferred tools that are up and have something, in catalog order.
    pub fn list(&self, sees: &Sees, has: &dyn Fn(&Tool) -> bool) -> Found {
        let (down, up): (Vec<&Tool>, Vec<&Tool>) =
            self.tools().filter(|t| !t.direct && sees.tool(t) && has(t)).partition(|tool| self.is_down(tool));
        let mut found = Found { names: up.iter().map(|tool| tool.name.clone()).collect(), ..Found::default() };
        found.down.extend(down.iter().filter_map(|tool| tool.server.clone()));
        found.down.extend(self.silent(sees));
        found
    }

    /// A word that nothing is close to: a name if it is one, otherwise it finds what has it.
    pub fn word(&self, word: &str, sees: &Sees) -> Found {
        match self.resolve(word, sees) {
            Meaning::One(..) => self.select(&[word], sees),
            _ => self.list(sees, &|tool| tool.given.words.contains(word)),
        }
    }
}

fn raw(given: &str, server: Option<&str>) -> String {
    let Some(server) = server else { return given.to_owned() };
    let options = AddOptions::server(server);
    // What stands in front of every name of it.
    let prefix = definitions::callable("x", &options);
    let prefix = &prefix[..prefix.len() - 1];
    given.strip_prefix(prefix).filter(|raw| !raw.is_empty()).unwrap_or(given).to_owned()
}

/// A tool in an array, in the life that was meant.
type Sent = (String, u64);

/// One conversation (rules F1 to F5).
#[derive(Debug)]
pub struct Session {
    deferring: bool,
    pub sees: Sees,
    base: Vec<Sent>,
    appended: Vec<Sent>,
    activated: Vec<Sent>,
    told: Vec<(String, String)>,
}

impl Session {
    pub fn new(model: &Model, deferring: bool, sees: Sees) -> Self {
        let base = model.tools().filter(|t| (t.direct || !deferring) && sees.tool(t)).map(sent).collect();
        let told = deferred(model);
        Self { deferring, sees, base, appended: Vec::new(), activated: Vec::new(), told }
    }

    fn array(&self) -> Vec<&Sent> {
        self.base.iter().chain(&self.appended).collect()
    }

    /// What is gone leaves, what is sent whole comes.
    pub fn follow(&mut self, model: &Model) {
        let lives = |own: &Sent| model.tools().any(|tool| sent(tool) == *own);
        for list in [&mut self.base, &mut self.appended, &mut self.activated] {
            list.retain(lives);
        }
        for tool in model.tools().filter(|tool| (tool.direct || !self.deferring) && self.sees.tool(tool)) {
            if !self.array().contains(&&sent(tool)) {
                self.appended.push(sent(tool));
            }
        }
    }

    pub fn names(&self) -> Vec<String> {
        let name = |own: &Sent| own.0.clone();
        let search = self.deferring.then(|| "toolSearch".to_owned());
        self.base.iter().map(name).chain(search).chain(self.appended.iter().map(name)).collect()
    }

    pub fn activated(&self) -> Vec<String> {
        self.activated.iter().map(|own| own.0.clone()).collect()
    }

    /// Whether it is new in the array.
    pub fn activate(&mut self, tool: &Tool) -> bool {
        let is_new = !self.array().contains(&&sent(tool));
        if !tool.direct && !self.activated.contains(&sent(tool)) {
            self.activated.push(sent(tool));
        }
        if is_new {
            self.appended.push(sent(tool));
        }
        is_new
    }

    pub fn reset(&mut self, model: &Model) {
        for own in std::mem::take(&mut self.activated) {
            let direct = model.tools().any(|tool| sent(tool) == own && tool.direct);
            if self.deferring && !direct {
                self.appended.retain(|other| *other != own);
            }
        }
    }

    /// What came and what went, of the deferred tools, since it was asked last.
    pub fn announce(&mut self, model: &Model) -> (Vec<String>, Vec<String>) {
        let now = deferred(model);
        let told = std::mem::replace(&mut self.told, now.clone());
        if !self.deferring {
            return Default::default();
        }
        let seen =
            |(name, raw): &&(String, String)| checks::passes(self.sees.allow.as_deref(), &self.sees.deny, name, raw);
        let not_in = |others: &[(String, String)], name: &str| others.iter().all(|(other, _)| other != name);
        let added = now.iter().filter(seen).map(|(name, _)| name.clone()).filter(|name| not_in(&told, name)).collect();
        let removed = told.iter().filter(seen).map(|(name, _)| name.clone());
        let removed = removed.filter(|name| model.tools().all(|tool| tool.name != *name)).collect();
        (added, removed)
    }
}

fn sent(tool: &Tool) -> Sent {
    (tool.name.clone(), tool.life)
}

fn deferred(model: &Model) -> Vec<(String, String)> {
    model.tools().filter(|tool| !tool.direct).map(|tool| (tool.name.clone(), tool.raw_name.clone())).collect()
}
