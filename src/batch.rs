//! Definitions on their way into the catalog.

use crate::error::{Error, ErrorCode, Result};
use crate::json::{self, Compactor, Malformed, unescape};
use crate::tool::{Given, Parsed};
use std::ops::Range;

/// Definitions that were read, with their text.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub text: String,
    pub tools: Vec<Parsed>,
}

/// The most bytes of one addition: places in its text are told in 32 bits.
const MAX_BATCH: u64 = u32::MAX as u64;

impl Batch {
    /// Reads one more definition.
    ///
    /// # Errors
    /// `invalid_tool`, and `limit_exceeded` for one of more than `max_bytes` and where there is no room.
    pub(crate) fn push(&mut self, json: &str, max_bytes: usize) -> Result<()> {
        self.make_room(json.len())?;
        self.tools.push(Parsed::read(json, &mut self.text, self.tools.len(), max_bytes)?);
        Ok(())
    }

    /// Reads a list of more definitions.
    ///
    /// # Errors
    /// As [`push`](Self::push), and `invalid_json`.
    pub(crate) fn extend(&mut self, list: &str, max_bytes: usize) -> Result<()> {
        self.make_room(list.len())?;
        let (start, first) = (self.text.len(), self.tools.len());
        let mut is_other = false;
        for given in read_list(list, &mut self.text)? {
            let (mut parsed, converted) = Parsed::of(given, &self.text, self.tools.len(), max_bytes)?;
            if let Some(text) = converted {
                parsed.put(&text, &mut self.text);
                is_other = true;
            }
            self.tools.push(parsed);
        }
        // The text of the list is kept as it is, unless much of it may be of no use.
        if is_other {
            let given = self.text.split_off(start);
            for parsed in &mut self.tools[first..] {
                let Range { start: from, end } = parsed.definition;
                parsed.put(&given[from - start..end - start], &mut self.text);
            }
        }
        Ok(())
    }

    /// All definitions of an addition, a list of any length.
    ///
    /// # Errors
    /// As [`extend`](Self::extend).
    pub(crate) fn of_list(json: &str, max_bytes: usize) -> Result<Self> {
        let mut batch = Self::default();
        batch.extend(json.strip_prefix('\u{FEFF}').unwrap_or(json), max_bytes)?;
        Ok(batch)
    }

    /// Makes room for the text of one more definition, or a list of them.
    ///
    /// # Errors
    /// `limit_exceeded` when there is none.
    fn make_room(&mut self, bytes: usize) -> Result<()> {
        let all = (self.text.len() as u64).saturating_add(bytes as u64);
        if all > MAX_BATCH || self.text.try_reserve(bytes).is_err() {
            let message = format!("{bytes} more bytes do not fit into memory; add fewer tools at once");
            return Err(Error::new(ErrorCode::LimitExceeded, message));
        }
        Ok(())
    }
}

/// Reads the definitions of a `tools/list` result, bare, within its JSON-RPC response, or of an array, into `out`.
///
/// # Errors
/// `invalid_json`.
fn read_list(json: &str, out: &mut String) -> Result<Vec<Given>> {
    // As JavaScript has it, of two keys alike the last one counts.
    let (mut list, mut has_result) = (None, false);
    let mut read = |compactor: &mut Compactor<'_>| match compactor.peek() {
        b'{' => compactor.object(&mut |compactor, key| match &*unescape(key) {
            "result" => {
                (list, has_result) = (None, true);
                if compactor.peek() != b'{' {
                    return definitions(compactor, &mut list);
                }
                compactor.object(&mut |compactor, key| match &*unescape(key) {
                    "tools" => definitions(compactor, &mut list),
                    _ => compactor.value(),
                })
            }
            "tools" if !has_result => definitions(compactor, &mut list),
            _ => compactor.value(),
        }),
        _ => definitions(compactor, &mut list),
    };
    json::compact_with(json, out, &mut read)
        .map_err(|e| Error::new(ErrorCode::InvalidJson, format!("this is not JSON: {e}")))?;
    list.ok_or_else(|| Error::new(ErrorCode::InvalidJson, "neither an array of tools nor an object with `tools`"))
}

/// What is in the list that is next, or nothing where it is none.
fn definitions(compactor: &mut Compactor<'_>, list: &mut Option<Vec<Given>>) -> std::result::Result<usize, Malformed> {
    *list = None;
    if compactor.peek() != b'[' {
        return compactor.value();
    }
    let mut all = Vec::new();
    let depth = compactor.list(&mut |compactor| {
        let given = Given::take(compactor)?;
        let depth = given.depth;
        all.push(given);
        Ok(depth)
    })?;
    *list = Some(all);
    Ok(depth)
}

#[cfg(test)]
mod tests {
    use super::{Batch, read_list};
    use crate::ErrorCode;

    #[test]
    fn a8_what_does_not_fit_is_an_error() {
        let mut batch = Batch { text: "[]".to_owned(), ..Batch::default() };
        for bytes in [usize::MAX, u32::MAX as usize - 1] {
            assert!(batch.make_room(bytes).is_err_and(|e| e.code() == ErrorCode::LimitExceeded), "{bytes}");
        }
        assert!(batch.make_room(100).is_ok() && batch.text.capacity() >= 102);
    }

    #[test]
    fn lists_in_every_wrapping() {
        let list = |json: &str| {
            let mut text = "before".to_owned();
            read_list(json, &mut text)
                .map(|list| list.iter().map(|given| &text[given.place.clone()]).collect::<String>())
        };
        for json in [
            r#"[{"name":"a"}]"#,
            r#"{"tools":[{"name":"a"}],"nextCursor":"x"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}]}}"#,
            r#" { "id" : {"tools":[]} , "r\u0065sult" : { "_meta" : {} , "\u0074ools" : [ {"name" : "a"} ] , "x":1 } } "#,
            r#"{"tools":[{"result":{"tools":5}}],"result":{"tools":[{"name":"b"}]},"result":[{"name":"a"}],"id":{"tools":5}}"#,
            r#"{"result":{"tools":{}},"tools":5,"result":{"tools":0,"tools":[{"name":"a"}]}}"#,
        ] {
            assert_eq!(list(json).unwrap(), r#"{"name":"a"}"#, "{json}");
        }
        for json in
            ["{}", "5", r#"{"tools":5}"#, r#"{"result":{}}"#, r#"{"result":{},"tools":[]}"#, r#"{"a":{"tools":[]}}"#]
        {
            assert!(list(json).is_err(), "{json}");
        }
    }
}
