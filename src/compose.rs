//! Definitions as each provider's API takes them.

use crate::json::quoted;
use crate::tool::Tool;

/// A wire format of a tools array. In every one of them one element is one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// `{name, description, inputSchema, …}`, everything that was added, under the callable name.
    Mcp,
    /// `{type: "function", function: {name, description, parameters}}` of Chat Completions.
    OpenaiChat,
    /// `{type: "function", name, description, parameters, strict: false}` of the Responses API.
    OpenaiResponses,
    /// `{name, description, input_schema}` of the Messages API.
    Anthropic,
    /// `{name, description, parametersJsonSchema}`: what stands in `functionDeclarations`.
    Gemini,
}

impl Format {
    /// Every format there is.
    pub const ALL: [Self; 5] = [Self::Mcp, Self::OpenaiChat, Self::OpenaiResponses, Self::Anthropic, Self::Gemini];
}

/// One definition in a format, as compact JSON. Schemas are the bytes that came in.
pub(crate) fn definition(tool: &Tool, format: Format) -> String {
    let view = tool.view();
    if format == Format::Mcp {
        return renamed(tool);
    }
    let description = view.description.as_deref().filter(|d| !d.is_empty());
    let description = description.map(|d| format!("\"description\":{},", quoted(d))).unwrap_or_default();
    let name = quoted(tool.name());
    let schema = view.object_schema();
    wire(format, &name, &description, schema)
}

fn wire(format: Format, name: &str, description: &str, schema: &str) -> String {
    match format {
        Format::Mcp => format!("{{\"name\":{name},{description}\"inputSchema\":{schema}}}"),
        Format::OpenaiChat => {
            format!("{{\"type\":\"function\",\"function\":{{\"name\":{name},{description}\"parameters\":{schema}}}}}")
        }
        // The API makes functions strict when nothing is said, and few servers' schemas are.
        Format::OpenaiResponses => {
            format!("{{\"type\":\"function\",\"name\":{name},{description}\"parameters\":{schema},\"strict\":false}}")
        }
        Format::Anthropic => format!("{{\"name\":{name},{description}\"input_schema\":{schema}}}"),
        Format::Gemini => format!("{{\"name\":{name},{description}\"parametersJsonSchema\":{schema}}}"),
    }
}

/// The definition as added, with the callable name in place of the one it was added with.
fn renamed(tool: &Tool) -> String {
    let definition = tool.definition();
    let Ok(fields) = serde_json::from_str::<Fields<'_>>(definition) else { return definition.to_owned() };
    let mut out = String::with_capacity(definition.len() + 32);
    for (key, value) in fields.0 {
        out.push(if out.is_empty() { '{' } else { ',' });
        out.push_str(&quoted(&key));
        out.push(':');
        if key == "name" { out.push_str(&quoted(tool.name())) } else { out.push_str(value.get()) }
    }
    out.push('}');
    out
}

/// The fields of an object in their order.
struct Fields<'a>(Vec<(String, &'a serde_json::value::RawValue)>);

impl<'de> serde::Deserialize<'de> for Fields<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    fields.push(entry);
                }
                Ok(Fields(fields))
            }
        }
        reader.deserialize_map(Visitor)
    }
}

/// The search tool's own definition in a format.
pub(crate) fn search_tool(name: &str, max_results: usize, format: Format) -> String {
    let description = "Loads tools that are listed by name in \"Deferred Tools\", so that they can be called from your next step on. \
        Query: \"select:NAME,NAME\" for tools you know by name, else a few words for what the tool should do; \
        +word must match, server:NAME keeps to one server.";
    let schema = format!(
        "{{\"type\":\"object\",\"properties\":{{\
         \"query\":{{\"type\":\"string\",\"description\":\"select:NAME,NAME or words\"}},\
         \"max_results\":{{\"type\":\"integer\",\"description\":\"Most tools to load for words, 1 to 50; default {max_results}\"}}}},\
         \"required\":[\"query\"],\"additionalProperties\":false}}"
    );
    wire(format, &quoted(name), &format!("\"description\":{},", quoted(description)), &schema)
}
