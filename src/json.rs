//! JSON text: checked and made compact once, when it comes in; read without a check from then on.
//!
//! Definitions are read more often than they come in, and most of each is passed over. A reader that may trust its text is a few
//! lines and fast; a general one builds values, or checks the same text again for each part.

mod compact;

#[cfg(any(feature = "bindings", test))]
pub(crate) use compact::compact;
pub(crate) use compact::{Compactor, Malformed, compact_with};
use std::borrow::Cow;

/// The UTF-16 unit of an escape `\uXXXX`.
fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

/// How many bytes come before a quote, a backslash or a control character: eight at a time.
#[inline(always)]
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let has_zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let mut at = 0;
    for chunk in bytes.chunks_exact(8) {
        let word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        // With one bit turned round, a quote is the one byte that comes behind the control characters and before all others.
        let turned = word ^ (ONES * 0x02);
        let low = turned.wrapping_sub(ONES * 0x21) & !turned;
        // A borrow can mark a byte too many, but only behind the first that is rightly marked.
        let marks = (low | has_zero(word ^ (ONES * 0x5C))) & (ONES * 0x80);
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|b| !matches!(b, b'"' | b'\\' | 0..0x20)).count()
}

/// Reads compact JSON that was checked, front to back. Whatever else it is given it ends, with some answer or none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Where the next value begins, in bytes.
    pub(crate) fn at(&self) -> usize {
        self.at.min(self.text.len())
    }

    /// The first byte of the next value; 0 at the end.
    #[inline]
    pub(crate) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// Goes into the next value, if it begins with `open`.
    #[inline]
    pub(crate) fn enter(&mut self, open: u8) -> bool {
        let enters = self.peek() == open;
        self.at += usize::from(enters);
        enters
    }

    /// The next key of the object that was entered; its value is next. `None` is the end.
    pub(crate) fn key(&mut self) -> Option<Quoted<'a>> {
        self.at += usize::from(self.peek() == b',');
        if self.peek() != b'"' {
            self.at += 1;
            return None;
        }
        let key = self.string();
        self.at += 1;
        Some(key)
    }

    /// Whether there is a next value in the array that was entered.
    pub(crate) fn element(&mut self) -> bool {
        self.at += usize::from(self.peek() == b',');
        let ends = matches!(self.peek(), b']' | 0);
        self.at += usize::from(ends);
        !ends
    }

    /// Passes over the next value, and calls `visit` with every key and value of it if it is an object.
    pub(crate) fn members(&mut self, visit: &mut dyn FnMut(&str, &'a str)) {
        if !self.enter(b'{') {
            self.skip();
            return;
        }
        while let Some(key) = self.key() {
            visit(&key.text(), self.skip());
        }
    }

    /// Passes over a string.
    #[inline(always)]
    pub(crate) fn string(&mut self) -> Quoted<'a> {
        let start = self.at + 1;
        let (end, is_plain) = string_end(self.text.as_bytes(), self.at);
        self.at = end;
        Quoted { inner: self.text.get(start..end.saturating_sub(1)).unwrap_or_default(), is_plain }
    }

    /// Passes over a value and gives its text.
    pub(crate) fn skip(&mut self) -> &'a str {
        let (bytes, start) = (self.text.as_bytes(), self.at);
        let mut depth = 0;
        loop {
            match bytes.get(self.at) {
                None => break,
                Some(b'"') => self.at = string_end(bytes, self.at).0,
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                Some(b'}' | b']') => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b':') => {
                    self.at += 1;
                    continue;
                }
                Some(_) => {
                    let ends = |b: &u8| matches!(b, b',' | b'}' | b']');
                    self.at += 1 + bytes[self.at + 1..].iter().take_while(|b| !ends(b)).count();
                }
            }
            if depth <= 0 {
                break;
            }
        }
        self.text.get(start..self.at).unwrap_or_default()
    }
}

/// The end of a string, and whether there is no escape in it.
#[inline(always)]
fn string_end(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut at = start + 1;
    let mut is_plain = true;
    loop {
        at += plain(bytes.get(at..).unwrap_or_default());
        match bytes.get(at) {
            Some(b'"') => return (at + 1, is_plain),
            Some(b'\\') => {
                is_plain = false;
                at += 2;
            }
            Some(_) => at += 1,
            None => return (bytes.len(), is_plain),
        }
    }
}

/// A string as it stands in a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quoted<'a> {
    /// What is between its quotes.
    pub inner: &'a str,
    is_plain: bool,
}

impl<'a> Quoted<'a> {
    /// The text that it stands for.
    pub(crate) fn text(self) -> Cow<'a, str> {
        if self.is_plain { Cow::Borrowed(self.inner) } else { unescape(self.inner) }
    }
}

/// Calls `visit` with every key and value of a text that may be an object; of any other text there are none.
pub(crate) fn members<'a>(json: &'a str, visit: &mut dyn FnMut(&str, &'a str)) {
    Reader::new(json).members(visit);
}

/// The value of a key in a text that may be an object.
pub(crate) fn member<'a>(json: &'a str, wanted: &str) -> Option<&'a str> {
    let mut found = None;
    members(json, &mut |key, value| {
        if key == wanted {
            found = Some(value);
        }
    });
    found
}

/// The text that a JSON string stands for, given what is between its quotes.
pub(crate) fn unescape(inner: &str) -> Cow<'_, str> {
    // Of strings that were checked, only those with an escape are looked at twice.
    if plain(inner.as_bytes()) == inner.len() {
        return Cow::Borrowed(inner);
    }
    let Some(first) = inner.find('\\') else { return Cow::Borrowed(inner) };
    let mut out = String::with_capacity(inner.len());
    out.push_str(&inner[..first]);
    let mut rest = &inner[first..];
    while let Some(escape) = rest.strip_prefix('\\') {
        let mut length = 2;
        out.push(match escape.as_bytes().first() {
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let (high, low) = (unit(rest.as_bytes(), 0), unit(rest.as_bytes(), 6));
                length = 6;
                match (high, low) {
                    (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF)) => {
                        length = 12;
                        char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)).unwrap_or('\u{FFFD}')
                    }
                    (unit, _) => unit.and_then(char::from_u32).unwrap_or('\u{FFFD}'),
                }
            }
            Some(&other) if other.is_ascii() => char::from(other),
            _ => '\u{FFFD}',
        });
        rest = rest.get(length..).unwrap_or_default();
        let end = rest.find('\\').unwrap_or(rest.len());
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    Cow::Owned(out)
}

/// The text of a value that is a string; of any other, none.
pub(crate) fn text_of(value: &str) -> Option<Cow<'_, str>> {
    value.strip_prefix('"')?.strip_suffix('"').map(unescape)
}

/// Appends a text as a JSON string.
pub(crate) fn quote(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    loop {
        let end = plain(rest.as_bytes());
        out.push_str(&rest[..end]);
        let Some(&byte) = rest.as_bytes().get(end) else { break };
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b'\x08' => out.push_str("\\b"),
            b'\x0C' => out.push_str("\\f"),
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            _ => {
                out.push_str("\\u00");
                out.extend([byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0')));
            }
        }
        rest = &rest[end + 1..];
    }
    out.push('"');
}

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote(text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back() {
        for text in ["", "plain", "\"\\/\u{8}\u{c}\n\r\t\u{1}\u{1f}", "é🦀\u{2028}", "12345678\"12345678\\"] {
            assert_eq!(quoted(text), serde_json::to_string(text).unwrap());
            assert_eq!(text_of(&quoted(text)).unwrap(), text);
        }
        assert_eq!(unescape(r"\ud83e\udd80\u00E9\/\ud83e\q\"), "🦀é/\u{FFFD}q\u{FFFD}");
        assert_eq!(text_of("5"), None);
    }

    #[test]
    fn reads_in_order_and_always_ends() {
        let text = r#"{"a":[1,"x\"y",{"b":{}}],"c":"d","e":-1.5,"f":null}"#;
        let mut reader = Reader::new(text);
        let mut seen = Vec::new();
        assert!(reader.enter(b'{'));
        while let Some(key) = reader.key() {
            if key.inner == "a" && reader.enter(b'[') {
                while reader.element() {
                    seen.push(reader.skip());
                }
            } else {
                seen.push(reader.skip());
            }
        }
        assert_eq!(seen, ["1", r#""x\"y""#, r#"{"b":{}}"#, r#""d""#, "-1.5", "null"]);
        for end in 0..text.len() {
            let mut reader = Reader::new(&text[..end]);
            reader.enter(b'{');
            for _ in 0..100 {
                reader.key();
                reader.string();
                reader.skip();
                reader.element();
            }
        }
    }
}

#[cfg(test)]
mod agreement;
