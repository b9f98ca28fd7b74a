//! The catalog: which tools there are, of which servers, in which order (rules A1 to A8).

mod resolve;
mod types;

pub use types::{AddOptions, CatalogDelta, Limits, LoadRule, ServerStatus};

use crate::batch::Batch;
use crate::error::{Error, ErrorCode, Result};
use crate::json::quoted;
use crate::names::{self, Filter, Glob};
use crate::once::OnceLock;
use crate::options::{CallableNames, Options};
use crate::order::Order;
use crate::safe;
use crate::sorted::{self, Identities};
use crate::spellings::Spellings;
use crate::tool::{Load, Slice, Tool, Whole};
use crate::vocabulary::Vocabulary;
use std::sync::Arc;

/// What a change did, for those who keep something beside each tool.
#[derive(Debug, Default)]
pub(crate) struct Change {
    pub delta: CatalogDelta,
    /// What now stands for the added definitions, in their order.
    pub tools: Vec<Arc<Tool>>,
    /// Those of them whose definition was not there before.
    pub fresh: Vec<Arc<Tool>>,
    /// Tools that are gone or have another definition now.
    pub dropped: Vec<Arc<Tool>>,
}

#[derive(Debug)]
pub(crate) struct Server {
    /// Its name without case and separators, as queries may have it.
    pub squashed: String,
    pub instructions: String,
    pub status: ServerStatus,
    pub reason: Option<String>,
    pub tools: Vec<Arc<Tool>>,
}

impl Server {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            squashed: names::squash(name).into_owned(),
            instructions: String::new(),
            status: ServerStatus::default(),
            reason: None,
            tools: Vec::new(),
        }
    }

    /// Whether it may be spoken of where a filter holds: it has a visible tool, or none at all and could have one.
    pub(crate) fn is_seen(&self, filter: &Filter, name: &str) -> bool {
        if self.tools.is_empty() {
            return filter.passes_server(name);
        }
        filter.is_open() || self.tools.iter().any(|t| filter.sees(t))
    }
}

/// The tools of an agent.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    builtin: Vec<Arc<Tool>>,
    /// By name.
    servers: Vec<(Arc<str>, Server)>,
    /// Every tool in the slot it has as long as it is there, so that others can keep what they have of tools in plain arrays.
    slots: Vec<Option<Arc<Tool>>>,
    vacant: Vec<u32>,
    spellings: Spellings,
    /// The last that was given; none is given twice.
    last_identity: u32,
    /// Counts the states it has been in.
    version: u64,
    order: OnceLock<Arc<Order>>,
    roll: OnceLock<Roll>,
}

/// The length of a name, as a set of lengths.
fn length(name: &str) -> u64 {
    1 << name.len().min(63)
}

/// What searches ask of all servers, by their places; until one of them changes.
#[derive(Debug)]
struct Roll {
    by_squashed: Vec<usize>,
    /// The lengths of these names, 63 and more as one: most queries have another.
    lengths: u64,
    down: Vec<usize>,
}

/// Where an added tool will stand, before anything is changed.
struct Placement {
    name: Arc<str>,
    raw_name: Arc<str>,
    load: Load,
    /// The tool that it replaces, and whether it is the same.
    was: Option<(Arc<Tool>, bool)>,
}

impl Catalog {
    /// A catalog of tools that stand in the slots of their places in catalog order; `servers` are by name.
    pub(crate) fn restored(builtin: Vec<Arc<Tool>>, servers: Vec<(Arc<str>, Server)>, spellings: Spellings) -> Self {
        let tools = builtin.iter().chain(servers.iter().flat_map(|(_, server)| &server.tools));
        let slots: Vec<Option<Arc<Tool>>> = tools.cloned().map(Some).collect();
        Self { last_identity: slots.len() as u32, slots, builtin, servers, spellings, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.vacant.len()
    }

    pub(crate) fn in_slot(&self, slot: u32) -> Option<&Arc<Tool>> {
        self.slots.get(slot as usize)?.as_ref()
    }

    fn position(&self, server: &str) -> std::result::Result<usize, usize> {
        self.servers.binary_search_by(|(name, _)| (**name).cmp(server))
    }

    pub(crate) fn server(&self, name: &str) -> Option<&Server> {
        self.position(name).ok().map(|at| &self.servers[at].1)
    }

    /// A server's name as it is kept here.
    pub(crate) fn name_of(&self, server: &str) -> Option<&str> {
        self.position(server).ok().map(|at| &*self.servers[at].0)
    }

    fn server_mut(&mut self, name: &str) -> &mut Server {
        self.roll.take();
        let at = self.position(name).unwrap_or_else(|at| {
            self.servers.insert(at, (name.into(), Server::new(name)));
            at
        });
        &mut self.servers[at].1
    }

    pub(crate) fn servers(&self) -> impl Iterator<Item = (&Arc<str>, &Server)> {
        self.servers.iter().map(|(name, server)| (name, server))
    }

    fn roll(&self) -> &Roll {
        self.roll.get_or_init(|| {
            let squashed = |at: usize| &self.servers[at].1.squashed;
            let lengths = self.servers.iter().fold(0, |all, (_, server)| all | length(&server.squashed));
            Roll {
                lengths,
                by_squashed: sorted::places(self.servers.len(), &|a, b| squashed(a).cmp(squashed(b))),
                down: (0..self.servers.len()).filter(|&at| self.servers[at].1.status != ServerStatus::Ready).collect(),
            }
        })
    }

    /// The servers that are not ready, by name.
    pub(crate) fn down(&self) -> impl Iterator<Item = &str> {
        self.roll().down.iter().map(|&at| &*self.servers[at].0)
    }

    /// The servers of this name without case and separators, by name.
    pub(crate) fn spelt(&self, squashed: &str) -> impl Iterator<Item = &str> {
        let Roll { by_squashed, lengths, .. } = self.roll();
        let all = if lengths & length(squashed) == 0 { &[] } else { &by_squashed[..] };
        let own = |at: usize| &*self.servers[at].1.squashed;
        let alike =
            all[all.partition_point(|&at| own(at) < squashed)..].iter().take_while(move |&&at| own(at) == squashed);
        alike.map(|&at| &*self.servers[at].0)
    }

    pub(crate) fn spellings(&self) -> &Spellings {
        &self.spellings
    }

    /// Every tool in catalog order: built-in ones as added, then servers by name (rule A2). The same value until the
    /// catalog changes, so that whoever holds it can tell.
    pub(crate) fn order(&self) -> &Arc<Order> {
        self.order.get_or_init(|| {
            let servers = self.servers.iter().flat_map(|(_, server)| &server.tools);
            let tools = self.builtin.iter().chain(servers).cloned().collect();
            Arc::new(Order::new(tools, self.slots.len(), self.version))
        })
    }

    /// Adds what was read; a server is replaced as a whole (rule A3). Either all of it is added or, on an error, nothing.
    pub(crate) fn add(&mut self, batch: Batch, options: &AddOptions, engine: &Options) -> Result<Change> {
        let server: Option<Arc<str>> = match options.server.as_deref() {
            Some("") => {
                return Err(Error::new(ErrorCode::InvalidOption, "`server` is empty; leave it out for built-in tools"));
            }
            name => name.map(Into::into),
        };
        let before: &[Arc<Tool>] = server.as_ref().and_then(|s| self.server(s)).map_or(&[], |server| &server.tools);
        let total = self.len() - before.len() + batch.tools.len();
        if total > engine.limits.tools {
            let most = engine.limits.tools;
            let message = format!("{total} tools; a catalog may hold {most} (option `limits.tools`)");
            return Err(Error::new(ErrorCode::LimitExceeded, message));
        }
        if self.last_identity.checked_add(batch.tools.len() as u32).is_none() {
            let message = "this catalog has taken in 4,294,967,295 tools; make a new one";
            return Err(Error::new(ErrorCode::LimitExceeded, message));
        }
        let placements = self.place(&batch, options, server.as_deref(), engine)?;
        // Not by name: in a forged snapshot several may have one.
        let kept = placements.iter().filter_map(|placement| placement.was.as_ref().map(|(was, _)| was.identity));
        let kept = Identities::new(kept.collect());
        let gone: Vec<Arc<Tool>> = before.iter().filter(|tool| !kept.contains(tool.identity)).cloned().collect();
        let is_same = |(tool, placement): (&Arc<Tool>, &Placement)| {
            placement.was.as_ref().is_some_and(|(was, same)| *same && was.slot == tool.slot)
        };

        // Nothing fails from here on.
        if before.len() == placements.len() && before.iter().zip(&placements).all(is_same) {
            let change = Change { tools: before.to_vec(), ..Change::default() };
            if server.is_some_and(|name| self.note_addition(&name, options)) {
                self.touch();
            }
            return Ok(change);
        }
        let mut change = Change::default();
        for tool in gone {
            change.delta.removed.push(tool.name().to_owned());
            self.vacate(&tool);
            change.dropped.push(tool);
        }
        let mut text = batch.text;
        // What it grew by is up to as much again, and it stays as long as the tools.
        text.shrink_to_fit();
        let text = Arc::new(Whole::Text(text));
        for (parsed, placement) in batch.tools.into_iter().zip(placements) {
            let Placement { name, raw_name, load, was } = placement;
            let same = was.as_ref().filter(|(_, same)| *same).map(|(was, _)| was);
            let identity = was.as_ref().map_or(self.last_identity + 1, |(was, _)| was.identity);
            self.last_identity = self.last_identity.max(identity);
            let tool = Arc::new(Tool {
                identity,
                slot: was.as_ref().map_or_else(|| self.occupy(), |(was, _)| was.slot),
                name,
                raw_name,
                server: server.clone(),
                definition: Slice::new(&text, &parsed.definition),
                parts: parsed.parts,
                load,
                prefixed: options.prefix,
                estimated: same.map(|was| was.estimated.clone()).unwrap_or_default(),
                counted: same.map(|was| was.counted.clone()).unwrap_or_default(),
            });
            self.slots[tool.slot as usize] = Some(Arc::clone(&tool));
            if same.is_none() {
                change.fresh.push(Arc::clone(&tool));
            }
            match was {
                None => {
                    change.delta.added.push(tool.name().to_owned());
                    self.spellings.add(&tool);
                }
                Some((was, false)) => {
                    change.delta.changed.push(tool.name().to_owned());
                    self.spellings.remove(&was);
                    self.spellings.add(&tool);
                    change.dropped.push(was);
                }
                Some((_, true)) => {}
            }
            change.tools.push(tool);
        }
        match server {
            Some(name) => {
                self.note_addition(&name, options);
                self.server_mut(&name).tools.clone_from(&change.tools);
            }
            None => self.builtin.extend(change.tools.iter().cloned()),
        }
        self.touch();
        Ok(change)
    }

    /// Notes of an addition's server all but its tools, and says whether something is other than before that others have made
    /// things of, as they do not of its status.
    fn note_addition(&mut self, name: &str, options: &AddOptions) -> bool {
        let is_new = self.position(name).is_err();
        let server = self.server_mut(name);
        let instructions = options.instructions.clone().unwrap_or_default();
        let is_news = is_new || server.instructions != instructions;
        server.instructions = instructions;
        (server.status, server.reason) = (ServerStatus::Ready, None);
        is_news
    }

    /// Names the tools of an addition, and holds them against those that are there.
    // Not within its caller: engines compile anew what loops a lot, and take long over what is large.
    #[inline(never)]
    fn place(
        &self,
        batch: &Batch,
        options: &AddOptions,
        server: Option<&str>,
        engine: &Options,
    ) -> Result<Vec<Placement>> {
        let mut seen = Vocabulary::with_room(batch.tools.len());
        let start = server.map(names::prefix);
        let direct: Vec<Glob> = match &options.load {
            LoadRule::Direct(patterns) => patterns.iter().map(|p| Glob::new(p)).collect(),
            LoadRule::All(_) => Vec::new(),
        };
        let mut placements = Vec::with_capacity(batch.tools.len());
        for (place, tool) in batch.tools.iter().enumerate() {
            let (name, raw_name) = names::callable_and_raw(&tool.name, start.as_deref(), options.prefix);
            let name = match engine.callable_names {
                CallableNames::Mcp => name,
                CallableNames::Portable => names::portable(name, &tool.name),
            };
            if name == engine.search_tool_name {
                let name = quoted(&name);
                let message =
                    format!("a tool may not be named {name}: that is the search tool (option `searchToolName`)");
                return Err(Error::new(ErrorCode::ReservedName, message).at(place));
            }
            let was = self.get(&name);
            let known = seen.len();
            if (seen.intern(&name) as usize) < known || was.is_some_and(|w| server.is_none() || w.server() != server) {
                let name = quoted(&safe::inline(&name, 160));
                let message =
                    format!("two tools would be called {name}; rename one, or add them as tools of different servers");
                return Err(Error::new(ErrorCode::DuplicateName, message).at(place));
            }
            let is_direct = match &options.load {
                LoadRule::All(load) => *load == Load::Direct,
                LoadRule::Direct(_) => direct.iter().any(|g| g.matches(&name) || g.matches(raw_name)),
            };
            let load = if is_direct || tool.always_load { Load::Direct } else { Load::Deferred };
            let definition = &batch.text[tool.definition.clone()];
            let same = |was: &Tool| was.definition() == definition && was.load == load && was.raw_name() == raw_name;
            let was = was.map(|was| (Arc::clone(was), same(was)));
            let name: Arc<str> = name.into();
            let raw_name = if *name == *raw_name { Arc::clone(&name) } else { raw_name.into() };
            placements.push(Placement { name, raw_name, load, was });
        }
        Ok(placements)
    }

    fn occupy(&mut self) -> u32 {
        self.vacant.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as u32 - 1
        })
    }

    fn vacate(&mut self, tool: &Tool) {
        self.spellings.remove(tool);
        self.slots[tool.slot as usize] = None;
        self.vacant.push(tool.slot);
    }

    /// Forgets a server, its tools, status and instructions.
    pub(crate) fn remove_server(&mut self, name: &str) -> Change {
        let Ok(at) = self.position(name) else { return Change::default() };
        let dropped = self.servers.remove(at).1.tools;
        self.roll.take();
        dropped.iter().for_each(|tool| self.vacate(tool));
        self.touch();
        let removed = dropped.iter().map(|tool| tool.name().to_owned()).collect();
        Change { delta: CatalogDelta { removed, ..CatalogDelta::default() }, dropped, ..Change::default() }
    }

    /// Notes how a server is doing; one that has shown no tools yet may be named too.
    pub(crate) fn set_server_status(&mut self, name: &str, status: ServerStatus, reason: Option<String>) -> Result<()> {
        if name.is_empty() {
            return Err(Error::new(ErrorCode::InvalidOption, "the server's name is empty"));
        }
        let server = self.server_mut(name);
        server.status = status;
        server.reason = reason.map(|r| safe::inline(&r, 200)).filter(|r| !r.is_empty());
        Ok(())
    }

    fn touch(&mut self) {
        self.version += 1;
        self.order.take();
        if self.spellings.is_worn() {
            self.spellings = Spellings::default();
            self.slots.iter().flatten().for_each(|tool| self.spellings.add(tool));
        }
    }

    pub(crate) fn builtin(&self) -> &[Arc<Tool>] {
        &self.builtin
    }
}

#[cfg(test)]
mod tests {
    use super::{AddOptions, ServerStatus};
    use crate::engine::ToolSearch;
    use std::sync::Arc;

    #[test]
    fn a3_an_unchanged_addition_keeps_what_was_made_of_the_catalog() {
        let mut engine = ToolSearch::default();
        let options = AddOptions { instructions: Some("Be kind.".into()), ..AddOptions::server("s") };
        let tools = [r#"{"name":"a"}"#, r#"{"name":"b"}"#];
        engine.add(&tools, &options).unwrap();
        let before = Arc::clone(engine.catalog.order());
        let same = |engine: &ToolSearch| Arc::ptr_eq(&before, engine.catalog.order());
        engine.set_server_status("s", ServerStatus::Disconnected, None).unwrap();
        assert!(engine.add(&tools, &options).unwrap().is_empty());
        assert!(engine.add(&[], &AddOptions::default()).unwrap().is_empty());
        assert!(same(&engine));
        assert_eq!(engine.server_status("s"), Some(ServerStatus::Ready));
        // The section says them, and it is made once a state.
        engine.add(&tools, &AddOptions::server("s")).unwrap();
        assert!(!same(&engine));
        let before = Arc::clone(engine.catalog.order());
        engine.add(&[tools[1], tools[0]], &AddOptions::server("s")).unwrap();
        assert!(!Arc::ptr_eq(&before, engine.catalog.order()));
    }
}
