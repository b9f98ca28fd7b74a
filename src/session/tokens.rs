//! What a conversation carries for tools, in tokens.

use super::Session;
use crate::engine::ToolSearch;
use crate::error::Result;
use crate::plan;

/// What a conversation carries for tools, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionTokens {
    /// The tools array of the next request, the search tool included.
    pub array: u64,
    /// What every visible definition in full would come to, less `array` and the deferred section; negative when deferral
    /// costs more than it saves.
    pub saved: i64,
}

impl Session {
    /// What the conversation carries for tools now, and what it saves.
    ///
    /// # Errors
    /// What the exact counter fails with.
    pub fn tokens(&mut self, engine: &ToolSearch) -> Result<SessionTokens> {
        let names = self.names(engine);
        let array = self.tokens_of(engine, &names)?;
        let full = plan::totals(engine, &self.filter)?.full();
        let section = if self.plan.deferring { self.plan.tokens.listing } else { 0 };
        Ok(SessionTokens { array, saved: full as i64 - (array + section) as i64 })
    }

    /// Tokens of the named tools' definitions, the search tool's included.
    ///
    /// # Errors
    /// What the exact counter fails with.
    pub fn tokens_of(&self, engine: &ToolSearch, names: &[String]) -> Result<u64> {
        let one = |name: &String| match engine.get(name) {
            Some(tool) => engine.tokens_of(tool).map(u64::from),
            None if *name == engine.options.search_tool_name => Ok(self.plan.tokens.search_tool),
            None => Ok(0),
        };
        names.iter().map(one).sum()
    }
}
