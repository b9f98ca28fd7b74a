//! The Snowball stemmer for English, "Porter 2" (M. F. Porter, 2001): what is left of a word without its ending.
//!
//! Written for what is asked of it here, since stems were a fifth of building an index: plain lower-case letters, in place. A test
//! holds it against the crate `rust-stemmers`, which does the same for any text and alphabet.

use std::borrow::Cow;

/// Words that the rules would not get right, and their stems.
const EXCEPTIONS: [(&str, &str); 18] = [
    ("skis", "ski"),
    ("skies", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("idly", "idl"),
    ("gently", "gentl"),
    ("ugly", "ugli"),
    ("early", "earli"),
    ("only", "onli"),
    ("singly", "singl"),
    ("sky", "sky"),
    ("news", "news"),
    ("howe", "howe"),
    ("atlas", "atlas"),
    ("cosmos", "cosmos"),
    ("bias", "bias"),
    ("andes", "andes"),
];

/// Words that are done once a plural is taken off.
const DONE: [&str; 8] = ["inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"];

/// An ending and what becomes of it.
struct Ending {
    text: &'static str,
    becomes: &'static str,
    /// Its letters, and all of their bits, as [`Word::tail`] has them.
    tail: u64,
    mask: u64,
}

/// Endings, longer ones before their own ends.
struct Endings {
    all: &'static [Ending],
    /// The letters they end in.
    last: u32,
    /// By such a letter, those before it: most words end in other two.
    before: [u32; 32],
}

const fn endings(all: &'static [Ending]) -> Endings {
    let (mut last, mut before, mut at) = (0, [0; 32], 0);
    while at < all.len() {
        let Ending { text, tail, .. } = all[at];
        last |= bit(tail as u8);
        before[(tail & 31) as usize] |= if text.len() == 1 { u32::MAX } else { bit((tail >> 8) as u8) };
        at += 1;
    }
    Endings { all, last, before }
}

/// A letter as one of a set; those of a word on its way may be capitals.
const fn bit(letter: u8) -> u32 {
    1 << (letter & 31)
}

const fn ending(text: &'static str, becomes: &'static str) -> Ending {
    let (mut tail, mut mask, mut at) = (0, 0, 0);
    while at < text.len() {
        tail = tail << 8 | text.as_bytes()[at] as u64;
        mask = mask << 8 | 0xFF;
        at += 1;
    }
    Ending { text, becomes, tail, mask }
}

const STEP_1A: Endings = endings(&[
    ending("sses", "ss"),
    ending("ied", "i"),
    ending("ies", "i"),
    ending("ss", "ss"),
    ending("us", "us"),
    ending("s", ""),
]);
const STEP_1B: Endings = endings(&[
    ending("eedly", "ee"),
    ending("ingly", ""),
    ending("edly", ""),
    ending("eed", "ee"),
    ending("ing", ""),
    ending("ed", ""),
]);
const STEP_2: Endings = endings(&[
    ending("ational", "ate"),
    ending("fulness", "ful"),
    ending("iveness", "ive"),
    ending("ization", "ize"),
    ending("ousness", "ous"),
    ending("biliti", "ble"),
    ending("lessli", "less"),
    ending("tional", "tion"),
    ending("alism", "al"),
    ending("aliti", "al"),
    ending("ation", "ate"),
    ending("entli", "ent"),
    ending("fulli", "ful"),
    ending("iviti", "ive"),
    ending("ousli", "ous"),
    ending("abli", "able"),
    ending("alli", "al"),
    ending("anci", "ance"),
    ending("ator", "ate"),
    ending("enci", "ence"),
    ending("izer", "ize"),
    ending("bli", "ble"),
    ending("ogi", "og"),
    ending("li", ""),
]);
const STEP_3: Endings = endings(&[
    ending("ational", "ate"),
    ending("tional", "tion"),
    ending("alize", "al"),
    ending("ative", ""),
    ending("icate", "ic"),
    ending("iciti", "ic"),
    ending("ical", "ic"),
    ending("ness", ""),
    ending("ful", ""),
]);
const STEP_4: Endings = endings(&[
    ending("ement", ""),
    ending("able", ""),
    ending("ance", ""),
    ending("ence", ""),
    ending("ible", ""),
    ending("ment", ""),
    ending("ant", ""),
    ending("ate", ""),
    ending("ent", ""),
    ending("ion", ""),
    ending("ism", ""),
    ending("iti", ""),
    ending("ive", ""),
    ending("ize", ""),
    ending("ous", ""),
    ending("al", ""),
    ending("er", ""),
    ending("ic", ""),
]);

/// The last letters of exceptions.
const EXCEPTIONAL: u32 = bit(b's') | bit(b'g') | bit(b'y') | bit(b'e');

/// What a word must end in for anything to become of it: the ends of exceptions and of all endings, and what the last step looks for.
const TOUCHED: u32 = EXCEPTIONAL | STEP_1A.last | STEP_1B.last | STEP_2.last | STEP_3.last | STEP_4.last | bit(b'l');

/// The longest word that has another stem than itself, in letters; none is longer of those that are kept.
const LONGEST: usize = 64;
/// What is before the letters of a word on its way, so that the last eight can always be read.
const FRONT: usize = 8;

/// The stem of a word of three or more letters from a to z.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    let last = word.bytes().last().map_or(0, bit);
    if last & TOUCHED == 0 || word.len() > LONGEST {
        return Cow::Borrowed(word);
    }
    if last & EXCEPTIONAL != 0
        && let Some((_, stem)) = EXCEPTIONS.iter().find(|(own, _)| *own == word)
    {
        return Cow::Borrowed(stem);
    }
    let mut way = Word::new(word);
    way.plural();
    if !DONE.iter().any(|own| own.as_bytes() == way.letters()) {
        way.past();
        way.final_y();
        way.derived();
        way.final_e();
    }
    let stem = &mut way.room[FRONT..FRONT + way.length];
    stem.make_ascii_lowercase();
    // Most are what is left when something is cut off.
    match word.get(..stem.len()) {
        Some(start) if start.as_bytes() == &*stem => Cow::Borrowed(start),
        _ => Cow::Owned(std::str::from_utf8(stem).unwrap_or_default().to_owned()),
    }
}

/// A word on its way. A `y` that is a consonant is a capital.
struct Word {
    /// Its letters, behind as many zeros as [`FRONT`] says. No step makes a word longer than it was.
    room: [u8; FRONT + LONGEST],
    length: usize,
    /// Behind the first consonant that follows a vowel; the end where there is none.
    first: usize,
    /// The same within what is behind that.
    second: usize,
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

impl Word {
    fn new(word: &str) -> Self {
        let (mut room, length) = ([0; FRONT + LONGEST], word.len());
        let letters = &mut room[FRONT..FRONT + length];
        let mut after_vowel = true;
        for (letter, &own) in letters.iter_mut().zip(word.as_bytes()) {
            *letter = if own == b'y' && after_vowel { b'Y' } else { own };
            after_vowel = is_vowel(*letter);
        }
        let behind = |start: usize| {
            let vowel = letters[start..].iter().position(|l| is_vowel(*l)).map_or(length, |at| start + at);
            letters[vowel..].iter().position(|l| !is_vowel(*l)).map_or(length, |at| vowel + at + 1)
        };
        let special = ["gener", "commun", "arsen"].into_iter().find(|own| word.starts_with(own));
        let first = special.map_or_else(|| behind(0), str::len);
        let second = behind(first);
        Self { room, length, first, second }
    }

    fn letters(&self) -> &[u8] {
        &self.room[FRONT..FRONT + self.length]
    }

    /// The last eight letters, the last one lowest.
    fn tail(&self) -> u64 {
        self.room[..FRONT + self.length].last_chunk().map_or(0, |last| u64::from_be_bytes(*last))
    }

    /// The first of these endings that the word has, and where it begins.
    fn longest(&self, endings: &Endings) -> Option<(usize, &'static Ending)> {
        let tail = self.tail();
        if endings.before[(tail & 31) as usize] & bit((tail >> 8) as u8) == 0 {
            return None;
        }
        let found = endings.all.iter().find(|ending| tail & ending.mask == ending.tail)?;
        Some((self.length - found.text.len(), found))
    }

    fn replace(&mut self, at: usize, by: &str) {
        self.length = at + by.len();
        self.room[FRONT + at..FRONT + self.length].copy_from_slice(by.as_bytes());
    }

    fn has_vowel(&self, end: usize) -> bool {
        self.letters()[..end].iter().any(|letter| is_vowel(*letter))
    }

    /// Whether what is before `end` ends in a short syllable.
    fn is_short(&self, end: usize) -> bool {
        match self.letters()[..end] {
            [vowel, last] => is_vowel(vowel) && !is_vowel(last),
            [.., before, vowel, last] => {
                !is_vowel(before) && is_vowel(vowel) && !is_vowel(last) && !matches!(last, b'w' | b'x' | b'Y')
            }
            _ => false,
        }
    }

    /// Step 1a.
    fn plural(&mut self) {
        let Some((at, ending)) = self.longest(&STEP_1A) else { return };
        match ending.text {
            "ied" | "ies" if at < 2 => self.replace(at, "ie"),
            "s" if !self.has_vowel(at.saturating_sub(1)) => {}
            _ => self.replace(at, ending.becomes),
        }
    }

    /// Step 1b.
    fn past(&mut self) {
        let Some((at, ending)) = self.longest(&STEP_1B) else { return };
        if !ending.becomes.is_empty() {
            if at >= self.first {
                self.replace(at, ending.becomes);
            }
            return;
        }
        if !self.has_vowel(at) {
            return;
        }
        self.length = at;
        match *self.letters() {
            [.., b'a', b't'] | [.., b'b', b'l'] | [.., b'i', b'z'] => self.replace(at, "e"),
            [.., before, last] if before == last && b"bdfgmnprt".contains(&last) => self.length = at - 1,
            _ if at == self.first && self.is_short(at) => self.replace(at, "e"),
            _ => {}
        }
    }

    /// Step 1c.
    fn final_y(&mut self) {
        if let [_, .., before, b'y' | b'Y'] = *self.letters()
            && !is_vowel(before)
        {
            self.replace(self.length - 1, "i");
        }
    }

    /// Steps 2 to 4.
    fn derived(&mut self) {
        if let Some((at, ending)) = self.longest(&STEP_2)
            && at >= self.first
            && match ending.text {
                "ogi" => self.letters()[..at].ends_with(b"l"),
                "li" => self.letters()[..at].last().is_some_and(|before| b"cdeghkmnrt".contains(before)),
                _ => true,
            }
        {
            self.replace(at, ending.becomes);
        }
        if let Some((at, ending)) = self.longest(&STEP_3)
            && at >= if ending.text == "ative" { self.second } else { self.first }
        {
            self.replace(at, ending.becomes);
        }
        if let Some((at, ending)) = self.longest(&STEP_4)
            && at >= self.second
            && (ending.text != "ion" || matches!(self.letters()[..at].last(), Some(b's' | b't')))
        {
            self.length = at;
        }
    }

    /// Step 5.
    fn final_e(&mut self) {
        let Some(at) = self.length.checked_sub(1) else { return };
        let goes = match self.letters()[at] {
            b'e' => at >= self.second || (at >= self.first && !self.is_short(at)),
            b'l' => at >= self.second && self.letters()[..at].ends_with(b"l"),
            _ => false,
        };
        if goes {
            self.length = at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::stem;
    use proptest::prelude::*;
    use rust_stemmers::{Algorithm, Stemmer};

    fn agrees(word: &str) {
        let other = Stemmer::create(Algorithm::English);
        assert_eq!(stem(word), other.stem(word), "{word}");
    }

    #[test]
    fn b3_agrees_on_every_short_word() {
        // Letters that the rules speak of, and one that they do not.
        let letters = b"aeybdilnrst";
        for length in 3..=5u32 {
            for number in 0..letters.len().pow(length) {
                let word: Vec<u8> =
                    (0..length).map(|at| letters[number / letters.len().pow(at) % letters.len()]).collect();
                agrees(std::str::from_utf8(&word).unwrap());
            }
        }
    }

    #[test]
    fn b3_agrees_on_exceptions() {
        for (word, _) in super::EXCEPTIONS {
            agrees(word);
        }
        for word in super::DONE {
            for ending in ["", "s", "es", "ing", "ly"] {
                agrees(&format!("{word}{ending}"));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

        #[test]
        fn b3_agrees_on_words_with_endings(start in "(gener|commun|arsen|[a-z]{0,4})[a-z]{1,3}", endings in prop::collection::vec(ending(), 0..4)) {
            let word = start + &endings.concat();
            if word.len() > 2 {
                agrees(&word);
            }
        }
    }

    fn ending() -> impl Strategy<Value = &'static str> {
        let derived =
            super::STEP_2.all.iter().chain(super::STEP_3.all).chain(super::STEP_4.all).map(|ending| ending.text);
        let others = [
            "s", "es", "sses", "ies", "ied", "us", "ss", "ed", "edly", "ing", "ingly", "eed", "eedly", "y", "e", "l",
            "ll",
        ];
        prop::sample::select(derived.chain(others).collect::<Vec<_>>())
    }
}
