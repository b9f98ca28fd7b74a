//! Close names, for what was asked and is not there.

use crate::names::{Distance, squash};
use crate::order::Order;
use crate::text::{self, Kind, stem};
use crate::tool::Tool;

/// The most names that are suggested.
pub(crate) const MOST: usize = 5;

/// Callable names close to a written one, the closest first: spelt alike, beginning alike, or made of the same words.
pub(crate) fn close(order: &Order, written: &str, visible: &dyn Fn(&Tool) -> bool) -> Vec<String> {
    let target = squash(written);
    let length = target.chars().count();
    if !(2..=128).contains(&length) {
        return Vec::new();
    }
    let wanted = name_stems(written);
    let mut distance = Distance::from(&target);
    let most = (length / 4).clamp(1, 3);
    // (how far, place): the smaller the closer.
    let mut near: Vec<(usize, usize)> = Vec::new();
    for (place, tool) in order.tools.iter().enumerate().filter(|(_, tool)| visible(tool)) {
        let spellings = [squash(tool.raw_name()), squash(tool.name())];
        let edits = spellings.iter().filter_map(|s| distance.to(s, most)).min();
        let begins = length >= 3
            && spellings.iter().any(|s| s.starts_with(&target) || (s.len() >= 4 && target.starts_with(s.as_str())));
        let far = match edits {
            Some(edits) => edits,
            None if begins => 4,
            None => {
                let own = name_stems(tool.raw_name());
                let shared = own.iter().filter(|w| wanted.contains(w)).count();
                // More than half of the words on both sides.
                if shared == 0 || shared * 2 <= own.len().max(wanted.len()) {
                    continue;
                }
                5 + own.len().max(wanted.len()) - shared
            }
        };
        near.push((far, place));
    }
    near.sort_unstable();
    near.truncate(MOST);
    near.into_iter().map(|(_, place)| order.tools[place].name().to_owned()).collect()
}

fn name_stems(name: &str) -> Vec<String> {
    let mut all = Vec::new();
    text::name_words(name, &mut |word, kind| {
        let word = stem(word).into_owned();
        if kind == Kind::Part && word != "mcp" && !text::is_stop(&word) && !all.contains(&word) {
            all.push(word);
        }
    });
    all
}
