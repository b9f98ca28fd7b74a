//! JSON text checked and made compact, when it comes in.

use super::{plain, unit};

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
    #[inline(always)]
    fn string(&mut self) -> Result<(), Malformed> {
        let at = self.at + 1 + plain(&self.json.as_bytes()[self.at + 1..]);
        if self.json.as_bytes().get(at) == Some(&b'"') {
            self.at = at + 1;
            return Ok(());
        }
        self.string_from(at)
    }

    /// The same from one place of it on.
    fn string_from(&mut self, mut at: usize) -> Result<(), Malformed> {
        let bytes = self.json.as_bytes();
        let wrong = |what, at| Err(Malformed { what, at });
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
}
