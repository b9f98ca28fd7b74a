//! One state of the catalog: its tools in order, and everything that others make of the state and want to make once.

use crate::listing::Listing;
use crate::names::Filter;
use crate::once::OnceLock;
use crate::session::Sent;
use crate::sorted::{self, Identities};
use crate::tool::{Load, Tool};
use std::sync::{Arc, Mutex};

/// The tools of a catalog in catalog order, until it changes.
#[derive(Debug)]
pub(crate) struct Order {
    pub tools: Vec<Arc<Tool>>,
    /// The place of each tool, by slot.
    places: Vec<u32>,
    /// Places by callable name, where many are spelt alike.
    by_name: OnceLock<Vec<usize>>,
    /// Which state of the catalog this is.
    pub version: u64,
    totals: OnceLock<Totals>,
    roster: OnceLock<Arc<Roster>>,
    /// What unfiltered sessions begin their arrays with: direct tools only, and all.
    bases: [OnceLock<Arc<[Sent]>>; 2],
    /// The section that the last unfiltered session got; most sessions want the same.
    pub listing: Mutex<Option<Listing>>,
}

/// The deferred tools of one state by callable and raw name, in catalog order: all that a session keeps of the state it
/// was last told of.
pub(crate) type Roster = Vec<(Arc<str>, Arc<str>)>;

/// Estimated tokens and counts over all tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub direct: u64,
    pub deferrable: u64,
    pub deferrable_tools: usize,
}

impl Totals {
    pub(crate) fn full(&self) -> u64 {
        self.direct + self.deferrable
    }

    pub(crate) fn count(&mut self, tool: &Tool, tokens: u32) {
        match tool.load {
            Load::Direct => self.direct += u64::from(tokens),
            Load::Deferred => {
                self.deferrable += u64::from(tokens);
                self.deferrable_tools += 1;
            }
        }
    }
}

/// What a written name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// One tool, by its callable name (whatever the case) or by a looser spelling.
    One(usize, Exactness),
    /// Several tools share the spelling; none is guessed. In catalog order, the first of them.
    Many(Vec<usize>),
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exactness {
    Callable,
    Alias,
}

impl Order {
    pub(crate) fn new(tools: Vec<Arc<Tool>>, slots: usize, version: u64) -> Self {
        let mut places = vec![u32::MAX; slots];
        for (place, tool) in (0..).zip(&tools) {
            places[tool.slot as usize] = place;
        }
        Self {
            tools,
            places,
            by_name: OnceLock::new(),
            version,
            totals: OnceLock::new(),
            roster: OnceLock::new(),
            bases: [OnceLock::new(), OnceLock::new()],
            listing: Mutex::new(None),
        }
    }

    /// The place of the tool in a slot.
    #[inline]
    pub(crate) fn place_of(&self, slot: u32) -> usize {
        self.places[slot as usize] as usize
    }

    /// The tool of a callable name.
    pub(crate) fn named(&self, name: &str) -> Option<&Arc<Tool>> {
        let tools = &self.tools;
        let by_name = self.by_name.get_or_init(|| {
            let compare = |a: usize, b: usize| tools[a].name().cmp(tools[b].name());
            sorted::places(tools.len(), &compare)
        });
        let found = by_name.binary_search_by(|place| tools[*place].name().cmp(name));
        found.ok().map(|at| &tools[by_name[at]])
    }

    /// What a session's tools array begins with.
    pub(crate) fn base(&self, deferring: bool, filter: &Filter, preloaded: &Identities) -> Arc<[Sent]> {
        let sent = |tool: &&Arc<Tool>| {
            (tool.load == Load::Direct || !deferring || preloaded.contains(tool.identity)) && filter.sees(tool)
        };
        let make = || self.tools.iter().filter(sent).map(|t| Sent::new(t)).collect();
        if filter.is_open() && preloaded.is_empty() {
            Arc::clone(self.bases[usize::from(deferring)].get_or_init(make))
        } else {
            make()
        }
    }

    pub(crate) fn roster(&self) -> &Arc<Roster> {
        self.roster.get_or_init(|| {
            let deferred = self.tools.iter().filter(|t| t.load == Load::Deferred);
            Arc::new(deferred.map(|t| (Arc::clone(&t.name), Arc::clone(&t.raw_name))).collect())
        })
    }

    pub(crate) fn totals(&self) -> Totals {
        *self.totals.get_or_init(|| {
            let mut totals = Totals::default();
            self.tools.iter().for_each(|t| totals.count(t, t.estimate()));
            totals
        })
    }
}
