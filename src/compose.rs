//! Definitions as each provider's API takes them.

use crate::json::{Reader, quote, quoted};
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
    let mut out = String::with_capacity(definition.len() + 32);
    let mut reader = Reader::new(definition);
    reader.enter(b'{');
    while let Some(key) = reader.key() {
        let value = reader.skip();
        out.push(if out.is_empty() { '{' } else { ',' });
        out.push_str(&format!("\"{}\":", key.inner));
        if key.text() == "name" { quote(tool.name(), &mut out) } else { out.push_str(value) }
    }
    out.push('}');
    out
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
