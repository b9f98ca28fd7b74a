//! The answers to `golden/cases.json` and `golden/services.json` are, to the bit, those that every JavaScript runtime gives
//! (`golden/answers.txt`).

use serde_json::{Map, Value};
use std::fmt::Write;
use tool_search::{AddOptions, Options, Ranking, SearchOptions, SearchResult, ToolSearch};

#[test]
fn the_same_bytes_as_in_every_javascript_runtime() {
    let mut blocks = include_str!("golden/answers.txt").split("\n\n");
    for cases in [include_str!("golden/cases.json"), include_str!("golden/services.json")] {
        let cases: Value = serde_json::from_str(cases).unwrap();
        let bm25f = engine(&cases["catalog"], Ranking::Bm25f, false);
        let additive = engine(&cases["catalog"], Ranking::Additive, false);
        let meaning = cfg!(feature = "meaning").then(|| engine(&cases["catalog"], Ranking::Bm25f, true));
        for search in cases["searches"].as_array().unwrap() {
            let search = search.as_object().unwrap();
            let expected = blocks.next().expect("`npm run golden` writes the answers");
            let engine = match (search.contains_key("meaning"), search.contains_key("ranking")) {
                (true, _) => meaning.as_ref(),
                (_, true) => Some(&additive),
                _ => Some(&bm25f),
            };
            let Some(engine) = engine else { continue };
            let (asked, given) = expected.split_once('\n').unwrap();
            assert_eq!(given.trim_end(), answer(engine, search).trim_end(), "{asked}");
        }
    }
    assert_eq!(blocks.next(), None, "`npm run golden` writes the answers");
}

fn engine(catalog: &Value, ranking: Ranking, meaning: bool) -> ToolSearch {
    let mut options = Options::default();
    (options.ranking, options.meaning) = (ranking, meaning);
    let mut engine = ToolSearch::new(options).unwrap();
    for source in catalog.as_array().unwrap() {
        let text = |key: &str| source[key].as_str().map(str::to_owned);
        let options =
            AddOptions { server: text("server"), instructions: text("instructions"), ..AddOptions::default() };
        engine.add_json(&source["tools"].to_string(), &options).unwrap();
    }
    engine
}

fn answer(engine: &ToolSearch, search: &Map<String, Value>) -> String {
    let text = |key: &str| search.get(key).and_then(Value::as_str);
    let number = |key: &str| search.get(key).and_then(Value::as_f64);
    let names = |key: &str| {
        let list = search.get(key)?.as_array()?;
        Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>())
    };
    let options = SearchOptions {
        limit: number("limit"),
        offset: number("offset").unwrap_or_default() as usize,
        allow: names("allow"),
        deny: names("deny").unwrap_or_default(),
        loaded: names("loaded").unwrap_or_default(),
        server: text("server").map(str::to_owned),
        regex: text("mode") == Some("regex"),
        ..SearchOptions::default()
    };
    match engine.search(text("query").unwrap(), &options) {
        Ok(result) => lines(&result),
        Err(error) => format!("  error {}\n", error.code().as_str()),
    }
}

fn lines(result: &SearchResult) -> String {
    let lower = |word: &dyn std::fmt::Debug| format!("{word:?}").to_lowercase();
    let mut out = String::new();
    let (kind, confidence) = (lower(&result.kind), lower(&result.confidence));
    writeln!(out, "  {kind}, confidence {confidence}, {} more", result.more).unwrap();
    for found in &result.matches {
        writeln!(out, "  {:016x} {} {}", found.score.to_bits(), lower(&found.tier), found.tool.name()).unwrap();
    }
    for (title, names) in
        [("missing", &result.missing), ("direct", &result.direct), ("suggestion", &result.suggestions)]
    {
        for name in names {
            writeln!(out, "  {title} {name}").unwrap();
        }
    }
    for ambiguous in &result.ambiguous {
        writeln!(out, "  ambiguous {}: {}", ambiguous.name, ambiguous.candidates.join(" ")).unwrap();
    }
    out
}
