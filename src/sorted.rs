//! Sorting where speed is no matter. The standard library's sort is some 9 KB of a module for each type, this is one for all.

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
    }
}
