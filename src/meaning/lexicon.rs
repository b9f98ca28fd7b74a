//! The vocabulary: words, pieces of words, and a vector for each.
//!
//! The bytes are made by `bench/meaning`, whose documentation describes them, and are part of the module.

use std::ops::Range;
use std::sync::OnceLock;

static BYTES: &[u8] = include_bytes!("vectors.bin");

/// The bytes before the words.
const HEADER: usize = 24;
/// What a piece that goes on with a word begins with.
const GOES_ON: &str = "##";

/// The vocabulary, read.
pub(super) struct Lexicon {
    /// All words, one behind the other in the order of their bytes, and where each ends.
    text: String,
    ends: Vec<u32>,
    /// Bytes of the longest.
    longest: usize,
    /// Numbers of a vector.
    pub dimensions: usize,
    bits: usize,
    /// What the numbers of each vector are multiplied by, 16 bits each.
    scales: &'static [u8],
    codes: &'static [u8],
    /// Of all the bytes: vectors of another vocabulary cannot be compared.
    pub checksum: [u32; 2],
}

impl Lexicon {
    /// The one there is; read when it is first asked for. `None` if the module was built of bytes that are none.
    pub(super) fn get() -> Option<&'static Self> {
        static LEXICON: OnceLock<Option<Lexicon>> = OnceLock::new();
        LEXICON.get_or_init(|| Self::read(BYTES)).as_ref()
    }

    fn read(bytes: &'static [u8]) -> Option<Self> {
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let (words, dimensions, bits) = (number(8)? as usize, number(12)? as usize, number(16)? as usize);
        if !bytes.starts_with(b"TSMEAN1\n") || !matches!(bits, 4 | 8) || !dimensions.is_multiple_of(16) {
            return None;
        }
        let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
        let checksum = [number(body.len())?, number(body.len() + 4)?];
        if u64::from_le_bytes(sum.try_into().ok()?) != fnv(body) {
            return None;
        }
        let (shared, rest) = body.get(HEADER..)?.split_at_checked(words)?;
        let (added, mut rest) = rest.split_at_checked(words)?;
        let mut text: Vec<u8> = Vec::new();
        let mut ends = Vec::with_capacity(words);
        let (mut before, mut longest) = (0, 0);
        for (&shared, &added) in shared.iter().zip(added) {
            let start = text.len();
            text.extend_from_within(before..before + usize::from(shared));
            let (own, after) = rest.split_at_checked(usize::from(added))?;
            text.extend_from_slice(own);
            (rest, before) = (after, start);
            ends.push(text.len() as u32);
            longest = longest.max(text.len() - start);
        }
        let (scales, codes) = rest.split_at_checked(2 * words)?;
        let text = String::from_utf8(text).ok()?;
        (codes.len() == words * dimensions * bits / 8).then_some(Self {
            text,
            ends,
            longest,
            dimensions,
            bits,
            scales,
            codes,
            checksum,
        })
    }

    fn word(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[at] as usize]
    }

    /// The number of a word, or of two texts' together that are one.
    pub(super) fn find(&self, mark: &str, word: &str) -> Option<u32> {
        let wanted = || mark.bytes().chain(word.bytes());
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.word(middle).bytes().cmp(wanted()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle as u32),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Calls `emit` with the number of a word, or, where it is not known, of the longest known pieces that it is made of. Pieces are of
    /// English: of a number, or of a word in other letters, they say nothing.
    pub(super) fn pieces(&self, word: &str, emit: &mut dyn FnMut(u32)) {
        match self.find("", word) {
            Some(whole) => emit(whole),
            None if word.bytes().all(|b| b.is_ascii_lowercase()) => self.cut(word, GOES_ON, emit),
            None => {}
        }
    }

    /// The same of a run of a script that is written without spaces: words may begin anywhere in it.
    pub(super) fn words_in(&self, run: &str, emit: &mut dyn FnMut(u32)) {
        self.cut(run, "", emit);
    }

    /// Cuts a text into the longest known words, of which all but the first are marked. What begins none is passed over.
    fn cut(&self, text: &str, mark: &str, emit: &mut dyn FnMut(u32)) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let found = self.longest(if rest.len() < text.len() { mark } else { "" }, rest);
            found.into_iter().for_each(|(number, _)| emit(number));
            rest = &rest[found.map_or(first.len_utf8(), |(_, length)| length)..];
        }
    }

    /// The longest word that a text begins with, and its bytes.
    fn longest(&self, mark: &str, text: &str) -> Option<(u32, usize)> {
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= self.longest);
        ends.filter_map(|end| Some((self.find(mark, &text[..end])?, end))).last()
    }

    /// What the numbers of a word's vector are multiplied by; 0 for a word that says nothing by itself.
    pub(super) fn scale(&self, word: u32) -> i64 {
        let at = 2 * word as usize;
        i64::from(u16::from_le_bytes([self.scales[at], self.scales[at + 1]]))
    }

    /// Adds a word's vector to a sum.
    pub(super) fn add(&self, word: u32, sum: &mut [i64]) {
        let scale = self.scale(word);
        let word = word as usize;
        let bytes = self.dimensions * self.bits / 8;
        let codes = &self.codes[Range { start: word * bytes, end: (word + 1) * bytes }];
        if self.bits == 8 {
            for (sum, code) in sum.iter_mut().zip(codes) {
                *sum += scale * i64::from(*code as i8);
            }
            return;
        }
        for (pair, codes) in sum.as_chunks_mut::<2>().0.iter_mut().zip(codes) {
            pair[0] += scale * i64::from((codes << 4) as i8 >> 4);
            pair[1] += scale * i64::from(*codes as i8 >> 4);
        }
    }
}

/// FNV-1a, 64 bits.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
