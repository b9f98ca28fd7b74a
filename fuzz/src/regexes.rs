//! Patterns, against what another engine of regular expressions finds.

use crate::checks;
use tool_search::{AddOptions, SearchOptions, ToolSearch};

const NAMES: [&str; 8] = ["get_issue", "Send-Mail.v2", "a", "aaaaaaaaaaaaaaaa", "x9", "list_all_of_them", "b-", "_"];
/// The last text is long: matching takes time in proportion to pattern times text, and no more.
const LONG: usize = 4_096;

/// The first line is the pattern, the others are descriptions of tools.
pub fn run(data: &[u8]) {
    let data = String::from_utf8_lossy(data);
    let mut lines = data.split('\n');
    let pattern = lines.next().unwrap_or_default();
    let mut texts: Vec<String> = lines.take(NAMES.len()).map(str::to_owned).collect();
    if let Some(last) = texts.last_mut().filter(|text| !text.is_empty()) {
        *last = last.repeat((LONG / last.len()).max(1));
    }
    let definition =
        |(name, text): (&&str, &String)| serde_json::json!({ "name": name, "description": text }).to_string();
    let definitions: Vec<String> = NAMES.iter().zip(&texts).map(definition).collect();
    let definitions: Vec<&str> = definitions.iter().map(String::as_str).collect();
    let mut engine = ToolSearch::default();
    assert!(engine.add(&definitions, &AddOptions::default()).is_ok());

    let options = SearchOptions { limit: Some(50.0), regex: true, ..Default::default() };
    let answer = engine.search(pattern, &options);
    checks::answer(&engine, pattern, &options, &answer);
    let Ok(answer) = answer else { return };
    let Some(regex) = same(pattern, &texts) else { return };
    let found: Vec<&str> = answer.matches.iter().map(|m| m.tool.name()).collect();
    let expected = NAMES.iter().zip(&texts).filter(|(name, text)| regex.is_match(name) || regex.is_match(text));
    let expected: Vec<&str> = expected.map(|(name, _)| *name).collect();
    assert_eq!(found, expected, "{pattern:?}");
}

/// The pattern for the other engine; `None` where the two need not agree. Classes, word bounds and case are ASCII's in the core, and
/// Unicode's there, which is the same as long as everything is ASCII, or nothing of the kind is asked for.
fn same(pattern: &str, texts: &[String]) -> Option<regex::Regex> {
    let flags = pattern.contains("(?");
    let named = ["\\x", "\\u", "\\U"].iter().any(|escape| pattern.contains(escape));
    let ascii = pattern.is_ascii() && texts.iter().all(|text| text.is_ascii());
    if !(ascii && !(flags && named) || !flags && !pattern.contains('\\')) {
        return None;
    }
    match regex::RegexBuilder::new(pattern).size_limit(1 << 26).build() {
        Ok(regex) => Some(regex),
        Err(regex::Error::CompiledTooBig(_)) => None,
        // Names mean nothing in the core, and flags may be set twice or none.
        Err(regex::Error::Syntax(why)) if why.contains("duplicate capture group name") || why.contains("flag") => None,
        Err(regex::Error::Syntax(_)) if pattern.contains("(?)") => None,
        Err(error) => panic!("{pattern:?} is taken, and is none: {error}"),
    }
}
