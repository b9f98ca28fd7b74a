//! The query language (rules C1 to C5): what a model's query asks for, before any tool is looked at.

use crate::error::{Error, ErrorCode, Result};
use crate::json::text_of;
use crate::sorted;
use crate::text;
use std::borrow::Cow;

/// The longest regular expression, in characters (rule C11).
pub(crate) const MAX_PATTERN: usize = 200;
/// How much of a query of words is read, in bytes. A longer one is a text, and its beginning says what it is about.
const MAX_QUERY: usize = 16_384;

/// A query, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Query<'q> {
    /// `select:a, b`: the names, in the order asked, duplicates dropped.
    Select(Vec<Cow<'q, str>>),
    /// Anything else.
    Words(Words<'q>),
}

/// The words of a query that is no `select:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words<'q> {
    /// The query without white space around it.
    pub whole: &'q str,
    /// The query without a `server:` that it begins with.
    rest: &'q str,
    /// Its words by white space and commas, each once, punctuation around them trimmed; `+` not included.
    pub each: Vec<&'q str>,
    /// How many they are, repeated ones included.
    pub length: usize,
    /// The words behind a `+`, each once.
    pub required: Vec<&'q str>,
    /// The name behind `server:`, as one word.
    pub server: Option<&'q str>,
    /// All that stands behind a `server:` that the query begins with: names may have spaces.
    pub server_rest: Option<&'q str>,
}

impl<'q> Query<'q> {
    /// # Errors
    /// `empty_query`, `empty_select`.
    pub(crate) fn read(query: &'q str) -> Result<Self> {
        let query = query.trim();
        if query.is_empty() {
            return Err(Error::new(
                ErrorCode::EmptyQuery,
                "the query is empty; write what the tool should do, or select:<name>",
            ));
        }
        if let Some(names) = after(query, "select:") {
            let names: Vec<Cow<'_, str>> = names.split([',', '\n']).map(read_name).filter(|n| !n.is_empty()).collect();
            let first = sorted::ascending(&sorted::distinct(&names.iter().map(|name| &**name).collect::<Vec<_>>()));
            let all: Vec<Cow<'_, str>> = first.iter().map(|&at| names[at].clone()).collect();
            if all.is_empty() {
                return Err(Error::new(ErrorCode::EmptySelect, "`select:` names no tool; write select:<name>,<name>"));
            }
            return Ok(Self::Select(all));
        }
        Self::words(cut(query, MAX_QUERY))
    }

    fn words(query: &'q str) -> Result<Self> {
        let mut words = Words {
            whole: query,
            rest: query,
            each: Vec::with_capacity(8),
            length: 0,
            required: Vec::new(),
            server: None,
            server_rest: None,
        };
        let mut rest = query;
        if let Some(name) = after(query, "server:").map(str::trim_start).filter(|name| !name.is_empty()) {
            words.server_rest = Some(unquote(name));
            let end = name.find(is_gap).unwrap_or(name.len());
            words.server = Some(unquote(&name[..end]));
            rest = &name[end..];
        }
        words.rest = rest;
        for token in rest.split(is_gap).filter(|t| !t.is_empty()) {
            if let Some(server) = after(token, "server:").map(unquote).filter(|s| !s.is_empty()) {
                words.server = Some(server);
            } else if let Some(word) = token.strip_prefix('+') {
                words.required.extend(Some(trim(word.trim_start_matches('+'))).filter(|w| !w.is_empty()));
            } else {
                words.each.extend(Some(trim(token)).filter(|w| !w.is_empty()));
            }
        }
        words.length = words.each.len();
        words.each = sorted::once(words.each);
        words.required = sorted::once(words.required);
        if words.each.is_empty() && words.required.is_empty() && words.server.is_none() && query.starts_with('+') {
            return Err(Error::new(ErrorCode::EmptyQuery, "a `+` alone requires nothing; write +word"));
        }
        Ok(Self::Words(words))
    }
}

impl Words<'_> {
    /// The words that are none of `names`, nor required, with the punctuation between them: it tells where clauses end.
    pub(crate) fn text(&self, names: &[&str]) -> Cow<'_, str> {
        if names.is_empty() && self.required.is_empty() && self.server.is_none() {
            return Cow::Borrowed(self.rest);
        }
        let plain =
            |token: &str| !token.starts_with('+') && after(token, "server:").is_none_or(|s| unquote(s).is_empty());
        let named: Vec<&str> = sorted::distinct(names).iter().map(|&at| names[at]).collect();
        let is_named = |token: &str| named.binary_search(&trim(token.trim_end_matches(is_gap))).is_ok();
        let tokens = self.rest.split_inclusive(is_gap);
        let kept = tokens.filter(|token| plain(token) && !is_named(token));
        Cow::Owned(kept.collect())
    }

    /// # Errors
    /// `no_tokens` when there is nothing that could be searched for.
    pub(crate) fn check(&self) -> Result<()> {
        if text::has_word_characters(self.whole) {
            return Ok(());
        }
        Err(Error::new(ErrorCode::NoTokens, "the query has no words; write in words what the tool should do"))
    }
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// The rest of a text behind a keyword, whatever its case.
#[inline]
fn after<'t>(text: &'t str, keyword: &str) -> Option<&'t str> {
    let start = text.get(..keyword.len())?;
    start.eq_ignore_ascii_case(keyword).then(|| &text[keyword.len()..])
}

/// A name as it is written: bare, in quotes, or as it was shown, with escapes in it (`safe::name`).
fn read_name(written: &str) -> Cow<'_, str> {
    let written = written.trim();
    let escaped = text::has(written, "\\u").then(|| text_of(written)).flatten();
    escaped.unwrap_or_else(|| Cow::Borrowed(unquote(written)))
}

fn unquote(name: &str) -> &str {
    name.trim().trim_matches(['"', '\'', '`', '“', '”', '‘', '’']).trim()
}

/// A word without the punctuation of the sentence around it.
fn trim(word: &str) -> &str {
    // Most have none.
    if let [first, .., last] = word.as_bytes()
        && first.is_ascii_alphanumeric()
        && last.is_ascii_alphanumeric()
    {
        return word;
    }
    word.trim_matches(|c: char| {
        matches!(c, '"' | '\'' | '`' | '“' | '”' | '(' | ')' | '[' | ']' | '{' | '}' | '.' | ';' | ':' | '!' | '?')
    })
}

fn cut(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(query: &str) -> Words<'_> {
        match Query::read(query).unwrap() {
            Query::Words(words) => words,
            select => panic!("{select:?}"),
        }
    }

    #[test]
    fn c1_select() {
        assert_eq!(
            Query::read("SELECT: a, \"b c\" ,a,,'d'").unwrap(),
            Query::Select(vec!["a".into(), "b c".into(), "d".into()])
        );
        assert_eq!(Query::read(r#"select:"a\u002c b",c"#).unwrap(), Query::Select(vec!["a, b".into(), "c".into()]));
        for empty in ["select:", "select: , \"\""] {
            assert_eq!(Query::read(empty).unwrap_err().code(), ErrorCode::EmptySelect);
        }
    }

    #[test]
    fn c5_required_words() {
        let w = words("+slack send, message");
        assert_eq!((w.required, w.each), (vec!["slack"], vec!["send", "message"]));
        assert_eq!(words("+b +a +b b").required, ["b", "a"]);
        for empty in ["", "  ", "+", " + +"] {
            assert_eq!(Query::read(empty).unwrap_err().code(), ErrorCode::EmptyQuery, "{empty:?}");
        }
        assert_eq!(words("c++").each, ["c++"]);
    }

    #[test]
    fn punctuation_and_servers() {
        assert_eq!(words("search, the web!").each, ["search", "the", "web"]);
        assert_eq!(words("server:github issues").server, Some("github"));
        assert_eq!((words("Server: My x").server, words("Server: My x").server_rest), (Some("My"), Some("My x")));
        assert_eq!(words("server:").server, None);
        assert!(words("---").check().is_err_and(|e| e.code() == ErrorCode::NoTokens));
    }
}
