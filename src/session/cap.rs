//! How many tools one request may carry, and which leave when there are more.

use super::{Sent, Session, living};
use crate::engine::{ToolSearch, invalid_option};
use crate::error::{Error, ErrorCode, Result};
use crate::sorted::{self, Identities};
use crate::tool::{Load, Tool};

/// What happens when a request would carry more tools than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overflow {
    /// It is an error.
    #[default]
    Error,
    /// Activated tools leave, the least recently used first. Each leaving ends the cached prefix where the tool stood.
    Evict,
}

/// The cap of a session.
#[derive(Debug)]
pub(super) struct Cap {
    most: usize,
    overflow: Overflow,
    /// Identities of tools in the order of their last use, the latest at the end; kept only where tools may leave.
    used: Vec<u32>,
}

impl Cap {
    pub(super) fn new(most: usize, overflow: Overflow) -> Result<Self> {
        if most == 0 {
            return Err(invalid_option("`maxTools` must be a positive number of tools"));
        }
        Ok(Self { most, overflow, used: Vec::new() })
    }

    fn exceeded(&self, all: usize, sum: &str, remedy: &str) -> Error {
        let message = format!(
            "a request would carry {all} tools ({sum}), and `maxTools` allows {}: {remedy}, or hide some with `allow` and `deny`",
            self.most
        );
        Error::new(ErrorCode::TooManyTools, message)
    }

    /// Notes that a tool was loaded, found again or called. A `new` one was not in the array before.
    pub(super) fn touch(&mut self, tool: &Tool, new: bool) {
        if self.overflow == Overflow::Evict {
            if !new {
                self.used.retain(|identity| *identity != tool.identity);
            }
            self.used.push(tool.identity);
        }
    }

    /// Notes that tools are no longer in the array.
    pub(super) fn forget(&mut self, gone: &Identities) {
        self.used.retain(|identity| !gone.contains(*identity));
    }

    /// Takes over in which order tools of the array were used in an earlier life; each is there once.
    pub(super) fn restore(&mut self, used: Vec<u32>) {
        let moved = Identities::new(used.clone());
        self.used.retain(|identity| !moved.contains(*identity));
        self.used.extend(used);
    }
}

impl Session {
    /// To be called before each request where there is a cap: lets tools leave, and fails when there are still more than a
    /// request may carry.
    ///
    /// # Errors
    /// `too_many_tools`.
    pub fn check(&mut self, engine: &ToolSearch) -> Result<()> {
        self.catch_up(engine);
        self.make_room(engine);
        let Some(cap) = self.cap.as_ref().filter(|cap| self.size() > cap.most) else { return Ok(()) };
        let loaded = self.leaving(engine).len();
        let direct = self.in_array.len() - loaded;
        let (sum, remedy) = match (self.plan.deferring, cap.overflow) {
            (false, _) => ("none of them deferred".to_owned(), "defer them with `defer: \"always\"`"),
            (true, Overflow::Evict) => (format!("{direct} direct ones and the search tool"), "make fewer tools direct"),
            (true, Overflow::Error) => (
                format!("{direct} direct ones, the search tool, {loaded} loaded"),
                "let loaded tools leave with `overflow: \"evict\"`, forget them with `compacted(\"reset\")`, make fewer tools direct",
            ),
        };
        Err(cap.exceeded(self.size(), &sum, remedy))
    }

    /// The same when a session begins, which must have room for what every request carries, and to load one tool.
    pub(super) fn check_base(&self) -> Result<()> {
        let least = self.size() + usize::from(self.plan.deferring);
        let Some(cap) = self.cap.as_ref().filter(|cap| least > cap.most) else { return Ok(()) };
        if !self.plan.deferring {
            return Err(cap.exceeded(least, "none of them deferred", "defer them with `defer: \"always\"`"));
        }
        let sum = format!("{} direct ones, the search tool, one to be loaded", self.in_array.len());
        Err(cap.exceeded(least, &sum, "make fewer tools direct"))
    }

    /// How many activated tools there may be at once, where others leave for them.
    pub(super) fn room(&self, engine: &ToolSearch) -> usize {
        match self.cap.as_ref().filter(|cap| cap.overflow == Overflow::Evict && self.plan.deferring) {
            Some(cap) => cap.most.saturating_sub(self.size() - self.leaving(engine).len()),
            None => usize::MAX,
        }
    }

    /// Lets go of what must leave before the next request. Not earlier: what was in the last one may still be called.
    pub(crate) fn make_room(&mut self, engine: &ToolSearch) {
        let leaving = self.crowded_out(engine);
        let Some(cap) = &mut self.cap else { return };
        if !leaving.is_empty() {
            self.appended.retain(|s| !leaving.contains(s.identity));
            self.activated.retain(|s| !leaving.contains(s.identity));
            self.in_array = self.in_array.without(&leaving);
            cap.forget(&leaving);
        }
    }

    /// Identities of the tools that must leave for the next request to fit: those that were not used for the longest time.
    pub(super) fn crowded_out(&self, engine: &ToolSearch) -> Identities {
        let most = self.cap.as_ref().map_or(usize::MAX, |cap| cap.most);
        match self.size().saturating_sub(most) {
            0 => Identities::default(),
            over => Identities::new(self.by_last_use(engine).into_iter().take(over).collect()),
        }
    }

    /// Identities of what may leave, the least recently used first; empty where nothing ever leaves.
    fn by_last_use(&self, engine: &ToolSearch) -> Vec<u32> {
        let Some(cap) = self.cap.as_ref().filter(|cap| cap.overflow == Overflow::Evict) else { return Vec::new() };
        let leaving = self.leaving(engine);
        let (all, used) = (Identities::new(leaving.clone()), Identities::new(cap.used.clone()));
        let never = leaving.into_iter().filter(|identity| !used.contains(*identity));
        never.chain(cap.used.iter().copied().filter(|identity| all.contains(*identity))).collect()
    }

    /// Callable names of what may leave, the least recently used first; empty where nothing may, or where they stand in that order.
    pub fn used(&self, engine: &ToolSearch) -> Vec<String> {
        let used = self.by_last_use(engine);
        if used.is_empty() || used == self.leaving(engine) {
            return Vec::new();
        }
        let places =
            sorted::places(self.appended.len(), &|a, b| self.appended[a].identity.cmp(&self.appended[b].identity));
        let place = |identity: &u32| places.binary_search_by_key(identity, |&at| self.appended[at].identity).ok();
        let used: Vec<_> = used.iter().filter_map(place).map(|at| self.appended[places[at]].clone()).collect();
        living(&used, engine)
    }

    /// Tools in the array, the search tool included.
    pub(super) fn size(&self) -> usize {
        self.in_array.len() + usize::from(self.plan.deferring)
    }

    /// Identities of what may leave: activated tools. Direct and preloaded ones never do, nor does anything where nothing is deferred.
    fn leaving(&self, engine: &ToolSearch) -> Vec<u32> {
        if !self.plan.deferring {
            return Vec::new();
        }
        let preloaded = |sent: &Sent| self.preloaded.as_ref().is_some_and(|all| all.contains(sent.identity));
        let may = |sent: &&Sent| engine.get(&sent.name).is_some_and(|t| t.load == Load::Deferred) && !preloaded(sent);
        self.appended.iter().filter(may).map(|sent| sent.identity).collect()
    }
}
