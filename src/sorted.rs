//! Sorting, and sets and maps as sorted lists, where speed is no matter. The standard library's sorts and trees are some 9 KB
//! of a module for each type, this is one sort for all.

use std::cmp::Ordering;

/// The places of `length` things in the order of a comparison; of equal ones the first comes first.
pub(crate) fn places(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    let mut merged = places.clone();
    // Merges runs that are in order into ones of twice the length, until one is left.
    let mut run = 1;
    while run < length {
        for start in (0..length).step_by(2 * run) {
            let (middle, end) = ((start + run).min(length), (start + 2 * run).min(length));
            let (mut left, mut right) = (start, middle);
            for slot in &mut merged[start..end] {
                let is_left = right == end || (left < middle && compare(places[left], places[right]).is_le());
                let next = if is_left { &mut left } else { &mut right };
                *slot = places[*next];
                *next += 1;
            }
        }
        std::mem::swap(&mut places, &mut merged);
        run *= 2;
    }
    places
}

/// The place of each distinct text, of equal ones the first, in the order of the texts.
pub(crate) fn distinct(texts: &[&str]) -> Vec<usize> {
    let mut places = places(texts.len(), &|a, b| texts[a].cmp(texts[b]));
    places.dedup_by(|next, kept| texts[*next] == texts[*kept]);
    places
}

/// Of how many texts each is held against the others: sooner done than to sort them.
const FEW: usize = 8;

/// The same texts in the same order, each once.
pub(crate) fn once(mut texts: Vec<&str>) -> Vec<&str> {
    if texts.len() > FEW {
        return ascending(&distinct(&texts)).iter().map(|&place| texts[place]).collect();
    }
    let mut at = 1;
    while at < texts.len() {
        if texts[..at].contains(&texts[at]) {
            texts.remove(at);
        } else {
            at += 1;
        }
    }
    texts
}

/// The same things in their order.
pub(crate) fn ascending<T: Ord + Copy>(all: &[T]) -> Vec<T> {
    places(all.len(), &|a, b| all[a].cmp(&all[b])).iter().map(|&place| all[place]).collect()
}

/// A set of identities of tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Identities(Vec<u32>);

impl Identities {
    pub(crate) fn new(mut all: Vec<u32>) -> Self {
        if !all.is_sorted() {
            all = ascending(&all);
        }
        all.dedup();
        Self(all)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn contains(&self, identity: u32) -> bool {
        self.0.binary_search(&identity).is_ok()
    }

    /// Whether it was not there before.
    pub(crate) fn insert(&mut self, identity: u32) -> bool {
        let Err(at) = self.0.binary_search(&identity) else { return false };
        self.0.insert(at, identity);
        true
    }

    pub(crate) fn without(&self, others: &Self) -> Self {
        Self(self.0.iter().copied().filter(|identity| !others.contains(*identity)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_the_standard_library_does() {
        for length in [0, 1, 2, 3, 7, 8, 9, 100, 1_000] {
            let keys: Vec<usize> = (0..length).map(|at| at * 7_919 % 31).collect();
            let mut theirs: Vec<usize> = (0..length).collect();
            theirs.sort_by_key(|&at| keys[at]);
            assert_eq!(places(length, &|a, b| keys[a].cmp(&keys[b])), theirs);
        }
        assert_eq!(distinct(&["b", "a", "b", "c", "a"]), [1, 0, 3]);
        assert_eq!(ascending(&[2, 1, 2, 0]), [0, 1, 2, 2]);
        assert_eq!(once(vec!["b", "a", "b", "c", "a"]), ["b", "a", "c"]);
        assert_eq!(once(["b", "a", "b", "c", "a"].repeat(3)), ["b", "a", "c"]);
    }

    #[test]
    fn identities_are_a_set() {
        let mut set = Identities::new(vec![3, 1, 3]);
        assert!(set.insert(2) && !set.insert(3) && set.contains(1) && !set.contains(4));
        assert_eq!(set.without(&Identities::new(vec![1, 7])), Identities::new(vec![2, 3]));
    }
}
