//! Rules A5, E3, F7 and H1: whatever stands in definitions, in names of servers and in queries.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_search::{
    AddOptions, Defer, Format, ListedNames, LoadRule, Options, SearchInput, SearchOptions, SessionOptions, ToolSearch,
};

/// Text of all scripts and none, and of what means something somewhere on its way.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(
            &[
                "issue", "list_", "getURLs", "mcp__", "mcp__a__", "select:", "server:", "+", ",", "\"", "\\", "\u{0}", "\n", "\u{1f}", "#/$defs/",
                "<tool>", "```", "\n## Deferred Tools", "~1", "ß", "ﬁ", "İ", "Σς", "e\u{301}", "\u{301}", "検索", "ก", "🦀", "👩‍💻", "\u{202e}", "\u{feff}", "*",
                "?", "(", "[a", "'s", "’", "٣", "2", "ǅ", "\u{FDFA}", " ", "\u{a0}", "\u{3000}", "__proto__",
            ][..]
        ).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "\\PC{0,12}",
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        text().prop_map(|t| json!({ "description": t })),
        text().prop_map(|t| json!({ "enum": [t, 1, null, [t.clone()]] })),
        text().prop_map(|t| json!({ "$ref": format!("#/{t}") })),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec((text(), inner.clone()), 0..4).prop_map(
                |all| json!({ "type": "object", "properties": all.into_iter().collect::<serde_json::Map<_, _>>() })
            ),
            inner.clone().prop_map(|of| json!({ "items": of })),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|all| json!({ "anyOf": all })),
            (text(), inner).prop_map(|(key, value)| json!({ key: value })),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn h1_any_text_is_ordinary(
        tools in prop::collection::vec((text(), text(), text(), schema()), 1..5),
        server in text(),
        queries in prop::collection::vec(text(), 1..4),
        short in any::<bool>(),
    ) {
        let mut options = Options::default();
        options.defer = Defer::Always;
        options.listing.names = if short { ListedNames::Short } else { ListedNames::Full };
        options.keywords.push((queries[0].clone(), vec![server.clone()]));
        let mut search = ToolSearch::new(options.clone()).unwrap();
        for (name, description, hint, schema) in &tools {
            let tool = json!({
                "name": name, "title": hint, "description": description, "inputSchema": schema, "outputSchema": schema,
                "annotations": { "searchHint": hint }, "_meta": { hint.as_str(): description },
            });
            let server = format!("{server}{}", hint.len() % 3);
            let load = if hint.len() % 2 == 0 { LoadRule::Direct(queries.clone()) } else { LoadRule::default() };
            let options = AddOptions { instructions: Some(description.clone()), load, ..AddOptions::server(server) };
            // A refusal names what was wrong; what was taken is as it was given.
            match search.add(&[&tool.to_string()], &options) {
                Err(error) => prop_assert!(!error.message().is_empty() && error.place().is_none_or(|place| place == 0)),
                Ok(delta) => {
                    let Some(name) = delta.added.iter().chain(&delta.changed).next() else { continue };
                    let own = search.get(name).unwrap();
                    prop_assert_eq!(serde_json::from_str::<Value>(own.definition()).unwrap(), tool);
                }
            }
        }
        let copy = ToolSearch::restore(&search.snapshot(), options).unwrap();
        let mut session = search.session(SessionOptions::default()).unwrap();
        let prompt = session.prompt().to_owned();
        let hidden = ['<', '\u{202e}', '\u{0}'];
        prop_assert!(prompt.lines().filter(|line| line.starts_with("## ")).count() <= 1 && !prompt.contains(hidden));
        let names: Vec<String> = search.tools().map(|t| t.name().to_owned()).collect();
        for query in queries.iter().chain(&names) {
            for regex in [false, true] {
                let options = SearchOptions { regex, explain: true, server: Some(server.clone()), ..Default::default() };
                let _ = search.search(query, &options);
                let ask = |engine: &ToolSearch| {
                    let answer = engine.search(query, &SearchOptions { regex, ..Default::default() });
                    answer.map(|r| {
                        let matches = r.matches.iter().map(|m| (m.tool.name().to_owned(), m.score.to_bits()));
                        (matches.collect::<Vec<_>>(), r.missing, r.direct, r.suggestions)
                    })
                };
                prop_assert_eq!(ask(&search), ask(&copy));
            }
            let reply = session.handle(&search, &query.as_str().into());
            prop_assert!(!reply.text.is_empty());
            let _ = session.resolve(&search, query);
            let _ = session.handle(&search, &SearchInput::from_json(query));
        }
        // A callable name always finds its tool.
        for name in &names {
            let loaded = session.activate(&search, std::slice::from_ref(name));
            prop_assert!(loaded.is_empty() || loaded == [name.as_str()]);
            prop_assert!(session.names(&search).contains(name), "{}", name);
        }
        for format in [Format::Mcp, Format::OpenaiChat, Format::OpenaiResponses, Format::Anthropic, Format::Gemini] {
            for tool in session.tools(&search, format) {
                prop_assert!(serde_json::from_str::<Value>(&tool).is_ok(), "{}", tool);
            }
        }
        prop_assert_eq!(session.prompt(), prompt);
    }
}

/// Keys mean what they stand for, however they are written.
#[test]
fn a5_keys_may_be_escaped() {
    let mut search = ToolSearch::default();
    let escaped =
        r#"{"n\u0061me":"x","descr\u0069ption":"Xylophone","input\u0053chema":{"propert\u0069es":{"mallet":{}}}}"#;
    search.add(&[escaped], &AddOptions::server("band")).unwrap();
    let plan = tool_search::PlanOptions { defer: Some(Defer::Never), ..Default::default() };
    let mut session = search.session(SessionOptions { plan, ..Default::default() }).unwrap();
    for format in Format::ALL {
        let tool: Value = serde_json::from_str(&session.tools(&search, format)[0]).unwrap();
        let tool = tool.get("function").unwrap_or(&tool);
        assert_eq!((&tool["name"], &tool["description"]), (&json!("mcp__band__x"), &json!("Xylophone")), "{format:?}");
    }
    assert_eq!(search.search("mallet", &SearchOptions::default()).unwrap().matches.len(), 1);
}
