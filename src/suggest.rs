//! Close names, for what was asked and is not there.

use crate::engine::ToolSearch;
use crate::names::{Distance, squash};
use crate::rank::{Scored, best, bm25f, terms};
use crate::text::{self, Kind};
use crate::tool::{Load, Tool};

/// The most names that are suggested.
pub(crate) const MOST: usize = 5;
/// The most of them that are close by what they mean, and not by how they are written.
const BY_WORDS: usize = 3;
/// How far a name is that begins like the one asked for, in edits.
const BEGINS_ALIKE: usize = 4;

/// Callable names close to a written one, the closest first: spelt alike, beginning alike, then saying the same.
pub(crate) fn close(engine: &ToolSearch, written: &str, visible: &dyn Fn(&Tool) -> bool) -> Vec<String> {
    let tools = &engine.catalog.order().tools;
    let target = squash(written);
    let length = target.chars().count();
    if !(2..=128).contains(&length) {
        return Vec::new();
    }
    let mut distance = Distance::from(&target);
    let most = (length / 4).clamp(1, 3);
    let mut near: Vec<(usize, usize)> = Vec::new();
    for (place, tool) in tools.iter().enumerate().filter(|(_, tool)| visible(tool)) {
        let spellings = [squash(tool.raw_name()), squash(tool.name())];
        let begins = |s: &String| s.starts_with(&target) || (s.len() >= 4 && target.starts_with(s.as_str()));
        let alike = length >= 3 && spellings.iter().any(begins);
        let edits = spellings.iter().filter_map(|s| distance.to(s, most)).min();
        near.extend(edits.or(alike.then_some(BEGINS_ALIKE)).map(|far| (far, place)));
    }
    near.sort_unstable();
    let mut places: Vec<usize> = near.into_iter().map(|(_, place)| place).collect();
    if places.len() < MOST {
        let others = by_words(engine, written, visible).into_iter().map(|s| s.place).filter(|at| !places.contains(at));
        places.extend(others.collect::<Vec<_>>());
    }
    places.truncate(MOST);
    places.into_iter().map(|place| tools[place].name().to_owned()).collect()
}

/// The tools that the words of a name find, when most of the words are known.
fn by_words(engine: &ToolSearch, written: &str, visible: &dyn Fn(&Tool) -> bool) -> Vec<Scored> {
    let (index, tools) = (engine.index(), &engine.catalog.order().tools);
    let mut words: Vec<String> = Vec::new();
    text::name_words(written, &mut |word, kind| words.extend((kind == Kind::Part).then(|| word.to_owned())));
    let eligible = |place: usize| tools[place].load == Load::Deferred && visible(&tools[place]);
    let known = |stem: u32| index.stem_postings.of(stem).iter().any(|p| eligible(p.place as usize));
    let query = terms::terms(&words.join(" "), index, &known);
    let unknown = query.iter().filter(|t| t.counts && t.unknown).count();
    if unknown * 2 > query.iter().filter(|t| t.counts).count() {
        return Vec::new();
    }
    best(bm25f::rank(index, &query, &eligible).scored, BY_WORDS)
}
