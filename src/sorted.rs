//! Sorting by one sort of places, where speed is no matter: a sort of its own for each type is kilobytes of a module.

use std::cmp::Ordering;

/// The places of `length` things in the order of a comparison; of equal ones the first comes first.
pub(crate) fn places(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    places.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
    places
}

/// The place of each distinct text, of equal ones the first, in the order of the texts.
pub(crate) fn distinct(texts: &[&str]) -> Vec<usize> {
    let mut places = places(texts.len(), &|a, b| texts[a].cmp(texts[b]));
    places.dedup_by(|next, kept| texts[*next] == texts[*kept]);
    places
}
