//! Identifiers: `getURLsForHTMLPage` is get urls for html page (rule B2).

use super::script::{is_letter, is_unspaced};
use super::{Kind, MAX_WORD, fold, lower, words};
use crate::names::is_prefixed;

/// The words of a tool's, server's or parameter's name: its parts, and the whole of it joined.
pub(crate) fn name_words(name: &str, emit: &mut dyn FnMut(&str, Kind)) {
    // What every callable name of a server begins with says nothing.
    let folded = fold(if is_prefixed(name) { &name[5..] } else { name });
    if !folded.is_ascii() && folded.contains(is_unspaced) {
        return words(&folded, emit);
    }
    split(&folded, true, emit);
}

/// A word of prose that is not lower case, or has more than letters in it.
pub(super) fn prose_word(word: &str, emit: &mut dyn FnMut(&str, Kind)) {
    if word.len() <= MAX_WORD && word.bytes().all(|b| b.is_ascii_digit()) {
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
    let mut parts = 0;
    // Most names are, and need no look at characters.
    if name.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'_' | b'-' | b' ' | b'.' | b'/')) {
        for text in name.split(|c: char| !c.is_ascii_lowercase()).filter(|text| !text.is_empty()) {
            if text.len() <= MAX_WORD {
                emit(text, Kind::Part);
                parts += 1;
            }
        }
        let (mut joined, mut length) = ([0; MAX_WORD], 0);
        for letter in name.bytes().filter(u8::is_ascii_lowercase) {
            if let Some(place) = joined.get_mut(length) {
                *place = letter;
            }
            length += 1;
        }
        if parts > 1 && length <= MAX_WORD {
            emit(std::str::from_utf8(&joined[..length]).unwrap_or_default(), Kind::Whole);
        }
        return;
    }
    let mut joined = String::with_capacity(name.len());
    let mut buffer = String::new();
    let mut after_apostrophe = false;
    for segment in name.split_inclusive(|c: char| !is_letter(c)) {
        let text = segment.trim_end_matches(|c: char| !is_letter(c));
        // The tails of `project's`, `don't`, `we're` match nothing.
        let tail = after_apostrophe && matches!(text, "s" | "t" | "d" | "m" | "re" | "ll" | "ve" | "S");
        after_apostrophe = segment.ends_with(['\'', '’']);
        if text.is_empty() || tail {
            continue;
        }
        let mut start = 0;
        while start < text.len() {
            let end = start + if camel { hump(&text[start..]) } else { text.len() };
            parts += part(&text[start..end], &mut buffer, emit);
            joined.push_str(&text[start..end]);
            start = end;
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

/// The length in bytes of the first camel-case hump: an acronym (with a plural `s`) stays whole, digits stay with what
/// they follow.
fn hump(text: &str) -> usize {
    let capitals = text.find(|c: char| !c.is_uppercase()).unwrap_or(text.len());
    let rest = &text[capitals..];
    let mut chars = rest.chars();
    let is_lower = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && !c.is_uppercase());
    let last = text[..capitals].char_indices().next_back().map_or(0, |(at, _)| at);
    let next = chars.next();
    let end = if last > 0 && is_lower(next) {
        // The last capital of a run begins the next word, unless it is an acronym's plural.
        if next == Some('s') && !is_lower(chars.next()) { capitals + 1 } else { last }
    } else {
        capitals + rest.find(char::is_uppercase).unwrap_or(rest.len())
    };
    end + text[end..].bytes().take_while(u8::is_ascii_digit).count()
}
