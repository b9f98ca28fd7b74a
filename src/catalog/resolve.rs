//! Which tool a name means, by its callable name or however it was written (rule C2).

use super::Catalog;
use crate::order::{Exactness, Meaning};
use crate::sorted;
use crate::spellings::spelling;
use crate::text::lower_case;
use crate::tool::Tool;
use std::sync::Arc;

/// Of how many names of one spelling each is looked at. A server can choose its names so that thousands are (rule H4).
const FEW_ALIKE: usize = 16;
/// How many tools of one spelling a written name is held against: with so many it is ambiguous either way.
const MOST_ALIKE: usize = 1_000;
/// How many of those that share a name are told.
const MOST_TOLD: usize = 50;

impl Catalog {
    /// The tool of a callable name.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Tool>> {
        let mut alike = self.spellings.slots(&spelling(name)).filter_map(|slot| self.in_slot(slot));
        match alike.by_ref().take(FEW_ALIKE).find(|tool| tool.name() == name) {
            None if alike.next().is_some() => self.order().named(name),
            found => found,
        }
    }

    /// Resolves a written name (rule C2): callable, the same without case, raw, then without case and separators. Only `visible`
    /// tools exist; the first of these ways that finds any of them decides.
    pub(crate) fn resolve(&self, written: &str, visible: &dyn Fn(&Tool) -> bool) -> Meaning {
        self.resolve_spelt(written, &spelling(written), visible)
    }

    /// The same where its spelling is known.
    pub(crate) fn resolve_spelt(&self, written: &str, spelling: &str, visible: &dyn Fn(&Tool) -> bool) -> Meaning {
        // Whatever the way, the spelling without case and separators is the same.
        let mut alike = self.spellings.slots(spelling).peekable();
        if alike.peek().is_none() {
            return Meaning::Nothing;
        }
        let order = self.order();
        if let Some(tool) = self.get(written).filter(|tool| visible(tool)) {
            return Meaning::One(order.place_of(tool.slot), Exactness::Callable);
        }
        let folded = lower_case(written);
        let is_folded = |name: &str| match name.is_ascii() {
            true => name.eq_ignore_ascii_case(&folded),
            false => lower_case(name) == folded,
        };
        let way = |tool: &Tool| match tool {
            _ if is_folded(tool.name()) => 0,
            _ if tool.raw_name() == written => 1,
            _ => 2,
        };
        let mut closest = u32::MAX;
        let mut found: Vec<usize> = Vec::new();
        // A forged snapshot may have spellings of tools that are gone since.
        let places = alike.map(|slot| order.place_of(slot));
        let seen =
            places.filter_map(|place| order.tools.get(place).filter(|tool| visible(tool)).map(|tool| (place, tool)));
        for (place, tool) in seen.take(MOST_ALIKE) {
            let way = way(tool);
            if way > closest {
                continue;
            }
            if way < closest {
                found.clear();
            }
            closest = way;
            found.push(place);
        }
        match found[..] {
            [] => Meaning::Nothing,
            [at] => Meaning::One(at, if closest == 0 { Exactness::Callable } else { Exactness::Alias }),
            _ => {
                let mut all = sorted::ascending(&found);
                all.truncate(MOST_TOLD);
                Meaning::Many(all)
            }
        }
    }
}
