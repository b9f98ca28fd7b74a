//! What holds of every answer, whatever was asked of whatever catalog.

use std::collections::{BTreeMap, BTreeSet};
use tool_search::{
    Confidence, Error, ErrorCode, QueryKind, SearchOptions, SearchResult, ServerStatus, Tier, Tool, ToolSearch,
    clamp_limit,
};

/// Whether a pattern matches.
pub fn glob(pattern: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    // Which beginnings of the text the pattern matches so far, by length.
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for one in pattern.chars() {
        let reaches = |length: usize| match one {
            '*' => reached[..=length].contains(&true),
            _ => length > 0 && reached[length - 1] && (one == '?' || one == text[length - 1]),
        };
        reached = (0..=text.len()).map(reaches).collect();
    }
    reached[text.len()]
}

/// Whether patterns let a tool through.
pub fn passes(allow: Option<&[String]>, deny: &[String], name: &str, raw_name: &str) -> bool {
    let any = |patterns: &[String]| patterns.iter().any(|p| glob(p, name) || glob(p, raw_name));
    allow.is_none_or(any) && !any(deny)
}

fn sees(options: &SearchOptions, tool: &Tool) -> bool {
    options.server.as_deref().is_none_or(|server| tool.server() == Some(server))
        && passes(options.allow.as_deref(), &options.deny, tool.name(), tool.raw_name())
}

/// A text on one line, without characters that draw nothing or turn the line around.
pub fn is_one_line(text: &str) -> bool {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
    };
    !text.contains(hidden)
}

/// What is said to a model: lines, in which nothing of a stranger opens or closes anything.
pub fn is_tame(text: &str) -> bool {
    text.split('\n').all(is_one_line)
}

/// Holds an answer to what is promised of all of them.
pub fn answer(engine: &ToolSearch, query: &str, options: &SearchOptions, answer: &Result<SearchResult, Error>) {
    match answer {
        Err(error) => refusal(error, options.regex),
        Ok(result) => found(engine, query, options, result),
    }
}

fn refusal(error: &Error, regex: bool) {
    let code = error.code();
    let expected = match code {
        ErrorCode::EmptyQuery => true,
        ErrorCode::InvalidPattern | ErrorCode::PatternTooLong => regex,
        ErrorCode::NoTokens | ErrorCode::EmptySelect => !regex,
        _ => false,
    };
    assert!(expected, "{error:?}");
    assert!(!error.message().is_empty() && error.message().len() <= 512 && is_one_line(error.message()), "{error:?}");
}

fn found(engine: &ToolSearch, query: &str, options: &SearchOptions, result: &SearchResult) {
    let places: BTreeMap<&str, usize> = engine.tools().enumerate().map(|(place, tool)| (tool.name(), place)).collect();
    let visible = |name: &String| engine.get(name).is_some_and(|tool| sees(options, tool));
    let limit = clamp_limit(options.limit, engine.options().max_results);
    assert_eq!(result.query, query);
    assert_eq!(result.kind == QueryKind::Regex, options.regex);

    let mut names = BTreeSet::new();
    for found in &result.matches {
        let tool = &found.tool;
        assert!(
            engine.get(tool.name()).is_some_and(|own| std::sync::Arc::ptr_eq(own, tool)),
            "{} is another",
            tool.name()
        );
        assert!(sees(options, tool) && tool.load() == tool_search::Load::Deferred, "{} is not to be seen", tool.name());
        assert!(names.insert(tool.name()), "{} is there twice", tool.name());
        assert!(found.score.is_finite() && found.score >= 0.0, "{} scores {}", tool.name(), found.score);
        assert_eq!(found.explain.is_some(), options.explain);
        if let Some(addends) = &found.explain {
            let sum: f64 = addends.iter().map(|addend| addend.weight).sum();
            assert!(
                (sum - found.score).abs() <= 1e-6 * found.score,
                "{} scores {}, {addends:?}",
                tool.name(),
                found.score
            );
            assert!(addends.iter().all(|addend| addend.weight > 0.0 && !addend.term.is_empty()), "{addends:?}");
        }
    }
    let loaded = |name: &str| options.loaded.iter().any(|own| own == name);
    if result.kind != QueryKind::Select {
        // A named tool survives the limit as long as it is not loaded.
        let unnamed = result.matches.iter().filter(|m| m.tier >= Tier::Keywords || loaded(m.tool.name()));
        assert!(unnamed.count() <= limit, "{} of {limit}", result.matches.len());
        for pair in result.matches.windows(2) {
            let group = |at: usize| (loaded(pair[at].tool.name()), pair[at].tier);
            let key = |at: usize| (std::cmp::Reverse(pair[at].score.to_bits()), places[pair[at].tool.name()]);
            assert!(group(0) <= group(1), "{pair:?}");
            assert!(group(0) < group(1) || group(0).1 < Tier::Keywords || key(0) < key(1), "{pair:?}");
        }
        assert!(result.missing.is_empty() && result.ambiguous.is_empty());
        assert_eq!(result.total, result.more + result.matches.len() + options.offset.min(result.total - result.more));
    } else {
        assert!(result.matches.iter().all(|m| m.tier < Tier::Keywords));
        assert_eq!((result.more, &result.unknown), (0, &Vec::new()));
    }
    for direct in &result.direct {
        let tool = engine.get(direct);
        assert!(
            tool.is_some_and(|t| t.load() == tool_search::Load::Direct && sees(options, t)),
            "{direct} is not direct"
        );
    }
    for ambiguous in &result.ambiguous {
        let candidates = &ambiguous.candidates;
        assert!(candidates.len() >= 2 && candidates.iter().all(visible), "{ambiguous:?}");
        assert!(candidates.is_sorted_by(|a, b| places[a.as_str()] < places[b.as_str()]), "{ambiguous:?}");
    }
    assert!(result.suggestions.len() <= 5 && result.suggestions.iter().all(visible), "{:?}", result.suggestions);
    let distinct: BTreeSet<&String> = result.suggestions.iter().collect();
    assert_eq!(distinct.len(), result.suggestions.len(), "{:?}", result.suggestions);
    let nothing = result.total == 0 && result.matches.is_empty() && result.direct.is_empty();
    assert_eq!(result.confidence == Confidence::None, nothing, "{result:?}");
    assert!(result.unavailable.iter().all(|down| down.status != ServerStatus::Ready
        && engine.server_status(&down.server) == Some(down.status)
        && down.reason.as_deref().is_none_or(is_one_line)));
}

/// Everything that an answer says, scores and their addends to the bit.
pub fn told(answer: &Result<SearchResult, Error>) -> String {
    match answer {
        Err(error) => format!("{error:?}"),
        Ok(result) => {
            let one = |m: &tool_search::Match| {
                let explain =
                    m.explain.iter().flatten().map(|e| format!("{}.{}={:x}", e.term, e.field, e.weight.to_bits()));
                format!("{} {:x} {:?} {:?}", m.tool.name(), m.score.to_bits(), m.tier, explain.collect::<Vec<_>>())
            };
            let matches: Vec<String> = result.matches.iter().map(one).collect();
            let rest = SearchResult { matches: Vec::new(), ..result.clone() };
            format!("{matches:#?} {rest:?}")
        }
    }
}
