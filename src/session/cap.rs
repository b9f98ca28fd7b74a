//! How many tools one request may carry, and which leave when there are more.

use super::Session;
use crate::engine::{ToolSearch, invalid_option};
use crate::error::{Error, ErrorCode, Result};
use crate::sorted;
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

    /// Notes that a tool was loaded, found again or called.
    pub(super) fn touch(&mut self, tool: &Tool) {
        if self.overflow == Overflow::Evict {
            self.used.retain(|identity| *identity != tool.identity);
            self.used.push(tool.identity);
        }
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
            self.appended.retain(|s| !leaving.contains(&s.identity));
            self.activated.retain(|s| !leaving.contains(&s.identity));
            leaving.iter().for_each(|identity| self.in_array.remove(*identity));
        }
        cap.used.retain(|identity| self.in_array.contains(*identity));
    }

    /// Identities of the tools that must leave for the next request to fit: those that were not used for the longest time.
    pub(super) fn crowded_out(&self, engine: &ToolSearch) -> Vec<u32> {
        let Some(cap) = self.cap.as_ref().filter(|cap| cap.overflow == Overflow::Evict) else { return Vec::new() };
        let over = self.size().saturating_sub(cap.most);
        if over == 0 {
            return Vec::new();
        }
        let leaving = self.leaving(engine);
        let last_used = |at: usize| cap.used.iter().position(|used| *used == leaving[at]);
        let first = sorted::places(leaving.len(), &|a, b| last_used(a).cmp(&last_used(b)));
        first.iter().take(over).map(|&at| leaving[at]).collect()
    }

    /// Tools in the array, the search tool included.
    pub(super) fn size(&self) -> usize {
        self.in_array.len() + usize::from(self.plan.deferring)
    }

    /// Identities of what may leave: activated tools. Direct ones never do, nor does anything where nothing is deferred.
    fn leaving(&self, engine: &ToolSearch) -> Vec<u32> {
        if !self.plan.deferring {
            return Vec::new();
        }
        let deferred = |name: &str| engine.get(name).is_some_and(|t| t.load == Load::Deferred);
        self.appended.iter().filter(|s| deferred(&s.name)).map(|s| s.identity).collect()
    }
}
