//! One tool: its definition in the shape of MCP `tools/list`, whichever shape it came in.

use crate::error::{Error, ErrorCode, Result};
use crate::json::{self, Reader, member, quoted, text_of};
use crate::once::OnceLock;
use crate::tokens;
use std::borrow::Cow;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// The longest name a tool may have, in characters (rule A5).
const MAX_NAME: usize = 128;
/// How deep a definition may be, in lists and objects within one another: JavaScript's `JSON.stringify` gives up at some 4,000, so that
/// one deeper tool that was loaded would make every request fail.
const MAX_DEPTH: usize = 2_048;

/// How a tool is sent to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// Whole, with every request.
    Direct,
    /// By name only, until it is loaded.
    Deferred,
}

/// A tool of a catalog.
///
/// The definition is kept as compact JSON text, the only copy of it; everything else that is shown or searched is read
/// from there when it is needed.
#[derive(Debug)]
pub struct Tool {
    /// What stands for this tool as long as it stays in the catalog; removed and added again, it is another (rule F5).
    pub(crate) identity: u32,
    /// Which of the catalog's places for tools it has, as long as it is there.
    pub(crate) slot: u32,
    pub(crate) name: Arc<str>,
    pub(crate) raw_name: Arc<str>,
    pub(crate) server: Option<Arc<str>>,
    pub(crate) definition: Slice,
    pub(crate) parts: Parts,
    pub(crate) load: Load,
    /// Whether the addition that brought it wanted callable names to have the server's prefix.
    pub(crate) prefixed: bool,
    /// Its tokens by the built-in estimate, and exactly, each once somebody asked.
    pub(crate) estimated: OnceLock<u32>,
    pub(crate) counted: OnceLock<u32>,
}

impl Tool {
    /// What the model calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its server calls it.
    pub fn raw_name(&self) -> &str {
        &self.raw_name
    }

    /// The server it is of; `None` for a built-in tool of the agent.
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// Whether it is sent whole with every request or by name.
    pub fn load(&self) -> Load {
        self.load
    }

    /// Its definition as compact JSON in the shape of MCP, under the name it was added with; unknown fields are there.
    pub fn definition(&self) -> &str {
        &self.definition
    }

    /// Its description, when it has one.
    pub fn description(&self) -> Option<Cow<'_, str>> {
        part(self.definition(), &self.parts, DESCRIPTION).and_then(text_of)
    }

    /// What it costs as providers see it, in tokens, by the built-in estimate.
    pub(crate) fn estimate(&self) -> u32 {
        let measure = || tokens::estimate_tokens(&tokens::measured_text(self.name(), &self.view()));
        *self.estimated.get_or_init(measure)
    }

    pub(crate) fn view(&self) -> View<'_> {
        View::of(self.definition(), &self.parts)
    }
}

/// Part of a text that many parts share, such as the definitions of one addition. The text is bytes, since that of a snapshot is
/// megabytes of which most are never read: a part is held to be text when it is, and nothing where somebody forged it.
#[derive(Clone)]
pub(crate) struct Slice {
    whole: Arc<Vec<u8>>,
    start: u32,
    end: u32,
}

impl Slice {
    pub(crate) fn new(whole: &Arc<Vec<u8>>, range: &Range<usize>) -> Self {
        Self { whole: Arc::clone(whole), start: range.start as u32, end: range.end as u32 }
    }
}

/// The part alone: whoever prints a tool would be shown all others of its addition.
impl std::fmt::Debug for Slice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(&**self, f)
    }
}

impl Deref for Slice {
    type Target = str;

    fn deref(&self) -> &str {
        let bytes = self.whole.get(self.start as usize..self.end as usize).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// Where the values of a definition's fields stand in its text, start and end in bytes; an empty one is not there.
pub(crate) type Parts = [[u32; 2]; 6];

/// The fields of [`Parts`], in their order; what a definition of MCP shape has beside its name.
const FIELDS: [&str; 6] = ["title", "description", "inputSchema", "outputSchema", "annotations", "_meta"];

const DESCRIPTION: usize = 1;
const INPUT_SCHEMA: usize = 2;
const OUTPUT_SCHEMA: usize = 3;
const ANNOTATIONS: usize = 4;
const META: usize = 5;

fn part<'a>(definition: &'a str, parts: &Parts, field: usize) -> Option<&'a str> {
    let [start, end] = parts[field];
    definition.get(start as usize..end as usize).filter(|value| !value.is_empty())
}

/// A definition that was read and found usable, before it has a place in a catalog.
#[derive(Debug, Clone)]
pub(crate) struct Parsed {
    pub name: String,
    /// Where its text stands in the text of its addition.
    pub definition: Range<usize>,
    pub parts: Parts,
    pub always_load: bool,
    /// Whether the text is not what was given but the same in the shape of MCP.
    #[cfg_attr(not(any(feature = "bindings", test)), expect(dead_code, reason = "only JavaScript has what was given"))]
    pub converted: bool,
}

impl Parsed {
    /// Reads one definition, of MCP, OpenAI or Anthropic shape, and appends it to `batch`. `place` says which one it is, for
    /// messages.
    ///
    /// # Errors
    /// `invalid_tool`, and `limit_exceeded` for one of more than `max_bytes`.
    pub(crate) fn read(json: &str, batch: &mut String, place: usize, max_bytes: usize) -> Result<Self> {
        let start = batch.len();
        let depth =
            json::compact(json, batch).map_err(|e| unusable(json, place, &format!("is no tool definition: {e}")))?;
        Ok(Self::of(batch, start, place, max_bytes, depth)?.0)
    }

    /// The same for one that stands in `batch` already, as compact JSON from `start` on and at most so deep; also gives where it ends.
    pub(crate) fn of(
        batch: &mut String,
        start: usize,
        place: usize,
        max_bytes: usize,
        most_deep: usize,
    ) -> Result<(Self, usize)> {
        let mut reader = Reader::new(&batch[start..]);
        let given = Given::read(&mut reader);
        let end = start + reader.at();
        let text = &batch[start..end];
        let bad = |what: &str| Err(unusable(text, place, what));
        if text.len() > max_bytes {
            return Err(Error::new(
                ErrorCode::LimitExceeded,
                format!(
                    "{} is {} bytes; a definition may be {max_bytes} bytes (option `limits.definitionBytes`)",
                    describe(text, place),
                    text.len()
                ),
            )
            .at(place));
        }
        if most_deep > MAX_DEPTH && json::compact(text, &mut String::new()).is_ok_and(|depth| depth > MAX_DEPTH) {
            return bad(&format!("has over {MAX_DEPTH} lists and objects within one another"));
        }
        let Some(given) = given else { return bad("is no tool definition: it is not an object") };
        let given = match given.into_mcp() {
            Ok(given) => given,
            Err(what) => return bad(what),
        };
        let Some(name) = given.name.and_then(text_of).filter(|name| !name.trim().is_empty()) else {
            return bad("has no name");
        };
        if name.chars().count() > MAX_NAME {
            return bad(&format!("has a name of over {MAX_NAME} characters"));
        }
        for field in [INPUT_SCHEMA, OUTPUT_SCHEMA] {
            if given.fields[field].is_some_and(|schema| !schema.starts_with(['{', 't', 'f'])) {
                return bad(&format!("has an {} that is neither an object nor a boolean", FIELDS[field]));
            }
        }
        let flags = [(ANNOTATIONS, "alwaysLoad"), (META, "anthropic/alwaysLoad")];
        let always_load = flags
            .iter()
            .any(|&(field, key)| given.fields[field].and_then(|object| member(object, key)) == Some("true"));
        let (name, converted) = (name.into_owned(), given.converted);
        let mut definition = start..end;
        let parts = if converted {
            let (text, parts) = given.to_json();
            // What was given stands at the end of the batch, most of the time, and nobody asks for it again.
            if definition.end == batch.len() {
                batch.truncate(definition.start);
            }
            definition = batch.len()..batch.len() + text.len();
            batch.push_str(&text);
            parts
        } else {
            given.fields.map(|value| value.map_or([0; 2], |value| span(text, value)))
        };
        Ok((Self { name, definition, parts, always_load, converted }, end))
    }
}

/// Where a part of a text stands in it.
fn span(text: &str, part: &str) -> [u32; 2] {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    [start as u32, (start + part.len()) as u32]
}

fn unusable(json: &str, place: usize, what: &str) -> Error {
    Error::new(ErrorCode::InvalidTool, format!("{} {what}", describe(json, place))).at(place)
}

/// "tool 3 (`create_issue`)", as far as it can be told.
fn describe(json: &str, place: usize) -> String {
    let read = |json| Given::read(&mut Reader::new(json));
    let name = read(json).and_then(|given| {
        let inner = given.function.and_then(read);
        given.name.or(inner.and_then(|inner| inner.name)).and_then(text_of)
    });
    match name {
        Some(name) if !name.is_empty() => format!("tool {place} ({})", quoted(&crate::safe::inline(&name, 64))),
        _ => format!("tool {place}"),
    }
}

/// A definition as given: its values as JSON text, until somebody wants them.
#[derive(Default)]
struct Given<'a> {
    name: Option<&'a str>,
    /// In the order of [`FIELDS`].
    fields: [Option<&'a str>; 6],
    /// Anthropic's name of the schema.
    anthropic_schema: Option<&'a str>,
    /// OpenAI's: `{type: "function", parameters}`, flat or within `function`.
    kind: Option<&'a str>,
    function: Option<&'a str>,
    parameters: Option<&'a str>,
    converted: bool,
}

impl<'a> Given<'a> {
    /// Passes over a value; nothing of what is no object.
    fn read(reader: &mut Reader<'a>) -> Option<Self> {
        let mut given = Self::default();
        let is_object = reader.peek() == b'{';
        reader.members(&mut |key, value| {
            let field = match key {
                "name" => &mut given.name,
                "input_schema" => &mut given.anthropic_schema,
                "type" => &mut given.kind,
                "function" => &mut given.function,
                "parameters" => &mut given.parameters,
                _ => match FIELDS.iter().position(|field| *field == key) {
                    Some(field) => &mut given.fields[field],
                    None => return,
                },
            };
            *field = Some(value);
        });
        is_object.then_some(given)
    }

    /// The same as MCP has it.
    fn into_mcp(self) -> std::result::Result<Self, &'static str> {
        if self.kind.and_then(text_of).as_deref() == Some("function") {
            let mut inner = match self.function {
                Some(function) => Self::read(&mut Reader::new(function)).ok_or("has a `function` that is no object")?,
                None => self,
            };
            // OpenAI has `null` for a function without parameters.
            let parameters = inner.parameters.filter(|p| *p != "null");
            inner.fields[INPUT_SCHEMA] = parameters.or(inner.fields[INPUT_SCHEMA]);
            return Ok(Self { converted: true, ..inner });
        }
        let mut given = self;
        if let (None, Some(schema)) = (given.fields[INPUT_SCHEMA], given.anthropic_schema) {
            given.fields[INPUT_SCHEMA] = Some(schema);
            given.converted = true;
        }
        Ok(given)
    }

    fn to_json(&self) -> (String, Parts) {
        let mut parts = Parts::default();
        let mut out = String::from("{\"name\":");
        out.push_str(self.name.unwrap_or("\"\""));
        for (field, value) in self.fields.iter().enumerate() {
            let Some(value) = value else { continue };
            out.push(',');
            json::quote(FIELDS[field], &mut out);
            out.push(':');
            let start = out.len();
            out.push_str(value);
            parts[field] = [start as u32, out.len() as u32];
        }
        out.push('}');
        (out, parts)
    }
}

/// The parts of a definition that are shown, searched and sent.
pub(crate) struct View<'a> {
    pub title: Option<Cow<'a, str>>,
    pub description: Option<Cow<'a, str>>,
    pub input_schema: Option<&'a str>,
    pub output_schema: Option<&'a str>,
    /// `annotations.searchHint` and `_meta["anthropic/searchHint"]`: matched, never shown (rule A7).
    pub hints: [Option<Cow<'a, str>>; 2],
}

impl<'a> View<'a> {
    pub(crate) fn of(definition: &'a str, parts: &Parts) -> Self {
        let [title, description, input_schema, output_schema, annotations, meta] =
            std::array::from_fn(|field| part(definition, parts, field));
        Self {
            title: title.and_then(text_of),
            description: description.and_then(text_of),
            input_schema,
            output_schema,
            hints: [
                annotations.and_then(|object| member(object, "searchHint")).and_then(text_of),
                meta.and_then(|object| member(object, "anthropic/searchHint")).and_then(text_of),
            ],
        }
    }

    /// The input schema as providers want it: an object. No schema, an empty one and mere
    /// booleans take anything.
    pub(crate) fn object_schema(&self) -> &'a str {
        match self.input_schema {
            Some(schema) if schema.starts_with('{') && schema != "{}" => schema,
            _ => r#"{"type":"object","properties":{}}"#,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<(Parsed, String)> {
        let mut batch = String::new();
        let parsed = Parsed::read(json, &mut batch, 0, 1 << 20)?;
        let definition = batch[parsed.definition.clone()].to_owned();
        Ok((parsed, definition))
    }

    #[test]
    fn a5_unusable_tools_are_named() {
        for (json, part) in [
            ("{}", "no name"),
            ("null", "tool 0"),
            (r#"{"name":5}"#, "no name"),
            (r#"{"name":" "}"#, "no name"),
            (r#"{"name":"x","inputSchema":[]}"#, "tool 0 (\"x\") has an inputSchema"),
            (r#"{"name":"x","inputSchema":null}"#, "neither"),
            (r#"{"type":"function","function":{"name":"f","parameters":"p"}}"#, "(\"f\")"),
        ] {
            let error = read(json).unwrap_err();
            assert_eq!((error.code(), error.place()), (ErrorCode::InvalidTool, Some(0)), "{json}");
            assert!(error.message().contains(part), "{}", error.message());
        }
        assert_eq!(read(&format!(r#"{{"name":"{}"}}"#, "x".repeat(129))).unwrap_err().code(), ErrorCode::InvalidTool);
        assert!(read(&format!(r#"{{"name":"{}"}}"#, "é".repeat(128))).is_ok());
    }

    #[test]
    fn a5_odd_ones_are_ordinary() {
        for json in [
            r#"{"name":"__proto__","description":null}"#,
            r#"{"name":"🦀","description":5,"title":{},"annotations":null,"_meta":[]}"#,
            r#"{"name":"x","inputSchema":true,"outputSchema":false}"#,
            r#"{"name":"x","inputSchema":{"properties":{"__proto__":{},"constructor":{}}}}"#,
            r#"{"name":"x","description":"half \ud83e pair"}"#,
        ] {
            assert!(read(json).is_ok(), "{json}");
        }
    }

    #[test]
    fn a8_what_javascript_could_not_write_is_refused() {
        let of = |depth: usize| {
            format!(
                r#"{{"name":"deep","inputSchema":{}{}}}"#,
                r#"{"a":"#.repeat(depth),
                "[]".to_owned() + &"}".repeat(depth)
            )
        };
        assert!(read(&of(MAX_DEPTH - 2)).is_ok());
        let refused = read(&of(MAX_DEPTH - 1)).unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidTool);
        assert!(refused.message().contains("(\"deep\") has over 2048"), "{}", refused.message());
    }

    #[test]
    fn other_shapes_become_mcp() {
        let same = r#"{"name":"f","description":"d","inputSchema":{"type":"object"}}"#;
        for json in [
            r#"{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":true}}"#,
            r#"{"type":"function","name":"f","description":"d","parameters":{"type":"object"}}"#,
            r#"{"name":"f","description":"d","input_schema":{"type":"object"}}"#,
            r#"{"type":"\u0066unction","n\u0061me":"f","description":"d","param\u0065ters":{"type":"object"}}"#,
        ] {
            let (parsed, definition) = read(json).unwrap();
            assert!(parsed.converted);
            assert_eq!(definition, same);
        }
        assert!(!read(same).unwrap().0.converted);
    }

    #[test]
    fn a7_always_load_is_strict() {
        assert!(read(r#"{"name":"x","annotations":{"alwaysLoad":true}}"#).unwrap().0.always_load);
        assert!(read(r#"{"name":"x","_meta":{"anthropic/alwaysLoad":true}}"#).unwrap().0.always_load);
        assert!(!read(r#"{"name":"x","annotations":{"alwaysLoad":"true"}}"#).unwrap().0.always_load);
    }
}
