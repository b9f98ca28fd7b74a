//! Deferred tools that were used most, sent whole from the start of a conversation.

use crate::engine::ToolSearch;
use crate::error::Result;
use crate::names::Filter;
use crate::sorted::{self, Identities};
use crate::tool::Tool;

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
    /// By callable name, each name once; names that no tool has are passed over.
    pub usage: Vec<(String, Uses)>,
    /// What their definitions may come to, in tokens.
    pub max_tokens: u64,
}

impl Preload {
    /// The visible deferred tools called most; of equal ones those loaded more often, then by name, so that the same counts and
    /// tools choose the same everywhere. One that does not fit is passed over for smaller ones. What was loaded and
    /// never called is no help.
    pub(crate) fn choose(&self, engine: &ToolSearch, filter: &Filter) -> Result<Identities> {
        let mut used: Vec<(&Uses, &Tool)> = Vec::new();
        for (name, uses) in self.usage.iter().filter(|(_, uses)| uses.called > 0) {
            used.extend(engine.get(name).filter(|t| filter.sees_deferred(t)).map(|tool| (uses, &**tool)));
        }
        let rank = |at: usize| (used[at].0.called, used[at].0.loaded);
        let most_first =
            |a: usize, b: usize| rank(b).cmp(&rank(a)).then_with(|| used[a].1.name().cmp(used[b].1.name()));
        let mut chosen = Identities::default();
        let mut room = self.max_tokens;
        for at in sorted::places(used.len(), &most_first) {
            let tool = used[at].1;
            let tokens = u64::from(engine.tokens_of(tool)?);
            if tokens <= room {
                room -= tokens;
                chosen.insert(tool.identity);
            }
        }
        Ok(chosen)
    }
}
