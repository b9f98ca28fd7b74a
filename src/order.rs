//! One state of the catalog: its tools in order, and how a written name finds its tool (rule C2).

use crate::index::{Index, Keywords};
use crate::listing::Listing;
use crate::names::{self, Filter};
use crate::session::Sent;
use crate::tool::{Load, Tool};
use std::sync::{Arc, Mutex, OnceLock};

/// The tools of a catalog in catalog order, until it changes.
#[derive(Debug)]
pub(crate) struct Order {
    pub tools: Vec<Arc<Tool>>,
    /// Which state of the catalog this is.
    pub version: u64,
    tables: OnceLock<Tables>,
    totals: OnceLock<Totals>,
    index: OnceLock<Index>,
    roster: OnceLock<Arc<Roster>>,
    /// What unfiltered sessions begin their arrays with: direct tools only, and all.
    bases: [OnceLock<Arc<[Sent]>>; 2],
    /// The section that the last unfiltered session got; most sessions want the same.
    pub listing: Mutex<Option<Listing>>,
}

/// The deferred tools of one state by callable and raw name, in catalog order: all that a session keeps of the state it
/// was last told of.
pub(crate) type Roster = Vec<(Arc<str>, Arc<str>)>;

/// Looser spellings, each sorted by spelling and then by place. Made on the first name that is not a callable one.
#[derive(Debug)]
struct Tables {
    callable: Vec<u32>,
    folded: Vec<(String, u32)>,
    raw: Vec<u32>,
    squashed: Vec<(String, u32)>,
}

/// Estimated tokens and counts over all tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub direct: u64,
    pub deferrable: u64,
    pub deferrable_tools: usize,
}

impl Totals {
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
            tables: OnceLock::new(),
            totals: OnceLock::new(),
            index: OnceLock::new(),
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
    pub(crate) fn base(&self, deferring: bool, filter: &Filter) -> Arc<[Sent]> {
        let sent = |tool: &&Arc<Tool>| {
            (tool.load == Load::Direct || !deferring) && filter.passes(tool.name(), tool.raw_name())
        };
        let make = || self.tools.iter().filter(sent).map(|t| Sent::new(t)).collect();
        if filter.is_open() { Arc::clone(self.bases[usize::from(deferring)].get_or_init(make)) } else { make() }
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

    /// The place of a tool by its callable name.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        let by_name = &self.tables().callable;
        by_name.binary_search_by(|&at| self.tools[at as usize].name().cmp(name)).ok().map(|i| by_name[i] as usize)
    }

    /// Resolves a written name: callable, the same without case, raw, then without case and separators. Only `visible`
    /// tools exist; the first of these ways that finds any of them decides.
    pub(crate) fn resolve(&self, written: &str, visible: &dyn Fn(&Tool) -> bool) -> Meaning {
        let shown = |at: u32| visible(&self.tools[at as usize]);
        if let Some(at) = self.position(written).filter(|&at| visible(&self.tools[at])) {
            return Meaning::One(at, Exactness::Callable);
        }
        let tables = self.tables();
        let folded = written.to_lowercase();
        let squashed = names::squash(written);
        let ways: [(Vec<u32>, Exactness); 3] = [
            (equal(&tables.folded, &folded), Exactness::Callable),
            (range(&tables.raw, |&at| self.tools[at as usize].raw_name().cmp(written)).to_vec(), Exactness::Alias),
            (if squashed.is_empty() { Vec::new() } else { equal(&tables.squashed, &squashed) }, Exactness::Alias),
        ];
        for (found, exactness) in ways {
            let mut found: Vec<usize> = found.into_iter().filter(|&at| shown(at)).map(|at| at as usize).collect();
            found.sort_unstable();
            found.dedup();
            match found.len() {
                0 => {}
                1 => return Meaning::One(found[0], exactness),
                _ => return Meaning::Many(found),
            }
        }
        Meaning::Nothing
    }

    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| {
            let places = || (0..self.tools.len() as u32).collect::<Vec<u32>>();
            let tool = |at: u32| &self.tools[at as usize];
            let (mut callable, mut raw) = (places(), places());
            callable.sort_unstable_by(|&a, &b| tool(a).name().cmp(tool(b).name()));
            raw.sort_unstable_by(|&a, &b| tool(a).raw_name().cmp(tool(b).raw_name()).then(a.cmp(&b)));
            let mut folded: Vec<_> = places().into_iter().map(|at| (tool(at).name().to_lowercase(), at)).collect();
            let mut squashed = Vec::with_capacity(self.tools.len() * 2);
            for at in places() {
                let (whole, own) = (names::squash(tool(at).name()), names::squash(tool(at).raw_name()));
                // `github.create_issue` where the callable name has no server in it.
                let with_server = tool(at).server().map(|s| names::squash(s) + &own);
                squashed.extend(
                    [Some(whole), Some(own), with_server]
                        .into_iter()
                        .flatten()
                        .filter(|s| !s.is_empty())
                        .map(|s| (s, at)),
                );
            }
            folded.sort_unstable();
            squashed.sort_unstable();
            squashed.dedup();
            Tables { callable, folded, raw, squashed }
        })
    }
}

/// The run of a sorted table whose entries are equal to what `compare` looks for.
fn range<T>(table: &[T], compare: impl Fn(&T) -> std::cmp::Ordering) -> &[T] {
    let start = table.partition_point(|entry| compare(entry).is_lt());
    let end = start + table[start..].partition_point(|entry| compare(entry).is_eq());
    &table[start..end]
}

fn equal(table: &[(String, u32)], key: &str) -> Vec<u32> {
    range(table, |(k, _)| k.as_str().cmp(key)).iter().map(|&(_, at)| at).collect()
}
