//! One state of the catalog: its tools in order, how a written name finds its tool (rule C2), and everything that others
//! make of the state and want to make once.

use crate::index::{Index, Keywords, letters_of};
use crate::listing::Listing;
use crate::names::{self, Filter};
use crate::preload::Preloaded;
use crate::rank::bm25f::Scratch;
use crate::session::Sent;
use crate::tool::{Load, Tool};
use crate::vocabulary::Vocabulary;
use std::sync::{Arc, Mutex, OnceLock};

/// The tools of a catalog in catalog order, until it changes.
#[derive(Debug)]
pub(crate) struct Order {
    pub tools: Vec<Arc<Tool>>,
    /// Which state of the catalog this is.
    pub version: u64,
    /// Made when the first name is resolved.
    spellings: OnceLock<Spellings>,
    totals: OnceLock<Totals>,
    index: OnceLock<Index>,
    pub scratch: Scratch,
    roster: OnceLock<Arc<Roster>>,
    /// What unfiltered sessions begin their arrays with: direct tools only, and all.
    bases: [OnceLock<Arc<[Sent]>>; 2],
    /// The section that the last unfiltered session got; most sessions want the same.
    pub listing: Mutex<Option<Listing>>,
}

/// The deferred tools of one state by callable and raw name, in catalog order: all that a session keeps of the state it
/// was last told of.
pub(crate) type Roster = Vec<(Arc<str>, Arc<str>)>;

/// Names without case and separators: callable and raw ones, and the latter behind their server's.
#[derive(Debug, Default)]
pub(crate) struct Spellings {
    texts: Vocabulary,
    /// By the number of the text: its letters, and the tools that have it, in catalog order.
    tools: Vec<(u32, Vec<u32>)>,
}

impl Spellings {
    fn of(tools: &[Arc<Tool>]) -> Self {
        let mut all = Self::default();
        for (place, tool) in (0..).zip(tools) {
            let (whole, own) = (names::squash(tool.name()), names::squash(tool.raw_name()));
            // `github.create_issue` where the callable name has no server in it.
            let with_server = tool.server().map(|s| names::squash(s) + &own);
            for text in [Some(whole), Some(own), with_server].into_iter().flatten().filter(|s| !s.is_empty()) {
                let number = all.texts.intern(&text) as usize;
                if number == all.tools.len() {
                    all.tools.push((letters_of(&text), Vec::new()));
                }
                let places = &mut all.tools[number].1;
                if places.last() != Some(&place) {
                    places.push(place);
                }
            }
        }
        all
    }

    fn places(&self, text: &str) -> &[u32] {
        self.texts.get(text).map_or(&[], |number| &self.tools[number as usize].1)
    }

    /// Every text with its letters and the places of its tools.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, u32, &[u32])> {
        self.texts
            .words()
            .iter()
            .zip(&self.tools)
            .map(|(text, (letters, places))| (&**text, *letters, places.as_slice()))
    }
}

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
    /// Several tools share the spelling; none is guessed.
    Many(Vec<usize>),
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exactness {
    Callable,
    Alias,
}

impl Order {
    pub(crate) fn new(tools: Vec<Arc<Tool>>, version: u64) -> Self {
        Self {
            tools,
            version,
            spellings: OnceLock::new(),
            totals: OnceLock::new(),
            index: OnceLock::new(),
            scratch: Scratch::default(),
            roster: OnceLock::new(),
            bases: [OnceLock::new(), OnceLock::new()],
            listing: Mutex::new(None),
        }
    }

    /// The index, built when it is first asked for: names, plan, section and composition never pay for it.
    pub(crate) fn index(&self, keywords: &Keywords) -> &Index {
        self.index.get_or_init(|| Index::build(&self.tools, keywords))
    }

    /// What a session's tools array begins with.
    pub(crate) fn base(&self, deferring: bool, filter: &Filter, preloaded: &Preloaded) -> Arc<[Sent]> {
        let sent = |tool: &&Arc<Tool>| {
            (tool.load == Load::Direct || !deferring || preloaded.contains(&tool.identity))
                && filter.passes(tool.name(), tool.raw_name())
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
            self.tools.iter().for_each(|t| totals.count(t, t.tokens));
            totals
        })
    }

    /// Resolves a written name: callable, the same without case, raw, then without case and separators. Only `visible`
    /// tools exist; the first of these ways that finds any of them decides.
    pub(crate) fn resolve(&self, written: &str, visible: &dyn Fn(&Tool) -> bool) -> Meaning {
        let squashed = names::squash(written);
        // Whatever the way, the spelling without case and separators is the same.
        let alike: Vec<usize> = if squashed.is_empty() {
            // Of signs alone, such as an emoji: rare enough to look at every tool.
            let same = |tool: &Tool| tool.name() == written || tool.raw_name() == written;
            (0..self.tools.len()).filter(|&at| same(&self.tools[at])).collect()
        } else {
            self.spellings().places(&squashed).iter().map(|&at| at as usize).collect()
        };
        let folded = written.to_lowercase();
        let way = |tool: &Tool| match tool {
            _ if tool.name() == written => 0,
            _ if tool.name().to_lowercase() == folded => 1,
            _ if tool.raw_name() == written => 2,
            _ => 3,
        };
        let tools = alike.into_iter().filter(|&at| visible(&self.tools[at]));
        let ways: Vec<(i32, usize)> = tools.map(|at| (way(&self.tools[at]), at)).collect();
        let Some(closest) = ways.iter().map(|&(way, _)| way).min() else { return Meaning::Nothing };
        let found: Vec<usize> = ways.into_iter().filter(|&(way, _)| way == closest).map(|(_, at)| at).collect();
        match found[..] {
            [at] => Meaning::One(at, if closest < 2 { Exactness::Callable } else { Exactness::Alias }),
            _ => Meaning::Many(found),
        }
    }

    pub(crate) fn spellings(&self) -> &Spellings {
        self.spellings.get_or_init(|| Spellings::of(&self.tools))
    }
}
