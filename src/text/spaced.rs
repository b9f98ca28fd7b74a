//! Words of texts with spaces between them.

use super::script::is_letter;
use super::{Kind, identifier};

/// The words of a text with spaces. What UAX #29 tells of numbers and of single scripts makes no other words once
/// identifiers have fallen into their parts, so a few lines stand for its tables.
pub(super) fn words(text: &str, emit: &mut dyn FnMut(&str, Kind)) {
    let mut words = SpacedWords::new(text);
    loop {
        while let Some(word) = words.plain() {
            emit(std::str::from_utf8(&word.room()[..word.length]).unwrap_or_default(), Kind::Part);
        }
        if !words.other(emit) {
            return;
        }
    }
}

/// Reads the words of a text with spaces, first of all those that most are.
pub(crate) struct SpacedWords<'a> {
    text: &'a str,
    at: usize,
}

/// A word of few bytes: eight of them in each of two numbers, the first one lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Short {
    pub bytes: [u64; 2],
    pub length: usize,
}

impl Short {
    /// Its most bytes.
    pub(crate) const LONGEST: usize = 15;

    /// A word as it is, where it fits.
    pub(crate) fn new(word: &str) -> Option<Self> {
        let length = word.len();
        (length <= Self::LONGEST).then(|| Self { bytes: [0, 8].map(|at| eight(word.as_bytes(), at)), length })
    }

    /// Its bytes behind one another; what is behind its length is no part of it.
    #[inline]
    pub(crate) fn room(self) -> [u8; 16] {
        (u128::from(self.bytes[1]) << 64 | u128::from(self.bytes[0])).to_le_bytes()
    }
}

impl<'a> SpacedWords<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next word, if it is plain: lower case but for the first letter, and followed by nothing that could belong to it.
    #[inline(always)]
    pub(crate) fn plain(&mut self) -> Option<Short> {
        let bytes = self.text.as_bytes();
        // Most of it is ASCII, which needs no look at characters.
        while bytes.get(self.at).is_some_and(|byte| is(*byte, BETWEEN)) {
            self.at += 1;
        }
        let first = eight(bytes, self.at);
        let first = if (first as u8).is_ascii_uppercase() { first | 0x20 } else { first };
        let mut length = letters(first);
        let word = if length < 8 {
            [first & low(length), 0]
        } else {
            let second = eight(bytes, self.at + 8);
            let more = letters(second);
            length += more;
            [first, second & low(more & 7)]
        };
        let end = self.at + length;
        if length.wrapping_sub(1) >= Short::LONGEST || !ends_word(bytes, end) {
            return None;
        }
        // With what follows it, which is none that a word begins with.
        self.at = end + 1;
        Some(Short { bytes: word, length })
    }

    /// The next word, whatever it is made of; `false` when there is none.
    pub(crate) fn other(&mut self, emit: &mut dyn FnMut(&str, Kind)) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(start) = rest.find(|c: char| c == '_' || c.is_alphanumeric()) else { return false };
        let word = &rest[start..];
        let word = &word[..word_length(word)];
        self.at += start + word.len();
        identifier::prose_word(word, emit);
        true
    }
}

/// The eight bytes that stand there, the first one lowest; zeros behind the end.
#[inline(always)]
pub(crate) fn eight(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.first_chunk().map_or_else(|| fewer(rest), |chunk| u64::from_le_bytes(*chunk))
}

fn fewer(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4))
        }
        _ => bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)),
    }
}

/// The bits of so many bytes, fewer than eight.
#[inline(always)]
fn low(bytes: usize) -> u64 {
    (1 << (8 * bytes)) - 1
}

/// With how many letters from a to z eight bytes begin.
#[inline(always)]
fn letters(bytes: u64) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let low = bytes & (ONES * 0x7F);
    // In each byte the highest bit says that it is at least `a`, and above `z`.
    let (from_a, above_z) = (low + ONES * (0x80 - 0x61), low + ONES * (0x80 - 0x7B));
    let others = (bytes | !from_a | above_z) & (ONES * 0x80);
    others.trailing_zeros() as usize / 8
}

/// Whether a word that ends there is all of it.
#[inline(always)]
fn ends_word(bytes: &[u8], end: usize) -> bool {
    let ends = |at: usize, of: u8| bytes.get(at).is_none_or(|byte| is(*byte, of));
    ends(end, ENDS) || (is(bytes[end], BETWEEN) && ends(end + 1, BETWEEN))
}

/// ASCII that is no letter, no digit and not `_`.
const BETWEEN: u8 = 1;
/// What of it cannot stand within a word.
const ENDS: u8 = 2;

#[inline(always)]
fn is(byte: u8, of: u8) -> bool {
    const TABLE: [u8; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 128 {
            let code = byte as u8;
            if !code.is_ascii_alphanumeric() && code != b'_' {
                table[byte] = if matches!(code, b'.' | b':' | b'\'') { BETWEEN } else { BETWEEN | ENDS };
            }
            byte += 1;
        }
        table
    };
    TABLE[byte as usize] & of != 0
}

/// The bytes of the word that a text begins with: letters, digits, marks and `_` hold together, and so does one `.`, `:`,
/// `·` or apostrophe between them.
fn word_length(text: &str) -> usize {
    let plain = text.bytes().take_while(|b| b.is_ascii() && !is(*b, BETWEEN)).count();
    if text.as_bytes().get(plain).is_none_or(|next| is(*next, ENDS)) {
        return plain;
    }
    let holds = |c: char| c == '_' || is_letter(c);
    let mut chars = text[plain..].chars();
    loop {
        let length = text.len() - chars.as_str().len();
        let goes_on = match chars.next() {
            Some('.' | ':' | '·' | '\'' | '’') => chars.clone().next().is_some_and(holds),
            next => next.is_some_and(holds),
        };
        if !goes_on {
            return length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Short, SpacedWords, words};

    #[test]
    fn b2_plain_words_are_what_any_are() {
        let ends = ["", " ", "  ", ".", ". ", ".b", "'s", "_", "_b", "1", "B", "-b", "é", "。", ":\n"];
        for length in 0..=2 * Short::LONGEST {
            for start in ["", "A", "Z", "[", "é", "`"] {
                for end in ends {
                    let text = format!("{start}{}{end}", &"abcdefghijklmnopqrstuvwxyzabcde"[..length]);
                    let text = format!("{text} {text}");
                    let (mut all, mut others) = (Vec::new(), Vec::new());
                    words(&text, &mut |word, kind| all.push((word.to_owned(), kind)));
                    let mut rest = SpacedWords::new(&text);
                    while rest.other(&mut |word, kind| others.push((word.to_owned(), kind))) {}
                    assert_eq!(all, others, "{text}");
                }
            }
        }
    }

    #[test]
    fn short_words_come_back() {
        for word in ["", "a", "abc", "abcd", "é12", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno"] {
            let short = Short::new(word).unwrap();
            assert_eq!(&short.room()[..short.length], word.as_bytes());
        }
        assert_eq!(Short::new("abcdefghijklmnop"), None);
    }
}
