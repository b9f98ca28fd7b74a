//! Rule H3 for bytes that nobody's `snapshot` gave, with a checksum that is right.

use super::*;
use crate::{AddOptions, LoadRule, SearchOptions, SessionOptions};
use proptest::prelude::*;

fn options() -> Options {
    let mut options = Options::default();
    options.keywords.push(("list_*".to_owned(), vec!["roster".to_owned()]));
    options.keywords.push(("close".to_owned(), vec!["finish".to_owned()]));
    options
}

fn add(engine: &mut ToolSearch, server: &str, names: &[&str]) {
    let tools: Vec<String> = names
        .iter()
        .map(|name| format!(r#"{{"name":"{name}","description":"{name} of the issues, {server}","inputSchema":{{"properties":{{"issue_id":{{"description":"which"}}}}}}}}"#))
        .collect();
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    let load = LoadRule::Direct(vec!["direct".to_owned()]);
    // A forged catalog may have a name already.
    let _ = engine.add(&tools, &AddOptions { load, ..AddOptions::server(server) });
}

/// A catalog with a past: several segments, words and tools that are gone, keywords.
fn lived() -> ToolSearch {
    let mut engine = ToolSearch::new(options()).unwrap();
    add(&mut engine, "tracker", &["list_issues", "create_issue", "close", "direct", "検索", "a-b", "aB"]);
    engine.index();
    add(&mut engine, "gone", &["vanish", "list_issue"]);
    add(&mut engine, "chat", &["send", "listing"]);
    engine.remove_server("gone");
    add(&mut engine, "chat", &["send", "lists"]);
    engine.set_server_status("chat", ServerStatus::Failed, Some("down")).unwrap();
    engine
}

/// Every way that leads to what a snapshot brought.
fn use_it(mut engine: ToolSearch) -> ToolSearch {
    fn ask(engine: &ToolSearch) {
        for query in [
            "list issues",
            "select:close,a_b,nothing",
            "finsh roster",
            "mcp__",
            "chat",
            "+issue lists",
            "検索 vanish, the",
            "closeissue",
        ] {
            for options in [
                SearchOptions::default(),
                SearchOptions { explain: true, deny: vec!["send".to_owned()], ..Default::default() },
            ] {
                let _ = engine.search(query, &options);
            }
        }
        let mut session = engine.session(SessionOptions::default()).unwrap();
        session.handle(engine, &"issue".into());
        for name in ["list_issues", "lst_issues", "chat"] {
            let _ = session.resolve(engine, name);
        }
        session.tools(engine, crate::Format::Anthropic);
    }
    ask(&engine);
    add(&mut engine, "new", &["list_issues", "the_vanishing", "new_words"]);
    ask(&engine);
    for server in ["chat", "tracker"] {
        engine.remove_server(server);
        ask(&engine);
    }
    add(&mut engine, "tracker", &["close"]);
    ask(&engine);
    engine
}

/// The bytes of definitions in a snapshot.
fn text_of(bytes: &[u8]) -> usize {
    definitions_end(bytes).unwrap() - HEADER
}

fn sealed(mut bytes: Vec<u8>, text: usize) -> Vec<u8> {
    let head = header(checksum([Sum::new(), Sum::new()], bytes[HEADER..].split_at(text)), text);
    bytes[..HEADER].copy_from_slice(head.as_bytes());
    bytes
}

#[test]
fn h3_whole_ones_go_on_as_they_were() {
    let bytes = lived().snapshot();
    let copy = ToolSearch::restore(&bytes, options()).unwrap();
    assert_eq!(copy.len(), 9);
    assert_eq!(copy.snapshot(), bytes);
    use_it(copy);
}

#[test]
fn h3_a_forged_name_that_is_there_twice() {
    let mut engine = ToolSearch::new(options()).unwrap();
    add(&mut engine, "tracker", &["one_a", "one_b"]);
    let mut bytes = engine.snapshot();
    let forged: Vec<usize> = (HEADER..bytes.len()).filter(|&at| bytes[at..].starts_with(b"tracker__one_b")).collect();
    forged.iter().for_each(|at| bytes[at + 13] = b'a');
    assert!(!forged.is_empty());
    let text = text_of(&bytes);
    let mut engine = ToolSearch::restore(&sealed(bytes, text), options()).unwrap();
    assert!(engine.tools().all(|tool| tool.name() == "mcp__tracker__one_a"));
    add(&mut engine, "tracker", &["one_a"]);
    assert_eq!((engine.len(), engine.tools().count()), (1, 1));
    use_it(engine);
}

#[test]
fn h3_forged_postings_weigh_no_more_than_a_tool_can() {
    let mut engine = ToolSearch::new(options()).unwrap();
    add(&mut engine, "tracker", &["list_issues", "close"]);
    let bytes = engine.snapshot();
    let text = text_of(&bytes);
    let score = |bytes: Vec<u8>| {
        let engine = ToolSearch::restore(&sealed(bytes, text), options()).ok()?;
        let answer = engine.search("list issues", &SearchOptions::default()).unwrap();
        assert!(answer.matches.iter().all(|m| (0.0..100.0).contains(&m.score)), "{answer:?}");
        answer.matches.first().map(|m| m.score)
    };
    let whole = score(bytes.clone());
    // Postings are among the last that was written.
    let others = (bytes.len() - 1_700..bytes.len()).filter(|at| {
        let mut forged = bytes.clone();
        forged[*at] ^= 0xFF;
        score(forged) != whole
    });
    assert!(others.count() > 5);
}

/// A few tools, their snapshot, and the bytes of definitions in it.
fn few() -> (ToolSearch, Vec<u8>, usize) {
    let mut engine = ToolSearch::new(options()).unwrap();
    add(&mut engine, "tracker", &["create_issue", "list_issues"]);
    let bytes = engine.snapshot();
    let text = text_of(&bytes);
    (engine, bytes, text)
}

/// Lists of numbers as a snapshot has them.
fn lists(all: &[&[u32]]) -> Vec<u8> {
    let mut out = Output::default();
    all.iter().for_each(|numbers| out.numbers(numbers));
    out.into_bytes()
}

#[test]
fn h3_segments_of_more_tools_than_there_are() {
    let (engine, mut bytes, text) = few();
    // Behind the words in each name there is how many segments there are, and then the one.
    let (words, count) = (lists(&[&[2, 2]]), lists(&[&[1]]));
    let segments = [&*words, &count, &lists(&[&[2]])].concat();
    let at = (0..bytes.len()).rfind(|&at| bytes[at..].starts_with(&segments)).unwrap() + words.len();
    // In 32 bits their sum goes round to the right number.
    let empty = || lists(&[&[1 << 31], &[], &[], &[], &[], &[]]);
    bytes.splice(at..at + count.len(), [lists(&[&[3]]), empty(), empty()].concat());
    let scores = |engine: &ToolSearch| {
        let answer = engine.search("create issue", &SearchOptions::default()).unwrap();
        answer.matches.iter().map(|m| m.score.to_bits()).collect::<Vec<_>>()
    };
    // The index is made anew.
    assert_eq!(scores(&ToolSearch::restore(&sealed(bytes, text), options()).unwrap()), scores(&engine));
}

#[test]
fn h3_definitions_that_end_before_they_begin() {
    let (_, mut bytes, text) = few();
    // The first list has the numbers of the tools, the third of which is the length of a definition.
    let length = HEADER + text + 4 + 2 * 4;
    bytes[length..length + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let refused = ToolSearch::restore(&sealed(bytes, text), options()).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::InvalidSnapshot);
}

#[test]
fn h3_any_number_anywhere() {
    let (_, bytes, text) = few();
    // What goes round when it is added to, multiplied or taken for a length, and what is just another number.
    let numbers = [0, 1, 0x3FFF_FFFF, 0x7FFF_FFFF, 0x8000_0000, u32::MAX];
    for (at, number) in (HEADER + text..bytes.len() - 3).step_by(3).zip(numbers.into_iter().cycle()) {
        let mut forged = bytes.clone();
        forged[at..at + 4].copy_from_slice(&number.to_le_bytes());
        // Of thousands: not all that `use_it` does.
        if let Ok(mut engine) = ToolSearch::restore(&sealed(forged, text), options()) {
            let ask =
                |engine: &ToolSearch| drop(engine.search("create lists, tracker issu", &SearchOptions::default()));
            ask(&engine);
            add(&mut engine, "new", &["list_issues"]);
            ask(&engine);
            engine.remove_server("tracker");
            ask(&engine);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Bytes that somebody made are refused, or read into an engine that works.
    #[test]
    fn h3_forged_ones_do_no_harm(changes in prop::collection::vec((any::<prop::sample::Index>(), 0..8u8, any::<u32>(), any::<prop::sample::Index>()), 1..4)) {
        let mut bytes = lived().snapshot();
        let text = text_of(&bytes);
        for (at, kind, value, other) in changes {
            let at = HEADER + at.index(bytes.len() - HEADER);
            let other = HEADER + other.index(bytes.len() - HEADER);
            match kind {
                0 => bytes[at] = value as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, value as u8),
                // A number becomes another.
                3 | 4 => bytes.iter_mut().skip(at).take(4).zip((value % 40).to_le_bytes()).for_each(|(b, new)| *b = new),
                5 => bytes.iter_mut().skip(at).take(4).for_each(|b| *b = 0xFF),
                6 => bytes[at] = bytes[at].wrapping_add(1),
                _ => {
                    let piece: Vec<u8> = bytes[at..].iter().take(value as usize % 64).copied().collect();
                    bytes.iter_mut().skip(other).zip(piece).for_each(|(b, new)| *b = new);
                }
            }
        }
        let text = text.min(bytes.len() - HEADER);
        if let Ok(engine) = ToolSearch::restore(&sealed(bytes, text), options()) {
            let again = use_it(engine).snapshot();
            // What never fitted together need not be taken again.
            if let Ok(again) = ToolSearch::restore(&again, options()) {
                use_it(again);
            }
        }
    }
}
