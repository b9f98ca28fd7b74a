//! Close names, for what was asked and is not there.

use crate::engine::ToolSearch;
use crate::names::{Distance, squash};
use crate::rank::terms::Terms;
use crate::rank::{Scored, best, bm25f};
use crate::sorted;
use crate::spellings::Looks;
use crate::text::{self, Kind};
use crate::tool::{Load, Tool};

/// The most names that are suggested.
pub(crate) const MOST: usize = 5;
/// The most of them that are close by what they mean, and not by how they are written.
const BY_WORDS: usize = 3;
/// How far a name is that begins like the one asked for, in edits.
const BEGINS_ALIKE: usize = 4;

/// Callable names close to a written one, the closest first: spelt alike, beginning alike, then saying the same.
/// `in_vain` says that its words have been searched for.
pub(crate) fn close(engine: &ToolSearch, written: &str, in_vain: bool, visible: &dyn Fn(&Tool) -> bool) -> Vec<String> {
    let order = engine.catalog.order();
    let tools = &order.tools;
    let target = squash(written);
    let length = target.chars().count();
    if !(2..=128).contains(&length) {
        return Vec::new();
    }
    let (mut distance, looks) = (Distance::from(&target), Looks::of(&target));
    let most = (length / 4).clamp(1, 3);
    // How far each tool is that is near at all, before its place: one number to sort by.
    let mut near: Vec<u64> = Vec::new();
    let begins = length >= 3;
    let fit = |own: Looks| own.could_be(looks, most) || (begins && own.could_begin(looks));
    for (own, own_looks, slots) in engine.catalog.spellings().iter(fit) {
        let edits = if own_looks.could_be(looks, most) { distance.to(own, most) } else { None };
        let begins = || begins && (own.starts_with(&*target) || (own.len() >= 4 && target.starts_with(own)));
        let Some(far) = edits.or_else(|| begins().then_some(BEGINS_ALIKE)) else { continue };
        for place in slots.map(|slot| order.place_of(slot)).filter(|&at| tools.get(at).is_some_and(|t| visible(t))) {
            near.push((far as u64) << 32 | place as u64);
        }
    }
    let near = sorted::ascending(&near);
    let mut places: Vec<usize> = Vec::new();
    for place in near.iter().map(|&near| near as u32 as usize) {
        if places.len() < MOST && !places.contains(&place) {
            places.push(place);
        }
    }
    if places.len() < MOST && !in_vain {
        let others = by_words(engine, written, visible);
        let others = others.iter().map(|s| s.place).filter(|at| !places.contains(at));
        places.append(&mut others.collect());
    }
    places.truncate(MOST);
    places.iter().map(|&place| tools[place].name().to_owned()).collect()
}

/// The tools that the words of a name find, when most of the words are known.
fn by_words(engine: &ToolSearch, written: &str, visible: &dyn Fn(&Tool) -> bool) -> Vec<Scored> {
    let (index, order) = (engine.index(), engine.catalog.order());
    let tools = &order.tools;
    let mut words: Vec<String> = Vec::new();
    text::name_words(written, &mut |word, kind| words.extend((kind == Kind::Part).then(|| word.to_owned())));
    let eligible = |place: usize| tools[place].load == Load::Deferred && visible(&tools[place]);
    let known = |stem: u32| engine.has_stem(stem, Some(&eligible));
    let query = Terms::of(&words.join(" "), index, &known);
    let unknown = query.all().iter().filter(|t| t.counts && t.unknown).count();
    if unknown * 2 > query.all().iter().filter(|t| t.counts).count() {
        return Vec::new();
    }
    best(bm25f::rank(index, order, &query, Some(&eligible), BY_WORDS).scored, BY_WORDS)
}
