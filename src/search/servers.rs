//! Tools by server (rule C4).

use super::Search;
use crate::names;
use crate::query::Words;
use crate::result::QueryKind;
use crate::text::lower_case;

impl<'e> Search<'e> {
    /// Lists what a query asks for that is the name of a server, or the beginning of callable names; `false` when it is not. `squashed`
    /// is the whole query without case and separators.
    pub(super) fn server(&mut self, words: &Words<'_>, squashed: &str) -> bool {
        let only = words.each.is_empty() && words.required.is_empty();
        if let Some(name) = words.server_rest.or(words.server.filter(|_| only)) {
            return self.list_server(name, &names::squash(name));
        }
        if words.server.is_some() || !words.required.is_empty() {
            return false;
        }
        if names::is_prefixed(words.whole) && !words.whole.contains(char::is_whitespace) {
            return self.list_prefix(words.whole);
        }
        self.list_server(words.whole, squashed)
    }

    /// The visible server of a written name: as it is, or `squashed`, without case and separators.
    pub(super) fn find_server(&self, written: &str, squashed: &str) -> Option<&'e str> {
        let catalog = &self.engine.catalog;
        let mut alike = catalog.spelt(squashed).filter(|name| self.sees_server(name)).peekable();
        // Most queries are no server's name in any spelling.
        if !squashed.is_empty() {
            alike.peek()?;
        }
        let exact = catalog.name_of(written).filter(|name| self.sees_server(name));
        exact.or_else(|| alike.next().filter(|_| !squashed.is_empty()))
    }

    pub(super) fn sees_server(&self, name: &str) -> bool {
        let server = self.engine.catalog.server(name);
        self.scope.server.is_none_or(|s| s == name) && server.is_some_and(|s| s.is_seen(self.scope.filter, name))
    }

    fn list_server(&mut self, written: &str, squashed: &str) -> bool {
        let Some(server) = self.find_server(written, squashed) else { return false };
        self.result.kind = QueryKind::Server;
        self.down.extend(self.not_ready.contains(&server).then_some(server));
        let found = self.eligible(&|tool| tool.server() == Some(server));
        self.list(found);
        true
    }

    /// `mcp__github`, `mcp__github__`, or any other beginning of callable names.
    fn list_prefix(&mut self, written: &str) -> bool {
        let lower = lower_case(written);
        let named = self.engine.catalog.servers().map(|(name, _)| &**name).find(|name| {
            let prefix = lower_case(&names::prefix(name));
            lower == prefix || prefix.strip_suffix("__") == Some(&lower)
        });
        if let Some(server) = named.filter(|name| self.sees_server(name)) {
            return self.list_server(server, &names::squash(server));
        }
        let found = self.eligible(&|tool| lower_case(tool.name()).starts_with(&lower));
        if found.is_empty() {
            return false;
        }
        self.result.kind = QueryKind::Server;
        self.list(found);
        true
    }
}
