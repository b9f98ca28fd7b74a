//! One tool: its definition in the shape of MCP `tools/list`, whichever shape it came in.

use crate::error::{Error, ErrorCode, Result};
use crate::json;
use crate::tokens;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// The longest name a tool may have, in characters (rule A5).
const MAX_NAME: usize = 128;

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
    /// What stands for this definition: another definition of the same tool has another.
    pub(crate) id: u32,
    /// What stands for this tool as long as it stays in the catalog; removed and added again, it is another (rule F5).
    pub(crate) identity: u32,
    pub(crate) name: Arc<str>,
    pub(crate) raw_name: Arc<str>,
    pub(crate) server: Option<Arc<str>>,
    pub(crate) definition: Arc<str>,
    pub(crate) load: Load,
    /// Whether the addition that brought it wanted callable names to have the server's prefix.
    pub(crate) prefixed: bool,
    /// Estimated, or counted exactly once somebody asked for it.
    pub(crate) tokens: u32,
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
        self.view().description
    }

    pub(crate) fn view(&self) -> View<'_> {
        View::of(&self.definition)
    }
}

/// A definition that was read and found usable, before it has a place in a catalog.
#[derive(Debug, Clone)]
pub(crate) struct Parsed {
    pub name: String,
    pub definition: Arc<str>,
    pub always_load: bool,
    /// Whether the text is not what was given but the same in the shape of MCP.
    #[cfg_attr(not(any(feature = "bindings", test)), expect(dead_code, reason = "only JavaScript has what was given"))]
    pub converted: bool,
    /// Over what the options of the addition say, when a snapshot knows better.
    pub load: Option<Load>,
    pub prefixed: Option<bool>,
}

impl Parsed {
    /// Reads one definition, of MCP, OpenAI or Anthropic shape. `place` says which one it is, for messages.
    ///
    /// # Errors
    /// `invalid_tool`, and `limit_exceeded` for one of more than `max_bytes`.
    pub(crate) fn read(json: &str, place: usize, max_bytes: usize) -> Result<Self> {
        let text = json::compact(json);
        if text.len() > max_bytes {
            return Err(Error::new(
                ErrorCode::LimitExceeded,
                format!(
                    "{} is {} bytes; a definition may be {max_bytes} bytes (option `limits.definitionBytes`)",
                    describe(&text, place),
                    text.len()
                ),
            )
            .at(place));
        }
        let text = json::mend_surrogates(&text);
        let bad =
            |what: &str| Error::new(ErrorCode::InvalidTool, format!("{} {what}", describe(&text, place))).at(place);
        let given = Given::read(&text).map_err(|e| bad(&format!("is no tool definition: {e}")))?;
        let (given, converted) = given.as_mcp(&bad)?;
        let name = given.name.and_then(string).ok_or_else(|| bad("has no name"))?;
        if name.trim().is_empty() {
            return Err(bad("has no name"));
        }
        if name.chars().count() > MAX_NAME {
            return Err(bad(&format!("has a name of over {MAX_NAME} characters")));
        }
        for (field, schema) in [("inputSchema", given.input_schema), ("outputSchema", given.output_schema)] {
            if schema.is_some_and(|s| !matches!(s.get().as_bytes()[0], b'{' | b't' | b'f')) {
                return Err(bad(&format!("has an {field} that is neither an object nor a boolean")));
            }
        }
        let always_load =
            [fields::<Annotations<'_>>(given.annotations).always_load, fields::<Meta<'_>>(given.meta).always_load]
                .iter()
                .any(|flag| flag.is_some_and(|raw| raw.get() == "true"));
        let name = name.into_owned();
        let definition = if converted { given.to_json() } else { text.as_ref().into() };
        Ok(Self { name, definition, always_load, converted, load: None, prefixed: None })
    }
}

/// "tool 3 (`create_issue`)", as far as it can be told.
fn describe(json: &str, place: usize) -> String {
    let name = Given::read(json).ok().and_then(|given| {
        let inner = given.function.and_then(|f| Given::read(f.get()).ok());
        given.name.or(inner.and_then(|i| i.name)).and_then(string)
    });
    match name {
        Some(name) if !name.is_empty() => format!("tool {place} ({:?})", crate::safe::inline(&name, 64)),
        _ => format!("tool {place}"),
    }
}

/// A definition as given; every field stays text until somebody wants it.
#[derive(Deserialize, Clone, Copy)]
struct Given<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    name: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    title: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    description: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "inputSchema")]
    input_schema: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "outputSchema")]
    output_schema: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    annotations: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "_meta")]
    meta: Option<&'a RawValue>,
    /// Anthropic's name of the schema.
    #[serde(borrow, default, deserialize_with = "present", rename = "input_schema")]
    anthropic_schema: Option<&'a RawValue>,
    /// OpenAI's: `{type: "function", parameters}`, flat or within `function`.
    #[serde(borrow, default, deserialize_with = "present", rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    function: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    parameters: Option<&'a RawValue>,
}

/// A field that is there, `null` included: serde's own `Option` takes `null` for an absent one.
fn present<'de, D: Deserializer<'de>>(reader: D) -> std::result::Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(reader).map(Some)
}

impl<'a> Given<'a> {
    fn read(json: &'a str) -> std::result::Result<Self, String> {
        if !json.starts_with('{') {
            return Err("it is not an object".to_owned());
        }
        serde_json::from_str(json).map_err(|e| e.to_string())
    }

    /// The same as MCP has it, and whether it was anything else.
    fn as_mcp(self, bad: &dyn Fn(&str) -> Error) -> Result<(Self, bool)> {
        if self.kind.and_then(string).as_deref() == Some("function") {
            let inner = match self.function {
                Some(function) => Given::read(function.get())
                    .map_err(|e| bad(&format!("has a `function` that is no definition: {e}")))?,
                None => self,
            };
            // OpenAI has `null` for a function without parameters.
            let parameters = inner.parameters.filter(|p| p.get() != "null");
            return Ok((Given { input_schema: parameters.or(inner.input_schema), ..inner }, true));
        }
        match (self.input_schema, self.anthropic_schema) {
            (None, Some(schema)) => Ok((Given { input_schema: Some(schema), ..self }, true)),
            _ => Ok((self, false)),
        }
    }

    fn to_json(self) -> Arc<str> {
        let mut out = String::from("{");
        let fields = [
            ("name", self.name),
            ("title", self.title),
            ("description", self.description),
            ("inputSchema", self.input_schema),
            ("outputSchema", self.output_schema),
            ("annotations", self.annotations),
            ("_meta", self.meta),
        ];
        for (key, value) in fields {
            let Some(value) = value else { continue };
            if out.len() > 1 {
                out.push(',');
            }
            out.push('"');
            out.push_str(key);
            out.push_str("\":");
            out.push_str(value.get());
        }
        out.push('}');
        out.into()
    }
}

#[derive(Deserialize, Default)]
struct Annotations<'a> {
    #[serde(borrow, default, deserialize_with = "present", rename = "alwaysLoad")]
    always_load: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "searchHint")]
    search_hint: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
struct Meta<'a> {
    #[serde(borrow, default, deserialize_with = "present", rename = "anthropic/alwaysLoad")]
    always_load: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present", rename = "anthropic/searchHint")]
    search_hint: Option<&'a RawValue>,
}

/// The fields of an optional object; of anything else, none.
fn fields<'a, T: Deserialize<'a> + Default>(raw: Option<&'a RawValue>) -> T {
    // serde would take an array for an object by position.
    raw.filter(|raw| raw.get().starts_with('{'))
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

/// The text of a JSON string; of anything else, none.
fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get();
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') { serde_json::from_str(text).ok().map(Cow::Owned) } else { Some(Cow::Borrowed(inner)) }
}

/// The parts of a definition that are shown, searched and sent.
pub(crate) struct View<'a> {
    pub title: Option<Cow<'a, str>>,
    pub description: Option<Cow<'a, str>>,
    pub input_schema: Option<&'a RawValue>,
    pub output_schema: Option<&'a RawValue>,
    /// `annotations.searchHint` and `_meta["anthropic/searchHint"]`: matched, never shown (rule A7).
    pub hints: [Option<Cow<'a, str>>; 2],
}

impl<'a> View<'a> {
    fn of(definition: &'a str) -> Self {
        let given = Given::read(definition).expect("it was read when it was added");
        Self {
            title: given.title.and_then(string),
            description: given.description.and_then(string),
            input_schema: given.input_schema,
            output_schema: given.output_schema,
            hints: [
                fields::<Annotations<'a>>(given.annotations).search_hint.and_then(string),
                fields::<Meta<'a>>(given.meta).search_hint.and_then(string),
            ],
        }
    }

    /// The input schema as providers want it: an object. No schema, an empty one and mere
    /// booleans take anything.
    pub(crate) fn object_schema(&self) -> &'a str {
        match self.input_schema.map(RawValue::get) {
            Some(schema) if schema.starts_with('{') && schema != "{}" => schema,
            _ => r#"{"type":"object","properties":{}}"#,
        }
    }
}

/// What a tool costs as providers see it, by the built-in estimate.
pub(crate) fn estimate(name: &str, definition: &str) -> u32 {
    tokens::estimate_tokens(&tokens::measured_text(name, &View::of(definition)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Parsed> {
        Parsed::read(json, 0, 1 << 20)
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
        assert!(
            read(&format!(
                r#"{{"name":"deep","inputSchema":{}{}}}"#,
                r#"{"items":"#.repeat(9_999),
                "{}".to_owned() + &"}".repeat(9_999)
            ))
            .is_ok()
        );
    }

    #[test]
    fn other_shapes_become_mcp() {
        let same = r#"{"name":"f","description":"d","inputSchema":{"type":"object"}}"#;
        for json in [
            r#"{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":true}}"#,
            r#"{"type":"function","name":"f","description":"d","parameters":{"type":"object"}}"#,
            r#"{"name":"f","description":"d","input_schema":{"type":"object"}}"#,
        ] {
            let parsed = read(json).unwrap();
            assert!(parsed.converted);
            assert_eq!(&*parsed.definition, same);
        }
        assert!(!read(same).unwrap().converted);
    }

    #[test]
    fn a7_always_load_is_strict() {
        assert!(read(r#"{"name":"x","annotations":{"alwaysLoad":true}}"#).unwrap().always_load);
        assert!(read(r#"{"name":"x","_meta":{"anthropic/alwaysLoad":true}}"#).unwrap().always_load);
        assert!(!read(r#"{"name":"x","annotations":{"alwaysLoad":"true"}}"#).unwrap().always_load);
    }
}
