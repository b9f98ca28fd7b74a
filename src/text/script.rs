//! What characters are to words, and scripts that are written without spaces (rule B4).

use super::Kind;

/// Han, kana, Hangul and the scripts of South-East Asia. Hangul has spaces, but its words carry their particles.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}'     // Thai, Lao
        | '\u{1000}'..='\u{109F}'   // Myanmar
        | '\u{1100}'..='\u{11FF}'   // Hangul jamo
        | '\u{1780}'..='\u{17FF}'   // Khmer
        | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30FF}'   // kana
        | '\u{3100}'..='\u{312F}' | '\u{31A0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}'   // Hangul
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a character is of a word: a letter, a digit, or a mark that stands within words.
pub(super) fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || (!c.is_ascii() && is_mark(c))
}

/// Marks and joiners that Rust counts as no letters.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{200C}'..='\u{200F}'     // soft hyphen, joiners, directions
        | '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}'
        | '\u{0591}'..='\u{05AF}' | '\u{05F3}' | '\u{05F4}'     // Hebrew
        | '\u{06DF}'..='\u{06EC}' | '\u{0740}'..='\u{074A}' | '\u{0898}'..='\u{089F}' | '\u{08CA}'..='\u{08FF}'
        | '\u{0DCA}')
        // The nukta and the virama stand in the same place of each Indic block.
        || (matches!(c, '\u{0900}'..='\u{0D7F}') && matches!(u32::from(c) & 0x7F, 0x3C | 0x4D))
}

/// Pairs of neighbouring characters, so that part of a sentence finds the whole; a lone character is a word.
pub(super) fn pairs(run: &str, emit: &mut dyn FnMut(&str, Kind)) {
    let bounds: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    // The middle dot and the iteration marks of punctuation kind are no words alone.
    match bounds.len() - 1 {
        1 if run.chars().all(char::is_alphanumeric) => emit(run, Kind::Part),
        0 | 1 => {}
        _ => {
            bounds.windows(3).for_each(|w| emit(&run[w[0]..w[2]], Kind::Part));
            bounds.windows(2).for_each(|w| emit(&run[w[0]..w[1]], Kind::Single));
        }
    }
}
