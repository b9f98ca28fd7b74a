//! Identifiers: `getURLsForHTMLPage` is get urls for html page (rule B2).

use super::script::{is_letter, is_unspaced};
use super::{Kind, MAX_WORD, fold, lower, words};
use crate::names::is_prefixed;

/// The words of a tool's, server's or parameter's name: its parts, and the whole of it joined.
pub(crate) fn name_words(name: &str, emit: &mut dyn FnMut(&str, Kind)) {
    // What every callable name of a server begins with says nothing.
    let folded = fold(if is_prefixed(name) { &name[5..] } else { name });
    if folded.contains(is_unspaced) {
        return words(&folded, emit);
    }
    split(&folded, true, emit);
}

/// A word of prose.
pub(super) fn prose_word(word: &str, emit: &mut dyn FnMut(&str, Kind)) {
    if word.len() <= MAX_WORD && word.bytes().all(|b| b.is_ascii_lowercase()) {
        return emit(word, Kind::Part);
    }
    let word = if is_prefixed(word) { &word[5..] } else { word };
    // `GitHub`, `YouTube` and `OAuth` are words of prose, `createIssue` is an identifier in it.
    let camel = !word.starts_with(char::is_uppercase);
    split(word, camel, emit);
}

/// What is longer, in bytes, is data and no identifier.
const MAX_IDENTIFIER: usize = 512;

/// Splits at everything that is no letter or digit, and with `camel` at case changes too.
fn split(name: &str, camel: bool, emit: &mut dyn FnMut(&str, Kind)) {
    if name.len() > MAX_IDENTIFIER {
        return;
    }
    let mut joined = String::new();
    let mut buffer = String::new();
    let mut parts = 0;
    let mut after_apostrophe = false;
    for segment in name.split_inclusive(|c: char| !is_letter(c)) {
        let text = segment.trim_end_matches(|c: char| !is_letter(c));
        // The tails of `project's`, `don't`, `we're` match nothing.
        let tail = after_apostrophe && matches!(text, "s" | "t" | "d" | "m" | "re" | "ll" | "ve" | "S");
        after_apostrophe = segment.ends_with(['\'', '’']);
        if text.is_empty() || tail {
            continue;
        }
        let chars: Vec<(usize, char)> = text.char_indices().collect();
        let mut rest = &chars[..];
        while let Some(&(start, _)) = rest.first() {
            rest = &rest[if camel { hump(rest) } else { rest.len() }..];
            let piece = &text[start..rest.first().map_or(text.len(), |&(end, _)| end)];
            parts += part(piece, &mut buffer, emit);
            joined.push_str(piece);
        }
    }
    if parts > 1 && joined.len() <= MAX_WORD {
        lower(&joined, &mut buffer);
        emit(&buffer, Kind::Whole);
    }
}

/// Emits one part; between letters and digits it falls apart once more (`oauth2` = oauth, 2 and oauth2), unless a single
/// letter would be left (`s3`, `v2`, `k8s`).
fn part(text: &str, buffer: &mut String, emit: &mut dyn FnMut(&str, Kind)) -> usize {
    if text.len() > MAX_WORD {
        return 0;
    }
    lower(text, buffer);
    let digits = buffer.find(|c: char| c.is_ascii_digit());
    if let Some(at) = digits
        && at > 1
        && buffer[at..].bytes().all(|b| b.is_ascii_digit())
    {
        emit(&buffer[..at], Kind::Part);
        emit(&buffer[at..], Kind::Part);
        emit(buffer, Kind::Whole);
    } else {
        emit(buffer, Kind::Part);
    }
    1
}

/// How many characters the first camel-case hump has: an acronym (with a plural `s`) stays whole, digits stay with what
/// they follow.
fn hump(chars: &[(usize, char)]) -> usize {
    let at = |i: usize| chars.get(i).map(|&(_, c)| c);
    let upper = |i: usize| at(i).is_some_and(char::is_uppercase);
    let lower = |i: usize| at(i).is_some_and(|c| c.is_alphabetic() && !c.is_uppercase());
    let mut i = 0;
    while upper(i) {
        i += 1;
    }
    if i > 1 && lower(i) {
        let plural = at(i) == Some('s') && !lower(i + 1);
        // The last capital of a run begins the next word, unless it is an acronym's plural.
        i = if plural { i + 1 } else { i - 1 };
    } else {
        while at(i).is_some() && !upper(i) {
            i += 1;
        }
    }
    while at(i).is_some_and(|c| c.is_ascii_digit()) {
        i += 1;
    }
    i.max(1)
}
