//! Tools by name (rules C1, C2).

use super::{Search, tier};
use crate::order::Meaning;
use crate::result::{Ambiguous, QueryKind};
use crate::suggest;
use crate::tool::Load;

/// How many tools are given as candidates of shared names, in all; each name has two at least.
const MOST_CANDIDATES: usize = 1_000;

impl Search<'_> {
    /// Rule C1: each name in the order asked, without a limit.
    pub(super) fn select(&mut self, names: &[&str]) {
        self.result.kind = QueryKind::Select;
        let order = self.order;
        let mut found = vec![false; order.tools.len()];
        let mut candidates_left = MOST_CANDIDATES;
        for &name in names {
            match self.resolve(name) {
                Meaning::One(at, exactness) => {
                    let tool = &order.tools[at];
                    if tool.load == Load::Direct {
                        self.note_direct(at);
                    } else if self.note_if_down(tool) {
                        // It is neither found nor missing: `unavailable` says where it is.
                    } else if !std::mem::replace(&mut found[at], true) {
                        let found = self.found(at, 0.0, tier(exactness), None);
                        self.result.matches.push(found);
                    }
                }
                Meaning::Many(all) => {
                    // One name can be written in thousands of ways, and be that of a thousand tools.
                    let all = all.iter().take(candidates_left.max(2));
                    let candidates: Vec<String> = all.map(|&at| order.tools[at].name().to_owned()).collect();
                    candidates_left = candidates_left.saturating_sub(candidates.len());
                    self.result.ambiguous.push(Ambiguous { name: name.to_owned(), candidates });
                }
                Meaning::Nothing => {
                    self.result.missing.push(name.to_owned());
                    if self.result.missing.len() <= suggest::MOST {
                        self.suggest(name, false);
                    }
                }
            }
        }
    }

    /// A tool that was asked for by name and is callable as it is.
    pub(super) fn note_direct(&mut self, at: usize) {
        let name = self.order.tools[at].name();
        if !self.result.direct.iter().any(|direct| direct == name) {
            self.result.direct.push(name.to_owned());
        }
    }

    /// `in_vain` says that the words of a name have been searched for.
    pub(super) fn suggest(&mut self, name: &str, in_vain: bool) {
        for close in suggest::close(self.engine, name, in_vain, &|tool| self.scope.sees(tool)) {
            if self.result.suggestions.len() < suggest::MOST && !self.result.suggestions.contains(&close) {
                self.result.suggestions.push(close);
            }
        }
    }
}
