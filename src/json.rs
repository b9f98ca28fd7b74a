//! JSON text as text: quoting, compaction, and mending what other writers leave.

use std::borrow::Cow;

/// A string as JSON.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string is always JSON")
}

/// JSON without white space between its tokens; what stands in strings is untouched.
pub(crate) fn compact(json: &str) -> Cow<'_, str> {
    let mut in_string = false;
    let mut escaped = false;
    let mut keep = |b: u8| {
        if in_string {
            in_string = escaped || b != b'"';
            escaped = !escaped && b == b'\\';
            return true;
        }
        in_string = b == b'"';
        !matches!(b, b' ' | b'\n' | b'\r' | b'\t')
    };
    let Some(first) = json.bytes().position(|b| !keep(b)) else { return Cow::Borrowed(json) };
    let mut out = Vec::with_capacity(json.len());
    out.extend_from_slice(&json.as_bytes()[..first]);
    out.extend(json.as_bytes()[first + 1..].iter().copied().filter(|&b| keep(b)));
    Cow::Owned(String::from_utf8(out).expect("only ASCII bytes were left out"))
}

/// Escapes of half a surrogate pair, which JavaScript writes and JSON readers refuse, become U+FFFD.
pub(crate) fn mend_surrogates(json: &str) -> Cow<'_, str> {
    if !json.contains("\\u") {
        return Cow::Borrowed(json);
    }
    let bytes = json.as_bytes();
    let unit = |at: usize| -> Option<u32> {
        (bytes.get(at..at + 2) == Some(b"\\u"))
            .then(|| json.get(at + 2..at + 6).and_then(|hex| u32::from_str_radix(hex, 16).ok()))
            .flatten()
    };
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(next) = json[at..].find('\\').map(|n| n + at) {
        at = next;
        match unit(at) {
            Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                out.push_str(&json[copied..at]);
                out.push_str("\\ufffd");
                at += 6;
                copied = at;
            }
            // Over the escape: the backslash and one ASCII character, or a malformed one that the reader will refuse.
            _ => at = (at + 2).min(bytes.len()),
        }
        while !json.is_char_boundary(at) {
            at += 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    out.push_str(&json[copied..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compacts_outside_of_strings_only() {
        assert_eq!(compact("{ \"a b\\\" \" :\n [1, 2] }"), r#"{"a b\" ":[1,2]}"#);
        assert!(matches!(compact(r#"{"a":" "}"#), Cow::Borrowed(_)));
    }

    #[test]
    fn mends_half_pairs_only() {
        assert_eq!(
            mend_surrogates(r#""\ud83e\udd80 \ud83e x \udd80 \\ud83e""#),
            r#""\ud83e\udd80 \ufffd x \ufffd \\ud83e""#
        );
        assert!(matches!(mend_surrogates(r#""\n\\ü""#), Cow::Borrowed(_)));
        assert_eq!(mend_surrogates("\\"), "\\");
        assert_eq!(mend_surrogates("\\ü\\u"), "\\ü\\u");
    }
}
