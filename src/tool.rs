//! One tool: its definition in the shape of MCP `tools/list`, whichever shape it came in.

use crate::error::{Error, ErrorCode, Result};
use crate::json::{self, Compactor, Malformed, Reader, member, quoted, text_of, unescape};
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
        part(self.definition(), &self.parts[DESCRIPTION]).and_then(text_of)
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

/// Part of a text that many parts share, such as the definitions of one addition.
#[derive(Clone)]
pub(crate) struct Slice {
    whole: Arc<Whole>,
    start: u32,
    end: u32,
}

/// Such a text.
pub(crate) enum Whole {
    Text(String),
    /// That of a snapshot is megabytes of which most are never read: a part is held to be text when it is, and nothing where somebody
    /// forged it.
    Bytes(Vec<u8>),
}

impl Slice {
    pub(crate) fn new(whole: &Arc<Whole>, range: &Range<usize>) -> Self {
        Self { whole: Arc::clone(whole), start: range.start as u32, end: range.end as u32 }
    }

    /// Its length in bytes, told without a look at the text.
    pub(crate) fn bytes(&self) -> usize {
        self.end.saturating_sub(self.start) as usize
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
        let range = self.start as usize..self.end as usize;
        let part = match &*self.whole {
            Whole::Text(text) => text.get(range),
            Whole::Bytes(bytes) => bytes.get(range).and_then(|part| std::str::from_utf8(part).ok()),
        };
        part.unwrap_or_default()
    }
}

/// Where the values of a definition's fields stand in its text, start and end in bytes; an empty one is not there.
pub(crate) type Parts = [[u32; 2]; 6];

/// The fields of definitions. The first are those of [`Parts`], in their order: what one of MCP shape has beside its name.
const FIELDS: [&str; 11] = [
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "_meta",
    "name",
    // Anthropic's name of the schema.
    "input_schema",
    // OpenAI's: `{type: "function", parameters}`, flat or within `function`.
    "type",
    "function",
    "parameters",
];

const DESCRIPTION: usize = 1;
const INPUT_SCHEMA: usize = 2;
const OUTPUT_SCHEMA: usize = 3;
const ANNOTATIONS: usize = 4;
const META: usize = 5;
const NAME: usize = 6;
const ANTHROPIC_SCHEMA: usize = 7;
const KIND: usize = 8;
const FUNCTION: usize = 9;
const PARAMETERS: usize = 10;

fn part<'a>(definition: &'a str, &[start, end]: &[u32; 2]) -> Option<&'a str> {
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
        let given = json::compact_with(json, batch, &mut Given::take)
            .map_err(|e| unusable(json, place, &format!("is no tool definition: {e}")))?;
        let (mut parsed, converted) = Self::of(given, batch, place, max_bytes)?;
        if let Some(text) = converted {
            batch.truncate(parsed.definition.start);
            parsed.put(&text, batch);
        }
        Ok(parsed)
    }

    /// Has its text stand at the end of `batch`.
    pub(crate) fn put(&mut self, text: &str, batch: &mut String) {
        self.definition = batch.len()..batch.len() + text.len();
        batch.push_str(text);
    }

    /// Reads one of those that stand in `all`, and gives its text where that must be another.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn of(given: Given, all: &str, place: usize, max_bytes: usize) -> Result<(Self, Option<String>)> {
        let text = &all[given.place.clone()];
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
        if given.depth > MAX_DEPTH {
            return bad(&format!("has over {MAX_DEPTH} lists and objects within one another"));
        }
        if !text.starts_with('{') {
            return bad("is no tool definition: it is not an object");
        }
        let fields = Fields { text, spans: given.spans };
        let (fields, converted) = match fields.into_mcp() {
            Ok(fields) => fields,
            Err(what) => return bad(what),
        };
        let Some(name) = fields.of(NAME).and_then(text_of).filter(|name| !name.trim().is_empty()) else {
            return bad("has no name");
        };
        if name.chars().count() > MAX_NAME {
            return bad(&format!("has a name of over {MAX_NAME} characters"));
        }
        for field in [INPUT_SCHEMA, OUTPUT_SCHEMA] {
            if fields.of(field).is_some_and(|schema| !schema.starts_with(['{', 't', 'f'])) {
                return bad(&format!("has an {} that is neither an object nor a boolean", FIELDS[field]));
            }
        }
        let flags = [(ANNOTATIONS, "alwaysLoad"), (META, "anthropic/alwaysLoad")];
        let always_load =
            flags.iter().any(|&(field, key)| fields.of(field).and_then(|object| member(object, key)) == Some("true"));
        let (text, parts) = if converted {
            let (text, parts) = fields.to_json();
            (Some(text), parts)
        } else {
            (None, std::array::from_fn(|field| fields.spans[field]))
        };
        Ok((Self { name: name.into_owned(), definition: given.place, parts, always_load, converted }, text))
    }
}

fn unusable(json: &str, place: usize, what: &str) -> Error {
    Error::new(ErrorCode::InvalidTool, format!("{} {what}", describe(json, place))).at(place)
}

/// "tool 3 (`create_issue`)", as far as it can be told.
fn describe(json: &str, place: usize) -> String {
    let fields = Fields::read(json);
    let inner = Fields::read(fields.of(FUNCTION).unwrap_or_default());
    let name = fields.of(NAME).or(inner.of(NAME)).and_then(text_of);
    match name {
        Some(name) if !name.is_empty() => format!("tool {place} ({})", quoted(&crate::safe::inline(&name, 64))),
        _ => format!("tool {place}"),
    }
}

/// A definition as given, in the text of its addition.
#[derive(Debug)]
pub(crate) struct Given {
    pub place: Range<usize>,
    /// How deep it is, in lists and objects within one another.
    pub depth: usize,
    spans: Spans,
}

impl Given {
    /// Takes a definition, which is any value.
    pub(crate) fn take(compactor: &mut Compactor<'_>) -> std::result::Result<Self, Malformed> {
        let mut spans = Spans::default();
        let is_object = compactor.peek() == b'{';
        let start = compactor.place();
        let depth = if is_object {
            compactor.object(&mut |compactor, key| {
                compactor.peek();
                let from = compactor.place() - start;
                let depth = compactor.value()?;
                note(&mut spans, &unescape(key), from..compactor.place() - start);
                Ok(depth)
            })?
        } else {
            compactor.value()?
        };
        Ok(Self { place: start..compactor.place(), depth, spans })
    }
}

/// Where the values of [`FIELDS`] stand in the text of a definition, as [`Parts`] has them.
type Spans = [[u32; 2]; FIELDS.len()];

fn note(spans: &mut Spans, key: &str, value: Range<usize>) {
    if let Some(field) = FIELDS.iter().position(|field| *field == key) {
        spans[field] = [value.start as u32, value.end as u32];
    }
}

/// A definition with the values of its fields, as JSON text until somebody wants them.
struct Fields<'a> {
    text: &'a str,
    spans: Spans,
}

impl<'a> Fields<'a> {
    /// Of what is no object there are none.
    fn read(text: &'a str) -> Self {
        let mut spans = Spans::default();
        let mut reader = Reader::new(text);
        if reader.enter(b'{') {
            while let Some(key) = reader.key() {
                let from = reader.at();
                reader.skip();
                note(&mut spans, &key.text(), from..reader.at());
            }
        }
        Self { text, spans }
    }

    fn of(&self, field: usize) -> Option<&'a str> {
        part(self.text, &self.spans[field])
    }

    /// The same as MCP has it, and whether it is not what was given.
    fn into_mcp(mut self) -> std::result::Result<(Self, bool), &'static str> {
        if self.of(KIND).and_then(text_of).as_deref() == Some("function") {
            let mut inner = match self.of(FUNCTION) {
                Some(function) if !function.starts_with('{') => return Err("has a `function` that is no object"),
                Some(function) => Self::read(function),
                None => self,
            };
            // OpenAI has `null` for a function without parameters.
            if inner.of(PARAMETERS).is_some_and(|parameters| parameters != "null") {
                inner.spans[INPUT_SCHEMA] = inner.spans[PARAMETERS];
            }
            return Ok((inner, true));
        }
        let converted = self.of(INPUT_SCHEMA).is_none() && self.of(ANTHROPIC_SCHEMA).is_some();
        if converted {
            self.spans[INPUT_SCHEMA] = self.spans[ANTHROPIC_SCHEMA];
        }
        Ok((self, converted))
    }

    fn to_json(&self) -> (String, Parts) {
        let mut parts = Parts::default();
        let mut out = String::from("{\"name\":");
        out.push_str(self.of(NAME).unwrap_or("\"\""));
        for (field, part) in parts.iter_mut().enumerate() {
            let Some(value) = self.of(field) else { continue };
            out.push(',');
            json::quote(FIELDS[field], &mut out);
            out.push(':');
            let start = out.len();
            out.push_str(value);
            *part = [start as u32, out.len() as u32];
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
            std::array::from_fn(|field| part(definition, &parts[field]));
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
