//! Scripts that are written without spaces (rule B4).

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
