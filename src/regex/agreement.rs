//! Patterns against `regex_lite`, whose syntax and answers these are.

use super::*;
use proptest::prelude::*;
use proptest::sample::select;

/// What patterns are made of, by spaces: everything that means something, and some that means nothing.
const PIECES: &str = r"a b Z k _ 0 7 - é ſ 翻 . ^ $ | ( ) (?: (?<n> (?P<n_1> (?i) (?ms-i) (?s: (?i-m: (?U) (? (?= (?<! [ ] [^ [] a-z é-ü
    [:alpha:] [:^word:] [:no:] && -- ~~ ~ & \& * + ? *? { } {2} {0} {1,} {0,2}? {2,1} {,2} , : \ \d \D \s \S \w \W \b \B \A \z \n \t \. \- \] \x41
    \x{e9} \u00e9 \u{d800} \U0000007F \q \1";

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![9 => any_of(PIECES), 1 => select(&[" ", "\n"][..])];
    prop::collection::vec(piece, 0..8).prop_map(|all| all.concat())
}

/// Patterns that are right, most of them.
fn patterns() -> impl Strategy<Value = String> {
    let one = any_of(r"a B k é 0 _ . \d \W \s [a-c_] [^b-zé] [[:upper:]\d-] [^\W0] []^-]");
    let look = any_of(r"^ $ \b \B \A \z (?i) (?s) (?m) (?-i)");
    let leaf = prop_oneof![4 => one, 1 => look].prop_map(str::to_owned);
    leaf.prop_recursive(5, 24, 4, |inner| {
        let group = any_of("( (?: (?<x> (?i: (?m: (?s-i:");
        let times = any_of("* + ? +? {2} {1,3} {0,} {2,}? **");
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|all| all.concat()),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|all| all.join("|")),
            (group, inner, times).prop_map(|(group, inner, times)| format!("{group}{inner}){times}")),
        ]
    })
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![9 => any_of("a b B k z K é É ſ 0 9 _ - ] 翻 🦀"), 1 => select(&[" ", "\n", "\r"][..])];
    prop::collection::vec(piece, 0..9).prop_map(|all| all.concat())
}

fn any_of(by_spaces: &'static str) -> impl Strategy<Value = &'static str> + Clone {
    select(by_spaces.split_whitespace().collect::<Vec<_>>())
}

/// What the other takes beyond this: flags of its own, bounds of words by their side, sets of classes, and flags between an item
/// and its repetition.
fn is_beyond(pattern: &str, ours: &str) -> bool {
    let flags = |group: &str| group.split([')', ':', '<']).next().is_some_and(|flags| flags.contains(['x', 'R']));
    pattern.split("(?").skip(1).any(|group| flags(group) || ours == "nothing to repeat")
        || ["&&", "\\<", "\\>", "\\b{"].iter().any(|set| pattern.contains(set))
}

fn agree(pattern: &str, texts: &[String]) -> Result<(), TestCaseError> {
    match (Regex::new(pattern), regex_lite::Regex::new(pattern)) {
        (Ok(ours), Ok(theirs)) => {
            for text in texts {
                prop_assert_eq!(ours.is_match(text), theirs.is_match(text), "{:?} in {:?}", pattern, text);
            }
        }
        (Ok(_), Err(theirs)) => {
            let theirs = theirs.to_string();
            // Names mean nothing here, nor do flags that are none.
            let harmless = theirs.contains("duplicate capture group name") || theirs.contains("empty flag directive");
            prop_assert!(harmless, "{:?}: {}", pattern, theirs);
        }
        (Err(ours), Ok(_)) => prop_assert!(is_beyond(pattern, ours), "{:?}: {}", pattern, ours),
        (Err(_), Err(_)) => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn c11_the_same_patterns_match_the_same_texts(pattern in patterns(), texts in prop::collection::vec(texts(), 8)) {
        agree(&pattern, &texts)?;
    }

    #[test]
    fn c11_the_same_patterns_are_wrong(pattern in pieces(), texts in prop::collection::vec(texts(), 4)) {
        agree(&pattern, &texts)?;
    }
}

#[test]
fn c11_case_is_that_of_ascii() {
    let matches = |pattern, text| Regex::new(pattern).unwrap().is_match(text);
    assert!(matches("(?i)ISSUE", "list_issues") && matches("(?i)[^A-Y]", "z") && !matches("(?i)[^A-Z]", "z"));
    assert!(!matches("(?i)É", "é") && !matches("(?i)k", "\u{212A}"));
    assert!(!matches("a(?i:b)c", "ABC") && matches("a(?i:b)c", "aBc") && matches("a(?i)b|c", "C"));
}

#[test]
fn c11_size_is_bounded_by_what_repeats() {
    for fits in ["x{512}", "(a?){100}", "((a{8}){8}){7}", "\\w{0,200}"] {
        assert!(Regex::new(fits).is_ok(), "{fits}");
    }
    for large in ["x{513}", "(a?){500}", "((((a{50}){50}){50}){50})", "(){1000000000}", "x{99999999999999999999}"] {
        assert!(Regex::new(large).is_err(), "{large}");
    }
    let deep = "(".repeat(100) + &")".repeat(100);
    assert!(Regex::new(&deep).unwrap().is_match(""));
}

#[test]
fn c11_what_repeats_nothing_ends() {
    for pattern in ["(a*)*b", "(|a)+b", "(^)*b", "((a?)*)*b", "(a|a)*b"] {
        assert!(!Regex::new(pattern).unwrap().is_match(&"a".repeat(10_000)), "{pattern}");
    }
}

#[test]
fn c11_a_class_is_no_set() {
    let matches = |pattern, text| Regex::new(pattern).unwrap().is_match(text);
    assert!(
        matches("[-a]", "-")
            && matches("[a-]", "-")
            && matches("[&~]", "~")
            && matches(r"[a\&&]", "&")
            && matches("[--]", "-")
            && matches(r"[\d-]", "-")
    );
}

#[test]
fn c11_what_is_wrong_is_said() {
    const SET: &str = "a class is no set: write \\& for a `&`, and so for `-` and `~`, where two stand together";
    for (pattern, what) in [
        ("(a", "a group without its `)`"),
        ("a)", "a `)` without its group"),
        ("[a", "a class without its `]`"),
        ("[z-a]", "a range that ends before it begins"),
        ("[\\d-z]", "a range that begins with a class"),
        ("*", "nothing to repeat"),
        ("(?i)*", "nothing to repeat"),
        ("a{", "a repetition is {n}, {n,} or {n,m}"),
        ("\\p{L}", "an escape that is none"),
        ("word\\>", "an escape that is none"),
        ("[\\<]", "an escape that is none"),
        ("a\\", "a `\\` at the end"),
        ("\\x{d800}", "a character's number that is none"),
        ("[a&&b]", SET),
        ("[a-z--x]", SET),
        ("[0~~1]", SET),
    ] {
        assert_eq!(Regex::new(pattern).unwrap_err(), what, "{pattern}");
    }
    for pattern in ["(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)", "(?#a)", "(?P=a)"] {
        assert!(Regex::new(pattern).unwrap_err().ends_with("it cannot look around"), "{pattern}");
    }
}
