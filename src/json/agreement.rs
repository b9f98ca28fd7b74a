//! The checker and the reader against `serde_json`, over texts right and wrong.

use super::*;
use proptest::prelude::*;

fn compacted(json: &str) -> Result<String, Malformed> {
    let mut out = String::new();
    compact(json, &mut out).map(|_| out)
}

/// JSON texts with white space, every kind of escape, and any depth.
fn texts() -> impl Strategy<Value = String> {
    let space = || prop::sample::select(&["", "", "", " ", "\n\t", "\r "][..]);
    let string = prop::collection::vec(
        prop::sample::select(
            &[
                "a",
                "1234567",
                "12345678",
                "é",
                "🦀",
                "\u{7f}",
                "\\\"",
                "\\\\",
                "\\/",
                "\\b\\f\\n\\r\\t",
                "\\u00e9",
                "\\uD83e\\uDd80",
                "\\ud83e",
                "\\udd80",
                "\\ud83e\\n",
                "\\ud83e\\u0041",
                "{",
                "]",
                ",",
                ":",
            ][..],
        ),
        0..6,
    )
    .prop_map(|parts| format!("\"{}\"", parts.concat()));
    let leaf = prop_oneof![
        string.clone(),
        prop::sample::select(
            &["0", "-0", "1.5", "-12e+3", "1E400", "0.0e-0", "98765432109876543210", "true", "false", "null"][..]
        )
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(6, 40, 5, move |inner| {
        let item = (space(), inner, space()).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
        let member = (space(), string.clone(), space(), item.clone())
            .prop_map(|(a, key, b, value)| format!("{a}{key}{b}:{value}"));
        prop_oneof![
            (space(), prop::collection::vec(item, 1..5)).prop_map(|(_, all)| format!("[{}]", all.join(","))),
            prop::collection::vec(member, 1..5).prop_map(|all| format!("{{{}}}", all.join(","))),
            space().prop_map(|space| format!("[{space}]")),
            space().prop_map(|space| format!("{{{space}}}")),
        ]
    })
}

/// A text that a change or two may have made wrong.
fn mutated() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(
        &["", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "t", "\\u", "\u{1f}", " ", "é", "\u{FEFF}"]
            [..],
    );
    let changes = prop::collection::vec((any::<prop::sample::Index>(), 0..3usize, pieces), 0..3);
    (texts(), changes).prop_map(|(mut text, changes)| {
        for (at, cut, piece) in changes {
            let mut ends =
                text.char_indices().map(|(at, _)| at).chain([text.len()]).skip(at.index(text.chars().count() + 1));
            let start = ends.next().unwrap_or_default();
            let end = ends.nth(cut).unwrap_or(text.len());
            text.replace_range(start..if cut == 0 { start } else { end }, piece);
        }
        text
    })
}

fn value(reader: &mut Reader<'_>) -> serde_json::Value {
    use serde_json::Value;
    match reader.peek() {
        b'{' => {
            let mut all = serde_json::Map::new();
            reader.enter(b'{');
            while let Some(key) = reader.key() {
                all.insert(key.text().into_owned(), value(reader));
            }
            Value::Object(all)
        }
        b'[' => {
            let mut all = Vec::new();
            reader.enter(b'[');
            while reader.element() {
                all.push(value(reader));
            }
            Value::Array(all)
        }
        b'"' => Value::String(reader.string().text().into_owned()),
        _ => serde_json::from_str(reader.skip()).unwrap_or_default(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    /// The same texts are JSON, and the same values stand in them.
    #[test]
    fn agrees_with_serde_json(text in mutated()) {
        let own = compacted(&text);
        // What it passes over it checks as JSON, and neither for half pairs nor for the size of numbers.
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        prop_assert_eq!(own.is_ok(), theirs.is_ok(), "{:?} {:?}", own, theirs);
        let mut reader = Reader::new(own.as_deref().unwrap_or(&text));
        let read = value(&mut reader);
        if let Ok(own) = &own {
            prop_assert_eq!(reader.at(), own.len());
            prop_assert_eq!(compacted(own).unwrap(), own.as_str());
            if let Ok(expected) = serde_json::from_str::<serde_json::Value>(&text.replace("1E400", "null")) {
                prop_assert_eq!(&read, &expected);
                prop_assert!(own.len() <= text.len());
                // White space is the only difference.
                let bare = |text: &str| text.split([' ', '\n', '\t', '\r']).collect::<String>();
                prop_assert_eq!(bare(own), bare(&text));
            }
        }
    }
}
