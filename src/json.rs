//! JSON text: checked and made compact once, when it comes in; read without a check from then on.
//!
//! Definitions are read more often than they come in, and most of each is passed over. A reader that may trust its text is a few
//! lines and fast; a general one builds values, or checks the same text again for each part.

use std::borrow::Cow;

/// Why a text is no JSON, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed {
    what: &'static str,
    at: usize,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at)
    }
}

/// Appends a JSON text to `out` without the white space between its tokens. Escapes of half a surrogate pair, which JavaScript
/// writes and readers of UTF-8 cannot take, become U+FFFD. Depth is bounded by memory alone; gives how deep it is, in lists and objects
/// within one another.
///
/// # Errors
/// What [`Malformed`] says; `out` then ends in part of the text.
#[cfg(any(feature = "bindings", test))]
pub(crate) fn compact(json: &str, out: &mut String) -> Result<usize, Malformed> {
    compact_with(json, out, &mut |compactor| compactor.value())
}

/// The same by `read`, which takes the value that the text is, and may note where parts of it come to stand.
pub(crate) fn compact_with<T>(
    json: &str,
    out: &mut String,
    read: &mut dyn FnMut(&mut Compactor<'_>) -> Result<T, Malformed>,
) -> Result<T, Malformed> {
    let mut compactor = Compactor { json, at: 0, copied: 0, out };
    let given = read(&mut compactor)?;
    compactor.peek();
    if compactor.at < json.len() {
        return compactor.unexpected();
    }
    compactor.out.push_str(&json[compactor.copied..]);
    Ok(given)
}

/// Checks a JSON text and makes it compact, value by value.
pub(crate) struct Compactor<'a> {
    json: &'a str,
    at: usize,
    /// What comes before stands in `out`.
    copied: usize,
    out: &'a mut String,
}

impl<'a> Compactor<'a> {
    /// Where in `out` comes to stand what is next.
    pub(crate) fn place(&self) -> usize {
        self.out.len() + self.at - self.copied
    }

    /// The first byte of the next token; 0 at the end.
    #[inline(always)]
    pub(crate) fn peek(&mut self) -> u8 {
        loop {
            match self.json.as_bytes().get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.leave_out(),
                next => return next.copied().unwrap_or_default(),
            }
        }
    }

    fn leave_out(&mut self) {
        self.out.push_str(&self.json[self.copied..self.at]);
        self.at += 1;
        self.copied = self.at;
    }

    fn unexpected<T>(&self) -> Result<T, Malformed> {
        let what = if self.at < self.json.len() { "an unexpected character" } else { "the text ends too early" };
        Err(Malformed { what, at: self.at })
    }

    /// Takes the next token, which must be this byte.
    #[inline(always)]
    fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.peek() != byte {
            return self.unexpected();
        }
        self.at += 1;
        Ok(())
    }

    /// Whether a container goes on that `close` ends; takes what says so.
    fn goes_on(&mut self, is_first: bool, close: u8) -> Result<bool, Malformed> {
        let next = self.peek();
        if is_first && next != close {
            return Ok(true);
        }
        self.expect(if next == close { close } else { b',' })?;
        Ok(next != close)
    }

    /// Takes the next key with its colon, and gives where it ends.
    fn key(&mut self) -> Result<usize, Malformed> {
        if self.peek() != b'"' {
            return self.unexpected();
        }
        self.string()?;
        let end = self.at;
        self.expect(b':')?;
        Ok(end)
    }

    /// The object that is next: `read` gets each key as it stands between its quotes, and takes the value. Gives how deep it is, by
    /// what `read` gives of the values.
    pub(crate) fn object(
        &mut self,
        read: &mut dyn FnMut(&mut Self, &'a str) -> Result<usize, Malformed>,
    ) -> Result<usize, Malformed> {
        self.expect(b'{')?;
        let (mut depth, mut is_first) = (0, true);
        while self.goes_on(is_first, b'}')? {
            self.peek();
            let start = self.at + 1;
            let end = self.key()? - 1;
            depth = depth.max(read(self, &self.json[start..end])?);
            is_first = false;
        }
        Ok(depth + 1)
    }

    /// The list that is next, the same way.
    pub(crate) fn list(
        &mut self,
        read: &mut dyn FnMut(&mut Self) -> Result<usize, Malformed>,
    ) -> Result<usize, Malformed> {
        self.expect(b'[')?;
        let (mut depth, mut is_first) = (0, true);
        while self.goes_on(is_first, b']')? {
            depth = depth.max(read(self)?);
            is_first = false;
        }
        Ok(depth + 1)
    }

    /// Any value, with all that is in it. Gives how deep it is.
    pub(crate) fn value(&mut self) -> Result<usize, Malformed> {
        // Whether each container around is an object.
        let mut around: Vec<bool> = Vec::new();
        let mut depth = 0;
        loop {
            let byte = self.peek();
            let mut is_first = false;
            match byte {
                b'{' | b'[' => {
                    around.push(byte == b'{');
                    depth = depth.max(around.len());
                    self.at += 1;
                    is_first = true;
                }
                b'"' => self.string()?,
                b't' | b'f' | b'n' => {
                    let rest = &self.json[self.at..];
                    let word = ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word));
                    let Some(word) = word else { return Err(Malformed { what: "an unexpected word", at: self.at }) };
                    self.at += word.len();
                }
                b'-' | b'0'..=b'9' => self.at = checked_number(self.json.as_bytes(), self.at)?,
                _ => return self.unexpected(),
            }
            // Either what is around goes on, or it ends, too.
            loop {
                let Some(&is_object) = around.last() else { return Ok(depth) };
                let next = self.peek();
                if next == if is_object { b'}' } else { b']' } {
                    self.at += 1;
                    around.pop();
                    is_first = false;
                    continue;
                }
                if !is_first {
                    self.expect(b',')?;
                }
                if is_object {
                    self.key()?;
                }
                break;
            }
        }
    }

    /// Passes over a string.
    fn string(&mut self) -> Result<(), Malformed> {
        let bytes = self.json.as_bytes();
        let wrong = |what, at| Err(Malformed { what, at });
        let mut at = self.at + 1;
        loop {
            at += plain(&bytes[at..]);
            match bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Ok(());
                }
                Some(b'\\') => {}
                Some(_) => return wrong("a control character in a string", at),
                None => return wrong("a string without an end", self.at),
            }
            match bytes.get(at + 1) {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                Some(b'u') => match (unit(bytes, at), unit(bytes, at + 6)) {
                    (None, _) => return wrong("an escape that is none", at),
                    (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at += 12,
                    (Some(0xD800..=0xDFFF), _) => {
                        self.out.push_str(&self.json[self.copied..at]);
                        self.out.push_str("\\ufffd");
                        at += 6;
                        self.copied = at;
                    }
                    _ => at += 6,
                },
                _ => return wrong("an escape that is none", at),
            }
        }
    }
}

/// The UTF-16 unit of an escape `\uXXXX`.
fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

fn checked_number(bytes: &[u8], start: usize) -> Result<usize, Malformed> {
    let digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = start + usize::from(bytes[start] == b'-');
    let mut whole = bytes.get(at) == Some(&b'0');
    let mut end = if whole { at + 1 } else { digits(at) };
    whole |= end > at;
    if bytes.get(end) == Some(&b'.') {
        at = end + 1;
        end = digits(at);
        whole &= end > at;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        at = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = digits(at.min(bytes.len()));
        whole &= end > at;
    }
    if whole { Ok(end) } else { Err(Malformed { what: "a number that is none", at: start }) }
}

/// How many bytes come before a quote, a backslash or a control character: eight at a time.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let has_zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let mut at = 0;
    for chunk in bytes.chunks_exact(8) {
        let word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        // A borrow can mark a byte too many, but only behind the first that is rightly marked.
        let marks = (has_zero(word ^ (ONES * 0x22)) | has_zero(word ^ (ONES * 0x5C)) | control) & (ONES * 0x80);
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

    fn compacted(json: &str) -> Result<String, Malformed> {
        let mut out = String::new();
        compact(json, &mut out).map(|_| out)
    }

    #[test]
    fn compacts_outside_of_strings_only() {
        assert_eq!(
            compacted("{ \"a b\\\" \" :\n [1, 2.5e-3 ,{}, [ ] ] }\t").unwrap(),
            r#"{"a b\" ":[1,2.5e-3,{},[]]}"#
        );
        assert_eq!(compacted(" true").unwrap(), "true");
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(compacted(&deep).unwrap(), deep);
    }

    #[test]
    fn takes_what_serde_json_takes() {
        let texts = [
            "",
            " ",
            "{",
            "}",
            "[",
            "]",
            "[}",
            "{]",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\":1}}",
            "1 2",
            "01",
            "-",
            "-0",
            "1.",
            "1.5",
            ".5",
            "1e",
            "1e+",
            "1E-7",
            "+1",
            "tru",
            "true",
            "nulll",
            "\"",
            "\"\\\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u00e9\"",
            "\"\u{1}\"",
            "\"\n\"",
            "[1,[2,{\"a\":null}]]",
            "[\"é🦀\"]",
            "\u{FEFF}1",
            "[1,2,3,4,5,6,7,8,\"12345678\u{1f}\"]",
            "{\"a\":1 \"b\":2}",
            "{\"a\" 1}",
            "[:1]",
            "nan",
            "\"\\",
        ];
        for text in texts {
            let theirs = serde_json::from_str::<serde_json::Value>(text);
            assert_eq!(compacted(text).is_ok(), theirs.is_ok(), "{text:?}");
        }
    }

    #[test]
    fn mends_half_pairs_only() {
        let mended = compacted(r#""\ud83e\udd80 \ud83e x \udd80 \\ud83e""#).unwrap();
        assert_eq!(mended, r#""\ud83e\udd80 \ufffd x \ufffd \\ud83e""#);
    }

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
