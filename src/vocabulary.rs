//! Words by number.

use foldhash::quality::FixedState;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

/// Gives every distinct word the next number.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    words: Vec<Box<str>>,
    numbers: Numbers,
}

/// Words are untrusted text, so that a hash over them must be seeded (rule H4). Where the platform gives no randomness
/// (a Worker's global scope), an ordered map serves: slower, and as safe.
#[derive(Debug)]
enum Numbers {
    Hashed(HashMap<Box<str>, u32, FixedState>),
    Ordered(BTreeMap<Box<str>, u32>),
}

impl Default for Vocabulary {
    fn default() -> Self {
        let numbers = match seed() {
            Some(seed) => Numbers::Hashed(HashMap::with_hasher(FixedState::with_seed(seed))),
            None => Numbers::Ordered(BTreeMap::new()),
        };
        Self { words: Vec::new(), numbers }
    }
}

impl Vocabulary {
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        match &self.numbers {
            Numbers::Hashed(map) => map.get(word).copied(),
            Numbers::Ordered(map) => map.get(word).copied(),
        }
    }

    /// The words by number.
    pub(crate) fn words(&self) -> &[Box<str>] {
        &self.words
    }

    pub(crate) fn intern(&mut self, word: &str) -> u32 {
        if let Some(number) = self.get(word) {
            return number;
        }
        let number = self.words.len() as u32;
        self.words.push(word.into());
        match &mut self.numbers {
            Numbers::Hashed(map) => map.insert(word.into(), number),
            Numbers::Ordered(map) => map.insert(word.into(), number),
        };
        number
    }
}

/// The seed of this process or module, drawn when the first index is built and no earlier.
#[cfg(feature = "bindings")]
fn seed() -> Option<u64> {
    static SEED: OnceLock<u64> = OnceLock::new();
    if let Some(seed) = SEED.get() {
        return Some(*seed);
    }
    let seed = getrandom::u64().ok()?;
    Some(*SEED.get_or_init(|| seed))
}

#[cfg(not(feature = "bindings"))]
fn seed() -> Option<u64> {
    use std::hash::{BuildHasher, Hasher};
    static SEED: OnceLock<u64> = OnceLock::new();
    // The standard library's own keys come from the platform.
    Some(*SEED.get_or_init(|| std::hash::RandomState::new().build_hasher().finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h4_both_kinds_number_alike() {
        let mut hashed = Vocabulary::default();
        let mut ordered = Vocabulary { words: Vec::new(), numbers: Numbers::Ordered(BTreeMap::new()) };
        for word in ["b", "a", "b", "c", "a"] {
            assert_eq!(hashed.intern(word), ordered.intern(word));
        }
        assert_eq!((hashed.len(), ordered.get("c"), ordered.get("d")), (3, Some(2), None));
    }
}
