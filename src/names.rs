//! Names: callable and raw, their looser spellings, patterns over them, and close ones.

use crate::sorted;
use crate::text::lower_case;
use crate::tool::{Load, Tool};
use std::borrow::Cow;

/// What a server's callable names begin with: `mcp__<server>__`.
pub(crate) fn prefix(server: &str) -> String {
    format!("mcp__{}__", wire(server))
}

/// Characters outside `[A-Za-z0-9_.-]` become `_` (rule A1).
fn wire(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-')) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') { c } else { '_' }).collect()
}

/// The callable and the raw name of a tool that its source calls `name` (rule A1). `start` is the [`prefix`] of its server.
pub(crate) fn callable_and_raw<'n>(name: &'n str, start: Option<&str>, prefixed: bool) -> (Cow<'n, str>, &'n str) {
    let Some(start) = start else { return (Cow::Borrowed(name), name) };
    match name.strip_prefix(start) {
        Some(raw) if !raw.is_empty() => (if prefixed { wire(name) } else { Cow::Borrowed(name) }, raw),
        _ if prefixed => (Cow::Owned([start, &wire(name)].concat()), name),
        _ => (Cow::Borrowed(name), name),
    }
}

/// The most characters of a portable name.
const PORTABLE: usize = 64;

/// A callable name that every provider takes: as it is where it matches `^[A-Za-z_][A-Za-z0-9_-]{0,63}$` and nothing of `given`,
/// the name that its source has for it, was lost in it; else an alias, its beginning and a hash of both. The same in every process.
pub(crate) fn portable<'n>(name: Cow<'n, str>, given: &str) -> Cow<'n, str> {
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let fits = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')) && name.starts_with(is_first);
    if fits && name.len() <= PORTABLE && given.is_ascii() {
        return name;
    }
    // FNV-1a.
    let bytes = name.bytes().chain(given.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let plain: String = wire(&name).replace('.', "_");
    let start = if plain.starts_with(is_first) { plain } else { format!("_{plain}") };
    format!("{}_{:08x}", &start[..start.len().min(PORTABLE - 9)], (hash ^ hash >> 32) as u32).into()
}

/// Whether a name begins as those of servers do, whatever the case.
pub(crate) fn is_prefixed(name: &str) -> bool {
    name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("mcp__"))
}

/// A name with case and separators ignored (rule C2); `mcp__` in front does not count.
pub(crate) fn squash(name: &str) -> Cow<'_, str> {
    let name = if is_prefixed(name) { &name[5..] } else { name };
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    if name.bytes().all(is_plain) {
        return Cow::Borrowed(name);
    }
    if name.is_ascii() {
        let (mut out, mut length) = (vec![0; name.len()], 0);
        for byte in name.bytes() {
            out[length] = byte.to_ascii_lowercase();
            length += usize::from(byte.is_ascii_alphanumeric());
        }
        out.truncate(length);
        return Cow::Owned(String::from_utf8(out).unwrap_or_default());
    }
    Cow::Owned(lower_case(&name.chars().filter(|c| c.is_alphanumeric()).collect::<String>()))
}

/// A name pattern in which `*` stands for anything and `?` for one character; everything else is itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glob(String);

impl Glob {
    pub(crate) fn new(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    pub(crate) fn pattern(&self) -> &str {
        &self.0
    }

    /// Whether a pattern has no wildcard and so names one name.
    pub(crate) fn is_literal(pattern: &str) -> bool {
        !pattern.contains(['*', '?'])
    }

    /// Time in proportion to pattern times text at worst: on a mismatch only the last `*` is taken up again.
    pub(crate) fn matches(&self, text: &str) -> bool {
        if self.0.is_ascii() && text.is_ascii() {
            return matches_units(self.0.as_bytes(), text.as_bytes(), b'*', b'?');
        }
        let (pattern, text): (Vec<char>, Vec<char>) = (self.0.chars().collect(), text.chars().collect());
        matches_units(&pattern, &text, '*', '?')
    }

    /// Whether it could match some text that begins so.
    fn reaches(&self, start: &str) -> bool {
        let head = self.0.split(['*', '?']).next().unwrap_or_default();
        if head.len() == self.0.len() {
            head.starts_with(start)
        } else {
            head.starts_with(start) || start.starts_with(head)
        }
    }
}

fn matches_units<T: Copy + PartialEq>(pattern: &[T], text: &[T], any: T, one: T) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(&c) if c == any => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == one || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    p = at + 1;
                    t = from + 1;
                    star = Some((at, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == any)
}

/// Name patterns; names among them, which are most of the time all of them, are looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Patterns {
    /// Sorted.
    names: Vec<String>,
    globs: Vec<Glob>,
}

impl Patterns {
    fn new(patterns: &[String]) -> Self {
        let (names, globs): (Vec<&str>, Vec<&str>) = patterns.iter().map(|p| &**p).partition(|p| Glob::is_literal(p));
        let names = sorted::distinct(&names).iter().map(|&at| names[at].to_owned()).collect();
        Self { names, globs: globs.iter().map(|glob| Glob::new(glob)).collect() }
    }

    fn matches(&self, name: &str, raw_name: &str) -> bool {
        self.has(name) || self.has(raw_name) || self.globs.iter().any(|g| g.matches(name) || g.matches(raw_name))
    }

    fn has(&self, name: &str) -> bool {
        self.names.binary_search_by(|own| (**own).cmp(name)).is_ok()
    }

    /// Whether some name that begins so could match.
    fn reach(&self, start: &str) -> bool {
        let next = self.names.partition_point(|name| **name < *start);
        self.names.get(next).is_some_and(|name| name.starts_with(start)) || self.globs.iter().any(|g| g.reaches(start))
    }
}

/// Which tools exist for a search or a session (rule C9): every pattern is held against the callable and the raw name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// Where there are any: most sessions, of which there may be thousands, have none.
    rules: Option<Box<Rules>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rules {
    allow: Option<Patterns>,
    deny: Patterns,
}

impl Filter {
    pub(crate) fn new(allow: Option<&[String]>, deny: &[String]) -> Self {
        let is_open = allow.is_none() && deny.is_empty();
        let rules = || Rules { allow: allow.map(Patterns::new), deny: Patterns::new(deny) };
        Self { rules: (!is_open).then(|| Box::new(rules())) }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.rules.is_none()
    }

    pub(crate) fn passes(&self, name: &str, raw_name: &str) -> bool {
        self.rules.as_deref().is_none_or(|Rules { allow, deny }| {
            allow.as_ref().is_none_or(|allow| allow.matches(name, raw_name)) && !deny.matches(name, raw_name)
        })
    }

    pub(crate) fn sees(&self, tool: &Tool) -> bool {
        self.passes(tool.name(), tool.raw_name())
    }

    pub(crate) fn sees_deferred(&self, tool: &Tool) -> bool {
        tool.load == Load::Deferred && self.sees(tool)
    }

    /// Whether a server that has shown no tools yet may be spoken of: whether a callable name of it is allowed, and not all
    /// of them are denied.
    pub(crate) fn passes_server(&self, server: &str) -> bool {
        let Some(Rules { allow, deny }) = self.rules.as_deref() else { return true };
        let start = prefix(server);
        allow.as_ref().is_none_or(|allow| allow.reach(&start)) && !deny.matches(&(start + "?"), "?")
    }
}

/// Counts single edits (insert, delete, replace, swap of neighbours) between one text and many others.
pub(crate) struct Distance {
    target: Vec<char>,
    other: Vec<char>,
    /// The last three rows of the table, over the target.
    rows: [Vec<usize>; 3],
}

impl Distance {
    pub(crate) fn from(target: &str) -> Self {
        let mut all = Vec::with_capacity(target.len());
        all.extend(target.chars());
        Self { target: all, other: Vec::new(), rows: [const { Vec::new() }; 3] }
    }

    /// The edits to `other`, or `None` when they are more than `max`.
    pub(crate) fn to(&mut self, other: &str, max: usize) -> Option<usize> {
        let length = self.target.len();
        let other_length = if other.is_ascii() { other.len() } else { other.chars().count() };
        if other_length.abs_diff(length) > max {
            return None;
        }
        self.other.clear();
        self.other.reserve(other.len());
        self.other.extend(other.chars());
        // What both begin and end with costs no edit. Names of one server often differ in a few characters alone.
        let (mut a, mut b) = (&self.target[..], &self.other[..]);
        let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        (a, b) = (&a[same..], &b[same..]);
        let same = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
        (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
        self.rows.iter_mut().for_each(|row| row.resize(length + 1, 0));
        let [before, last, row] = &mut self.rows;
        let far = max + 1;
        last.iter_mut().take(a.len() + 1).enumerate().for_each(|(at, edits)| *edits = at);
        for i in 1..=b.len() {
            // Whatever is further off the diagonal than `max` takes more edits than that.
            let (from, to) = (i.saturating_sub(max).max(1), (i + max).min(a.len()));
            row[from - 1] = if from == 1 { i } else { far };
            let mut least = row[from - 1];
            for j in from..=to {
                let above = if j == i + max { far } else { last[j] + 1 };
                let mut edits = above.min(row[j - 1] + 1).min(last[j - 1] + usize::from(a[j - 1] != b[i - 1]));
                if i > 1 && j > 1 && a[j - 1] == b[i - 2] && a[j - 2] == b[i - 1] {
                    edits = edits.min(before[j - 2] + 1);
                }
                row[j] = edits;
                least = least.min(edits);
            }
            if least > max {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        Some(last[a.len()]).filter(|&edits| edits <= max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_callable_names() {
        let both = |name, server: Option<&str>, prefixed| {
            let (callable, raw) = callable_and_raw(name, server.map(prefix).as_deref(), prefixed);
            (callable.into_owned(), raw.to_owned())
        };
        assert_eq!(
            both("create issue", Some("git hub"), true),
            ("mcp__git_hub__create_issue".into(), "create issue".into())
        );
        assert_eq!(both("mcp__gh__x", Some("gh"), true), ("mcp__gh__x".into(), "x".into()));
        assert_eq!(both("mcp__gh__x", Some("gh"), false), ("mcp__gh__x".into(), "x".into()));
        assert_eq!(both("x", Some("gh"), false), ("x".into(), "x".into()));
        assert_eq!(both("🦀", None, true), ("🦀".into(), "🦀".into()));
    }

    #[test]
    fn portable_names() {
        let long = format!("mcp__github__{}", "x".repeat(100));
        for (name, given) in
            [(&*long, ""), ("mcp__s__a.b", "a.b"), ("2fa", "2fa"), ("🦀", "🦀"), ("mcp__law____", "法令")]
        {
            let alias = portable(name.into(), given);
            assert!(alias.len() <= 64 && alias != name, "{alias}");
            assert!(alias.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')), "{alias}");
            assert!(alias.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'), "{alias}");
            assert_eq!(portable(name.into(), given), alias);
            assert_ne!(portable(name.into(), "検索"), alias);
        }
        assert_eq!(portable("mcp__github__create_issue".into(), "create_issue"), "mcp__github__create_issue");
    }

    #[test]
    fn globs() {
        let m = |p: &str, t: &str| Glob::new(p).matches(t);
        assert!(m("mcp__*__get_*", "mcp__github__get_issue") && m("*", "") && m("a?c", "abc") && m("**b", "ab"));
        assert!(!m("a?c", "ac") && !m("get", "get_x") && !m("*x", "xy"));
        assert!(!m(&"*a".repeat(60), &"a".repeat(59)));
    }

    #[test]
    fn distances() {
        let distance = |a: &str, b: &str, max| Distance::from(a).to(b, max);
        assert_eq!(distance("isuse", "issue", 2), Some(1));
        assert_eq!(distance("kitten", "sitting", 3), Some(3));
        assert_eq!(distance("abc", "xyz", 2), None);
        assert_eq!(distance("", "ab", 2), Some(2));
        assert_eq!(distance("né", "ne", 1), Some(1));
        let mut many = Distance::from("message");
        assert_eq!(
            ["mesage", "massage", "message", "messages"].map(|w| many.to(w, 1)),
            [Some(1), Some(1), Some(0), Some(1)]
        );
    }

    #[test]
    fn distances_near_the_diagonal_are_those_of_the_whole_table() {
        let mut words: Vec<String> = vec![String::new()];
        for length in 0..5 {
            let longest: Vec<String> = words.iter().filter(|w| w.len() == length).cloned().collect();
            words.extend(longest.iter().flat_map(|w| ["a", "b", "c"].map(|c| w.clone() + c)));
        }
        let whole = |a: &[u8], b: &[u8]| {
            let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
            for (i, j) in (0..=a.len()).flat_map(|i| (0..=b.len()).map(move |j| (i, j))) {
                table[i][j] = match (i, j) {
                    (0, _) => j,
                    (_, 0) => i,
                    _ => {
                        let put = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                        let edits = put.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                        let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                        if swaps { edits.min(table[i - 2][j - 2] + 1) } else { edits }
                    }
                };
            }
            table[a.len()][b.len()]
        };
        for target in words.iter().step_by(3) {
            let mut distance = Distance::from(target);
            for other in &words {
                let edits = whole(target.as_bytes(), other.as_bytes());
                for max in 1..=3 {
                    let wanted = Some(edits).filter(|edits| *edits <= max);
                    assert_eq!(distance.to(other, max), wanted, "{target} {other} {max}");
                }
            }
        }
    }

    #[test]
    fn squashed() {
        for name in ["createIssue", "create_issue", "create issue", "mcp__create-issue", "CREATE.ISSUE"] {
            assert_eq!(squash(name), "createissue");
        }
    }
}
