//! Rule H3: snapshots.

mod common;

use common::{find, names, small, tool};
use tool_search::{AddOptions, Defer, ErrorCode, Load, LoadRule, Options, ServerStatus, ToolSearch};

fn restored(bytes: &[u8]) -> Result<ToolSearch, tool_search::Error> {
    let mut options = Options::default();
    options.defer = Defer::Always;
    ToolSearch::restore(bytes, options)
}

#[test]
fn a_restored_catalog_answers_the_same() {
    let mut search = small();
    let mixed = AddOptions {
        instructions: Some("Mind the gap".into()),
        load: LoadRule::Direct(vec!["b".into()]),
        prefix: false,
        ..AddOptions::server("mixed")
    };
    search
        .add(
            &[
                &tool("a", "first"),
                &tool("b", "second"),
                r#"{"name":"c","description":"half \ud83e","extra":[1.50]}"#,
                &tool("mcp__mixed__a b", ""),
            ],
            &mixed,
        )
        .unwrap();
    search.set_server_status("chat", ServerStatus::Disconnected, Some("gone")).unwrap();
    let copy = restored(&search.snapshot()).unwrap();
    let state = |s: &ToolSearch| {
        s.tools()
            .map(|t| (t.name().to_owned(), t.definition().to_owned(), t.load() == Load::Direct))
            .collect::<Vec<_>>()
    };
    assert_eq!(state(&copy), state(&search));
    assert_eq!(
        copy.session(Default::default()).unwrap().prompt(),
        search.session(Default::default()).unwrap().prompt()
    );
    for query in ["issue", "list issues of a project", "select:a,b", "channels"] {
        let (one, other) = (find(&search, query), find(&copy, query));
        assert_eq!(names(&one), names(&other));
        assert_eq!(one.unavailable, other.unavailable);
        assert!(one.matches.iter().zip(&other.matches).all(|(a, b)| a.score.to_bits() == b.score.to_bits()));
    }
    assert_eq!(copy.snapshot(), search.snapshot());
}

#[test]
fn one_that_changes_before_it_is_searched_answers_the_same() {
    let mut search = small();
    let mut copy = restored(&search.snapshot()).unwrap();
    for engine in [&mut search, &mut copy] {
        let server = AddOptions::server("tracker");
        engine
            .add(&[&tool("list_issues", "All issues, newest first"), &tool("label", "Labels an issue")], &server)
            .unwrap();
        engine.remove_server("chat");
    }
    for query in ["issue", "list issues of a project", "channels", "labels"] {
        let found = |engine: &ToolSearch| {
            let all = find(engine, query).matches;
            all.iter().map(|m| (m.tool.name().to_owned(), m.score.to_bits())).collect::<Vec<_>>()
        };
        assert_eq!(found(&copy), found(&search), "{query}");
    }
}

#[test]
fn other_bytes_are_refused() {
    let bytes = small().snapshot();
    let code = |bytes: &[u8]| restored(bytes).unwrap_err().code();
    assert_eq!(code(&[]), ErrorCode::InvalidSnapshot);
    assert_eq!(code(b"not a snapshot at all"), ErrorCode::InvalidSnapshot);
    for at in 0..bytes.len().min(200) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert_eq!(code(&damaged), ErrorCode::InvalidSnapshot, "byte {at}");
    }
    assert_eq!(code(&bytes[..bytes.len() - 1]), ErrorCode::InvalidSnapshot);
    let mut newer = bytes;
    let version = "tool-search snapshot ".len();
    newer[version..version + 4].copy_from_slice(b"0099");
    assert!(restored(&newer).unwrap_err().message().contains("version 99"));
}
