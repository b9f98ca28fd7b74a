//! Tool definitions as JSON: what becomes of them, against the plainest reading of the same text.

use crate::checks;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use tool_search::{
    AddOptions, CallableNames, Defer, Error, ErrorCode, Format, Options, PlanOptions, SearchOptions, SessionOptions,
    ToolSearch,
};

const SERVERS: [Option<&str>; 4] = [None, Some("srv"), Some("an odd  server"), Some("mcp__x")];

/// The first byte chooses server and prefix, the rest is the text.
pub fn run(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    let options = AddOptions {
        server: SERVERS[usize::from(choice & 3)].map(str::to_owned),
        prefix: choice & 4 == 0,
        ..Default::default()
    };
    let mut engine = ToolSearch::default();
    let answer = engine.add_json(&text, &options).map(|delta| delta.added);
    let one = ToolSearch::default().add(&[&text], &options).map(|delta| delta.added);
    if let Err(error) = &answer {
        assert!(engine.is_empty() && engine.tools().next().is_none());
        assert!(error.message().len() <= 1024 && checks::is_one_line(error.message()), "{error:?}");
    }
    match readable(&text) {
        Readable::No => {
            assert_eq!(code(&answer), Some(ErrorCode::InvalidJson), "{answer:?}");
            assert_eq!(code(&one), Some(ErrorCode::InvalidTool), "{one:?}");
        }
        Readable::Unknown => {}
        Readable::Value(value) => {
            let expected = list(&value).and_then(|list| catalog(list, &options));
            assert_eq!(code(&answer), expected.as_ref().err().copied(), "{answer:?}");
            if let (Ok(names), Ok(expected)) = (&answer, &expected) {
                assert_eq!(names, &expected.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>());
                composed(&engine, expected);
            }
            let alone = catalog(std::slice::from_ref(&value), &options);
            assert_eq!(code(&one), alone.as_ref().err().copied(), "{one:?}");
        }
    }
    works(engine);
    portable(&text, &options, code(&answer));
    let small = Options::default();
    let limits = tool_search::Limits { definition_bytes: 64, ..small.limits };
    let mut options_of_small = small;
    options_of_small.limits = limits;
    let Ok(mut small) = ToolSearch::new(options_of_small) else { panic!("the options are refused") };
    match small.add_json(&text, &options) {
        Ok(_) => assert!(answer.is_ok()),
        Err(error) => assert!(error.code() == ErrorCode::LimitExceeded || Some(error.code()) == code(&answer)),
    }
}

fn code<T>(answer: &Result<T, Error>) -> Option<ErrorCode> {
    answer.as_ref().err().map(Error::code)
}

enum Readable {
    No,
    /// It is JSON, but with half pairs of surrogates, numbers beyond all bounds or a depth that this reader does not take.
    Unknown,
    Value(Value),
}

fn readable(text: &str) -> Readable {
    // For a list, what some editors put in front is passed over.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    match serde_json::from_str(text) {
        Ok(value) => Readable::Value(value),
        Err(_) if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() => Readable::Unknown,
        Err(_) => Readable::No,
    }
}

/// The definitions of a `tools/list` result.
fn list(value: &Value) -> Result<&[Value], ErrorCode> {
    let inner = value.get("result").unwrap_or(value);
    let inner = inner.get("tools").unwrap_or(inner);
    inner.as_array().map(Vec::as_slice).ok_or(ErrorCode::InvalidJson)
}

/// A tool as it should be.
struct Expected {
    name: String,
    definition: Value,
}

fn catalog(list: &[Value], options: &AddOptions) -> Result<Vec<Expected>, ErrorCode> {
    let read: Vec<(String, Value)> = list.iter().map(usable).collect::<Result<_, _>>()?;
    let mut names = BTreeSet::new();
    let mut all = Vec::new();
    for (given, definition) in read {
        let name = callable(&given, options);
        if name == "toolSearch" {
            return Err(ErrorCode::ReservedName);
        }
        if !names.insert(name.clone()) {
            return Err(ErrorCode::DuplicateName);
        }
        all.push(Expected { name, definition });
    }
    Ok(all)
}

/// Rule A1.
pub fn callable(given: &str, options: &AddOptions) -> String {
    let Some(server) = &options.server else { return given.to_owned() };
    let wire = |text: &str| -> String {
        text.chars().map(|c| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '_' }).collect()
    };
    let prefix = format!("mcp__{}__", wire(server));
    match options.prefix {
        false => given.to_owned(),
        true if given.starts_with(&prefix) && given.len() > prefix.len() => wire(given),
        true => prefix + &wire(given),
    }
}

/// The name that a definition has, and the definition in the shape of MCP.
fn usable(given: &Value) -> Result<(String, Value), ErrorCode> {
    let invalid = ErrorCode::InvalidTool;
    let fields = given.as_object().ok_or(invalid)?;
    let mut mcp = fields.clone();
    let known = |from: &Map<String, Value>| -> Map<String, Value> {
        let kept = ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"];
        kept.iter().filter_map(|key| Some(((*key).to_owned(), from.get(*key)?.clone()))).collect()
    };
    if fields.get("type") == Some(&json!("function")) {
        let inner = match fields.get("function") {
            Some(function) => function.as_object().ok_or(invalid)?,
            None => fields,
        };
        mcp = known(inner);
        if let Some(parameters) = inner.get("parameters").filter(|parameters| !parameters.is_null()) {
            mcp.insert("inputSchema".to_owned(), parameters.clone());
        }
    } else if let (None, Some(schema)) = (fields.get("inputSchema"), fields.get("input_schema")) {
        mcp = known(fields);
        mcp.insert("inputSchema".to_owned(), schema.clone());
    }
    let name = mcp.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty()).ok_or(invalid)?;
    let name = name.to_owned();
    let is_schema = |field: &str| mcp.get(field).is_none_or(|schema| schema.is_object() || schema.is_boolean());
    if name.chars().count() > 128 || !is_schema("inputSchema") || !is_schema("outputSchema") {
        return Err(invalid);
    }
    Ok((name, Value::Object(mcp)))
}

/// Every format has the definitions, under their callable names.
fn composed(engine: &ToolSearch, expected: &[Expected]) {
    let plan = PlanOptions { defer: Some(Defer::Never), ..Default::default() };
    let Ok(mut session) = engine.session(SessionOptions { plan, ..Default::default() }) else { panic!("no session") };
    for (tool, expected) in engine.tools().zip(expected) {
        assert_eq!(parsed(tool.definition()), expected.definition);
        assert_eq!(tool.description().as_deref(), expected.definition.get("description").and_then(Value::as_str));
    }
    for format in Format::ALL {
        let tools = session.tools(engine, format);
        assert_eq!(tools.len(), expected.len());
        for (tool, expected) in tools.iter().zip(expected) {
            assert_eq!(parsed(tool), wanted(expected, format), "{format:?}");
        }
    }
}

fn parsed(json: &str) -> Value {
    match serde_json::from_str(json) {
        Ok(value) => value,
        Err(error) => panic!("{error}: {json}"),
    }
}

fn wanted(expected: &Expected, format: Format) -> Value {
    let Expected { name, definition } = expected;
    if format == Format::Mcp {
        let mut definition = definition.clone();
        definition["name"] = json!(name);
        return definition;
    }
    let schema =
        definition.get("inputSchema").filter(|schema| schema.as_object().is_some_and(|fields| !fields.is_empty()));
    let schema = schema.cloned().unwrap_or_else(|| json!({ "type": "object", "properties": {} }));
    let key = match format {
        Format::Anthropic => "input_schema",
        Format::Gemini => "parametersJsonSchema",
        _ => "parameters",
    };
    let mut inner = json!({ "name": name, key: schema });
    if let Some(description) = definition.get("description").and_then(Value::as_str).filter(|text| !text.is_empty()) {
        inner["description"] = json!(description);
    }
    match format {
        Format::OpenaiChat => json!({ "type": "function", "function": inner }),
        Format::OpenaiResponses => {
            inner["type"] = json!("function");
            inner["strict"] = json!(false);
            inner
        }
        _ => inner,
    }
}

/// Names that every provider takes, of whatever came in.
fn portable(text: &str, options: &AddOptions, otherwise: Option<ErrorCode>) {
    let mut own = Options::default();
    own.callable_names = CallableNames::Portable;
    let Ok(mut engine) = ToolSearch::new(own) else { panic!("the options are refused") };
    match engine.add_json(text, options) {
        // What was one name may be two, as names of other letters are.
        Ok(_) => assert!(otherwise.is_none_or(|code| code == ErrorCode::DuplicateName)),
        Err(error) => assert!(otherwise == Some(error.code())),
    }
    for tool in engine.tools() {
        let (name, digit) = (tool.name(), tool.name().starts_with(|c: char| c.is_ascii_digit() || c == '-'));
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
        assert!(plain && !digit && (1..=64).contains(&name.len()), "{name:?}");
    }
}

/// Whatever came in can be searched, listed, loaded, kept and brought back.
fn works(engine: ToolSearch) {
    let plan = PlanOptions { defer: Some(Defer::Always), ..Default::default() };
    let Ok(mut session) = engine.session(SessionOptions { plan, ..Default::default() }) else { panic!("no session") };
    assert!(checks::is_tame(session.prompt()));
    let Ok(restored) = ToolSearch::restore(&engine.snapshot(), Options::default()) else {
        panic!("its snapshot is refused")
    };
    let names: Vec<String> = engine.tools().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names, restored.tools().map(|tool| tool.name().to_owned()).collect::<Vec<_>>());
    for name in names.iter().take(8) {
        let options = SearchOptions { explain: true, ..Default::default() };
        for query in [name.as_str(), "the value of it, or a list"] {
            let answer = engine.search(query, &options);
            checks::answer(&engine, query, &options, &answer);
            assert_eq!(checks::told(&answer), checks::told(&restored.search(query, &options)));
        }
        let text = match session.resolve(&engine, name) {
            tool_search::CallResolution::Activated(tool, text) => (tool.name() == name).then_some(text),
            tool_search::CallResolution::Ready(tool) => (tool.name() == name).then(String::new),
            _ => None,
        };
        assert!(text.is_some_and(|text| text.len() <= 8 << 10 && checks::is_tame(&text)), "{name:?}");
    }
}
