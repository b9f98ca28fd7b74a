//! Deferred tools that were used most, sent whole from the start of a conversation.

use crate::engine::ToolSearch;
use crate::error::Result;
use crate::names::Filter;
use crate::tool::{Load, Tool};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How often a tool was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Uses {
    /// How often conversations loaded it.
    pub loaded: u64,
    /// How often it was called once it was loaded.
    pub called: u64,
}

/// Which tools conversations begin with on top of the direct ones: those called most, as far as they fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preload {
    /// By callable name; names that no tool has are passed over.
    pub usage: BTreeMap<String, Uses>,
    /// What their definitions may come to, in tokens.
    pub max_tokens: u64,
}

/// Identities of the deferred tools that one session sends whole.
pub(crate) type Preloaded = BTreeSet<u32>;

impl Preload {
    /// The visible deferred tools called most; of equal ones those loaded more often, then by name, so that the same counts and
    /// tools choose the same everywhere. One that does not fit is passed over for smaller ones. What was loaded and
    /// never called is no help.
    pub(crate) fn choose(&self, engine: &ToolSearch, filter: &Filter) -> Result<Preloaded> {
        let mut used: Vec<(&Uses, &Tool)> = self
            .usage
            .iter()
            .filter(|(_, uses)| uses.called > 0)
            .filter_map(|(name, uses)| Some((uses, &**engine.get(name)?)))
            .filter(|(_, tool)| tool.load == Load::Deferred && filter.passes(tool.name(), tool.raw_name()))
            .collect();
        // Stable: the map is in the order of names.
        used.sort_by_key(|(uses, _)| Reverse((uses.called, uses.loaded)));
        let mut chosen = Preloaded::new();
        let mut room = self.max_tokens;
        for (_, tool) in used {
            let tokens = u64::from(engine.tokens_of(tool)?);
            if tokens <= room {
                room -= tokens;
                chosen.insert(tool.identity);
            }
        }
        Ok(chosen)
    }
}
