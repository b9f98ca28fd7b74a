//! Words by number.

use crate::snapshot::{Input, Output};
use foldhash::SharedSeed;
use foldhash::fast::SeedableRandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;
use std::sync::OnceLock;

/// Gives every distinct word the next number. The words stand behind one another in one text.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    words: Words,
    numbers: HashTable<u32>,
    lengths: Lengths,
    /// Words are untrusted text, so that a hash over them must be seeded (rule H4).
    state: SeedableRandomState,
}

/// By the first letter of words, the lengths they have: most of what is asked for is not there, and need not be hashed to know that.
#[derive(Debug, Default)]
struct Lengths([u64; 32]);

impl Lengths {
    /// Where a word is noted, and as what; longer ones are alike.
    #[inline(always)]
    fn place(word: &[u8]) -> (usize, u64) {
        let first = word.first().copied().unwrap_or_default();
        (usize::from(first % 32), 1 << word.len().min(63))
    }

    fn note(&mut self, word: &[u8]) {
        let (at, length) = Self::place(word);
        self.0[at] |= length;
    }

    #[inline(always)]
    fn could_have(&self, word: &[u8]) -> bool {
        let (at, length) = Self::place(word);
        self.0[at] & length != 0
    }
}

/// The bytes of most words.
const LENGTH: usize = 11;

#[derive(Debug, Default)]
struct Words {
    text: String,
    /// Where each word ends.
    ends: Vec<u32>,
}

impl Words {
    #[inline]
    fn range(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        start as usize..self.ends[number] as usize
    }

    fn get(&self, number: u32) -> &str {
        &self.text[self.range(number)]
    }

    /// As bytes, which need no look for characters that begin or end there.
    #[inline]
    fn bytes(&self, number: u32) -> &[u8] {
        &self.text.as_bytes()[self.range(number)]
    }
}

/// Sixteen bytes at a time: what hashes longer texts in one go is a kilobyte and a half of the module.
#[inline]
fn hash(state: &SeedableRandomState, word: &[u8]) -> u64 {
    let mut hasher = state.build_hasher();
    word.chunks(16).for_each(|chunk| hasher.write(&chunk[..chunk.len().min(16)]));
    hasher.finish()
}

impl Default for Vocabulary {
    fn default() -> Self {
        let (own, shared) = seeds();
        let state = SeedableRandomState::with_seed(*own, shared);
        Self { words: Words::default(), numbers: HashTable::new(), lengths: Lengths::default(), state }
    }
}

impl Vocabulary {
    /// With room for so many words, unless they are long.
    pub(crate) fn with_room(words: usize) -> Self {
        let all = Words { text: String::with_capacity(words * LENGTH), ends: Vec::with_capacity(words) };
        Self { words: all, numbers: HashTable::with_capacity(words), ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.words.ends.len()
    }

    /// The word of a number below [`len`](Self::len).
    #[inline]
    pub(crate) fn word(&self, number: u32) -> &str {
        self.words.get(number)
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|number| self.word(number))
    }

    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        if !self.lengths.could_have(word.as_bytes()) {
            return None;
        }
        let same = |number: &u32| self.words.bytes(*number) == word.as_bytes();
        self.numbers.find(hash(&self.state, word.as_bytes()), same).copied()
    }

    pub(crate) fn intern(&mut self, word: &str) -> u32 {
        self.intern_bytes(word.as_bytes())
    }

    /// The same for a word in bytes, which are checked to be text only where it is new.
    pub(crate) fn intern_bytes(&mut self, word: &[u8]) -> u32 {
        let next = self.len() as u32;
        let number = number(&self.words, &mut self.numbers, &self.state, word, next);
        if number == next {
            self.words.text.push_str(std::str::from_utf8(word).unwrap_or_default());
            self.words.ends.push(self.words.text.len() as u32);
            self.lengths.note(word);
        }
        number
    }

    pub(crate) fn write(&self, out: &mut Output) {
        out.text(&self.words.text);
        out.numbers(&self.words.ends);
    }

    /// `None` when the ends are not those of distinct words that make up the text: what is looked up must be found once.
    pub(crate) fn read(input: &mut Input<'_>) -> Option<Self> {
        let words = Words { text: input.text()?.to_owned(), ends: input.numbers()? };
        let fits = |end: &u32| words.text.is_char_boundary(*end as usize);
        let all = words.ends.last().map_or(0, |end| *end as usize);
        if !words.ends.is_sorted() || !words.ends.iter().all(fits) || all != words.text.len() {
            return None;
        }
        let mut all = Self { numbers: HashTable::with_capacity(words.ends.len()), words, ..Self::default() };
        let Self { words, numbers, lengths, state } = &mut all;
        let is_first = |own| {
            lengths.note(words.bytes(own));
            number(words, numbers, state, words.bytes(own), own) == own
        };
        (0..words.ends.len() as u32).all(is_first).then_some(all)
    }
}

/// The number of a word, which from now on is `next` if it has none.
fn number(words: &Words, numbers: &mut HashTable<u32>, state: &SeedableRandomState, word: &[u8], next: u32) -> u32 {
    let hash_of = |number: &u32| hash(state, words.bytes(*number));
    match numbers.entry(hash(state, word), |number| words.bytes(*number) == word, hash_of) {
        Entry::Occupied(entry) => *entry.get(),
        Entry::Vacant(entry) => *entry.insert(next).get(),
    }
}

/// What the hash begins with, and what it multiplies words by. Both are drawn: who knows the factors can choose words that make them
/// almost nothing, and those collide whatever the hash begins with.
type Seeds = (u64, SharedSeed);

/// The seeds of this process or module, drawn when the first vocabulary is made and no earlier.
fn seeds() -> &'static Seeds {
    static SEEDS: OnceLock<Seeds> = OnceLock::new();
    SEEDS.get_or_init(|| (random(), SharedSeed::from_u64(random())))
}

#[cfg(feature = "bindings")]
fn random() -> u64 {
    #[wasm_bindgen::prelude::wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = Math, js_name = random)]
        fn weak_random() -> f64;
    }
    // In a Worker's global scope cryptographic randomness is refused. What is given there nobody can tell either who does not see more of it.
    getrandom::u64().unwrap_or_else(|_| weak_random().to_bits())
}

#[cfg(not(feature = "bindings"))]
fn random() -> u64 {
    // The standard library's own keys come from the platform.
    std::hash::RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h4_numbers_do_not_depend_on_the_seed() {
        let state = SeedableRandomState::with_seed(1, SharedSeed::global_fixed());
        let (mut one, mut other) = (Vocabulary::default(), Vocabulary { state, ..Vocabulary::default() });
        for word in ["b", "a", "b", "", "c", "a"] {
            assert_eq!(one.intern(word), other.intern(word));
        }
        assert_eq!((one.len(), one.get("c"), one.get("d")), (4, Some(3), None));
        assert!(one.words().eq(["b", "a", "", "c"]));
    }

    #[test]
    fn h4_no_words_collide_whatever_the_seed() {
        // Words whose second half leaves next to nothing of a factor that is known: foldhash's own, which are digits of pi.
        let factor = 0x3f84_d5b5_b547_0917u64.to_le_bytes();
        let half: [u8; 8] = [factor[0], factor[1], factor[2], 0xc2, factor[4], factor[5], factor[6], factor[7]];
        let half = std::str::from_utf8(&half).unwrap();
        let words: Vec<String> = (0..1 << 12).map(|n| format!("{n:03x}zzzzz{half}")).collect();
        let places = |hash: &dyn Fn(&[u8]) -> u64| {
            let all: std::collections::BTreeSet<u64> = words.iter().map(|w| hash(w.as_bytes()) & 0xfff).collect();
            all.len()
        };
        let known = SeedableRandomState::with_seed(random(), SharedSeed::global_fixed());
        assert!(places(&|word| hash(&known, word)) < 16);
        // Of as many places, words that nobody chose take 63 in 100.
        let drawn = Vocabulary::default();
        let taken = places(&|word| hash(&drawn.state, word));
        assert!(taken > 2_000, "{taken}");
    }

    #[test]
    fn h3_only_distinct_words_are_read() {
        let read = |text: &str, ends: &[u32]| {
            let mut out = Output::default();
            out.text(text);
            out.numbers(ends);
            Vocabulary::read(&mut Input::new(&out.into_bytes())).is_some()
        };
        assert!(read("", &[]) && read("aab", &[1, 3]) && read("é", &[2]));
        // In a hash table a million words that are one would take hours.
        assert!(!read("", &vec![0; 1_000_000]) && !read("aa", &[1, 2]));
        assert!(!read("ab", &[1]) && !read("ab", &[2, 1]) && !read("é", &[1]) && !read("a", &[2]));
    }
}
