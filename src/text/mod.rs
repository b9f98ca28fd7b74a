//! Words: how names and prose become what is compared (rules B2 to B5).
//!
//! Catalog and query go through the same functions, so whatever is done to one is done to the other.

mod english;
mod identifier;
mod normalize;
mod script;
mod stem;
mod stop;

pub(crate) use identifier::name_words;
pub(crate) use normalize::{fold, lower_case};
pub(crate) use stem::stem;
pub(crate) use stop::{is_stop, stop_words};

/// What a word is to the text it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word of its own, or a part of an identifier: what lengths are counted in.
    Part,
    /// An identifier joined (`webfetch` of `web_fetch`), beside its parts.
    Whole,
    /// One character of a script without spaces, beside its pairs: what a query of that one character finds.
    Single,
    /// All characters of such a script that stand together, in place of their pairs.
    #[cfg(feature = "meaning")]
    Run,
}

/// The longest word that is kept, in bytes; anything longer is data, not language.
const MAX_WORD: usize = 64;

/// Calls `emit` with every word of a text, lower case and folded, stop words included.
///
/// A word that is an identifier (`getURLs`, `web_fetch`, `oauth2`) yields its parts and itself joined. Runs of scripts
/// without spaces yield the pairs of neighbouring characters.
pub(crate) fn words(text: &str, emit: &mut dyn FnMut(&str, Kind)) {
    each_run(text, &mut |run, unspaced| if unspaced { script::pairs(run, emit) } else { spaced_words(run, emit) });
}

/// The same with whole runs of scripts without spaces in place of their pairs.
#[cfg(feature = "meaning")]
pub(crate) fn words_and_runs(text: &str, emit: &mut dyn FnMut(&str, Kind)) {
    each_run(text, &mut |run, unspaced| if unspaced { emit(run, Kind::Run) } else { spaced_words(run, emit) });
}

/// Calls `visit` with the runs of a folded text that are written with spaces, and those that are not.
fn each_run(text: &str, visit: &mut dyn FnMut(&str, bool)) {
    if text.is_ascii() {
        return visit(text, false);
    }
    let folded = fold(text);
    let mut rest = folded.as_ref();
    while let Some(first) = rest.chars().next() {
        let unspaced = script::is_unspaced(first);
        let end = rest.find(|c| script::is_unspaced(c) != unspaced).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        visit(run, unspaced);
        rest = after;
    }
}

/// The words of a text with spaces. What UAX #29 tells of numbers and of single scripts makes no other words once
/// identifiers have fallen into their parts, so a few lines stand for its tables.
fn spaced_words(text: &str, emit: &mut dyn FnMut(&str, Kind)) {
    let mut words = SpacedWords::new(text);
    loop {
        while let Some(word) = words.plain() {
            emit(word.text(&mut [0; Plain::LONGEST]), Kind::Part);
        }
        if !words.other(emit) {
            return;
        }
    }
}

/// Reads the words of a text with spaces, first of all those that most are.
pub(crate) struct SpacedWords<'a> {
    text: &'a str,
    at: usize,
}

/// A word of few letters from a to z: eight of them in each of two numbers, the first one lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plain {
    pub letters: [u64; 2],
    pub length: usize,
}

impl Plain {
    /// Its most letters.
    pub(crate) const LONGEST: usize = 15;

    /// A word as it is, where it fits.
    pub(crate) fn new(word: &str) -> Option<Self> {
        let length = word.len();
        let letters = [eight(word.as_bytes(), 0), eight(word.as_bytes(), 8)];
        (length <= Self::LONGEST).then_some(Self { letters, length })
    }

    pub(crate) fn text(self, room: &mut [u8; Self::LONGEST]) -> &str {
        let bytes = self.letters.iter().flat_map(|letters| letters.to_le_bytes());
        room.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
        std::str::from_utf8(&room[..self.length]).unwrap_or_default()
    }
}

impl<'a> SpacedWords<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next word, if it is plain: lower case but for the first letter, and followed by nothing that could belong to it.
    #[inline(always)]
    pub(crate) fn plain(&mut self) -> Option<Plain> {
        let bytes = self.text.as_bytes();
        // Most of it is ASCII, which needs no look at characters.
        while bytes.get(self.at).is_some_and(|byte| is(*byte, BETWEEN)) {
            self.at += 1;
        }
        let first = eight(bytes, self.at);
        let first = if (first as u8).is_ascii_uppercase() { first | 0x20 } else { first };
        let mut length = letters(first);
        let mut word = Plain { letters: [first, 0], length };
        if length < 8 {
            word.letters[0] &= (1 << (8 * length)) - 1;
        } else {
            let second = eight(bytes, self.at + 8);
            let more = letters(second);
            length += more;
            word = Plain { letters: [first, second & (1u64 << (8 * (more & 7))).wrapping_sub(1)], length };
        }
        let end = self.at + length;
        if length.wrapping_sub(1) >= Plain::LONGEST || !ends_word(bytes, end) {
            return None;
        }
        // With what follows it, which is none that a word begins with.
        self.at = end + 1;
        Some(word)
    }

    /// The next word, whatever it is made of; `false` when there is none.
    pub(crate) fn other(&mut self, emit: &mut dyn FnMut(&str, Kind)) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(start) = rest.find(|c: char| c == '_' || c.is_alphanumeric()) else { return false };
        let word = &rest[start..];
        let word = &word[..word_length(word)];
        self.at += start + word.len();
        identifier::prose_word(word, emit);
        true
    }
}

/// The eight bytes that stand there, the first one lowest; zeros behind the end.
#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => rest.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)),
    }
}

/// With how many letters from a to z eight bytes begin.
#[inline(always)]
fn letters(bytes: u64) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let low = bytes & (ONES * 0x7F);
    // In each byte the highest bit says that it is at least `a`, and above `z`.
    let (from_a, above_z) = (low + ONES * (0x80 - 0x61), low + ONES * (0x80 - 0x7B));
    let others = (bytes | !from_a | above_z) & (ONES * 0x80);
    others.trailing_zeros() as usize / 8
}

/// Whether a word that ends there is all of it.
#[inline(always)]
fn ends_word(bytes: &[u8], end: usize) -> bool {
    let ends = |at: usize, of: u8| bytes.get(at).is_none_or(|byte| is(*byte, of));
    ends(end, ENDS) || (is(bytes[end], BETWEEN) && ends(end + 1, BETWEEN))
}

/// ASCII that is no letter, no digit and not `_`.
const BETWEEN: u8 = 1;
/// What of it cannot stand within a word.
const ENDS: u8 = 2;

#[inline(always)]
fn is(byte: u8, of: u8) -> bool {
    const TABLE: [u8; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 128 {
            let code = byte as u8;
            if !code.is_ascii_alphanumeric() && code != b'_' {
                table[byte] = if matches!(code, b'.' | b':' | b'\'') { BETWEEN } else { BETWEEN | ENDS };
            }
            byte += 1;
        }
        table
    };
    TABLE[byte as usize] & of != 0
}

/// The bytes of the word that a text begins with: letters, digits, marks and `_` hold together, and so does one `.`, `:`,
/// `·` or apostrophe between them.
fn word_length(text: &str) -> usize {
    let plain = text.bytes().take_while(|b| b.is_ascii() && !is(*b, BETWEEN)).count();
    if text.as_bytes().get(plain).is_none_or(|next| is(*next, ENDS)) {
        return plain;
    }
    let holds = |c: char| c == '_' || script::is_letter(c);
    let mut chars = text[plain..].chars();
    loop {
        let length = text.len() - chars.as_str().len();
        let goes_on = match chars.next() {
            Some('.' | ':' | '·' | '\'' | '’') => chars.clone().next().is_some_and(holds),
            next => next.is_some_and(holds),
        };
        if !goes_on {
            return length;
        }
    }
}

/// The parts of a text between the marks that end a sentence or a clause. A mark inside a word (`v2.1`) ends none.
pub(crate) fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let marks = rest.match_indices(|c: char| {
            matches!(c, '.' | ',' | ';' | '?' | '!' | '\n' | '。' | '、' | '，' | '？' | '！')
        });
        let end = marks.map(|(at, mark)| (mark, at + mark.len())).find(|&(mark, end)| {
            !mark.is_ascii() || mark == "\n" || rest[end..].chars().next().is_none_or(char::is_whitespace)
        });
        let (clause, after) = rest.split_at(end.map_or(rest.len(), |(_, end)| end));
        rest = after;
        Some(clause).filter(|clause| !clause.is_empty())
    })
}

/// Whether a text has any character that words are made of.
pub(crate) fn has_word_characters(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The lower case of a word, in a buffer of the caller's: most words are ASCII.
fn lower(word: &str, out: &mut String) {
    out.clear();
    if word.is_ascii() {
        out.push_str(word);
        out.make_ascii_lowercase();
    } else {
        out.push_str(&lower_case(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        words(text, &mut |w, k| out.extend((k != Kind::Single).then(|| w.to_owned())));
        out
    }

    fn named(name: &str) -> Vec<String> {
        let mut out = Vec::new();
        name_words(name, &mut |w, _| out.push(w.to_owned()));
        out
    }

    #[test]
    fn b2_names_split_at_separators_case_and_digits() {
        assert_eq!(named("getURLsForHTMLPage"), ["get", "urls", "for", "html", "page", "geturlsforhtmlpage"]);
        assert_eq!(named("create-issue.v2"), ["create", "issue", "v2", "createissuev2"]);
        assert_eq!(named("tool_10"), ["tool", "10", "tool10"]);
        assert_eq!(named("oauth2Token"), ["oauth", "2", "oauth2", "token", "oauth2token"]);
        assert_eq!(
            named("hosting_startNode_jsBuildV1"),
            ["hosting", "start", "node", "js", "build", "v1", "hostingstartnodejsbuildv1"]
        );
        assert_eq!(named("S3"), ["s3"]);
        assert_eq!(named("grep"), ["grep"]);
        assert_eq!(named("getPRs"), ["get", "prs", "getprs"]);
    }

    #[test]
    fn b3_prose_is_words_and_identifiers_in_it_are_parts() {
        assert_eq!(
            all("Add an icon to your project's icons."),
            ["add", "an", "icon", "to", "your", "project", "icons"]
        );
        assert_eq!(all("Calls web_fetch, e.g. v2"), ["calls", "web", "fetch", "webfetch", "e", "g", "eg", "v2"]);
        assert_eq!(all("GitHub's API don't"), ["github", "api", "don"]);
        assert_eq!(all("Création d’un café, Ｆｕｌｌ"), ["creation", "d", "un", "dun", "cafe", "full"]);
        assert_eq!(all("straße Ωmega"), ["strasse", "ωmega"]);
    }

    #[test]
    fn b3_words_of_other_scripts() {
        assert_eq!(all("Создай задачу: «отчёт», №5-й"), ["создаи", "задачу", "отчет", "no", "5", "no5", "и"]);
        assert_eq!(all("ابحث عن الملفات، ثم احذفها؟"), ["ابحث", "عن", "الملفات", "ثم", "احذفها"]);
        assert_eq!(all("פתח דו״ח חדש, בבקשה־תודה"), ["פתח", "דו״ח", "חדש", "בבקשה", "תודה"]);
        assert_eq!(all("शब्द खोजें। हिन्दी"), ["शब्द", "खोजें", "हिन्दी"]);
        assert_eq!(all("Tìm kiếm tệp của tôi"), ["tim", "kiem", "tep", "cua", "toi"]);
        assert_eq!(all("می‌خواهم col·lecció"), ["می‌خواهم", "col", "leccio", "colleccio"]);
        assert_eq!(all("🚀deploy🦀 👩‍💻now 🇩🇪 a–b — c…d"), ["deploy", "now", "a", "b", "c", "d"]);
        assert_eq!(named("deploy🚀stack"), ["deploy", "stack", "deploystack"]);
    }

    #[test]
    fn b4_unspaced_scripts_are_pairs() {
        assert_eq!(all("解析pdf"), ["解析", "pdf"]);
        assert_eq!(all("法令を調べて"), ["法令", "令を", "を調", "調べ", "べて"]);
        assert_eq!(all("猫"), ["猫"]);
        assert_eq!(all("이슈 생성하기"), ["이슈", "생성", "성하", "하기"]);
        assert!(!all("ค้นหาไฟล์").is_empty());
    }

    #[test]
    fn clauses_end_at_marks_and_not_inside_words() {
        let parts: Vec<&str> = clauses("Open v2.1, please. Then close\nit? 打开。关闭").collect();
        assert_eq!(parts, ["Open v2.1,", " please.", " Then close\n", "it?", " 打开。", "关闭"]);
        assert_eq!(clauses("").count(), 0);
    }

    #[test]
    fn long_and_odd_text_ends() {
        assert!(all(&"x".repeat(10_000)).is_empty());
        assert!(all("\u{0} \u{202e} 🦀 --- ' '").is_empty());
        assert_eq!(all("a'b''c.d..e"), ["a", "b", "ab", "c", "d", "cd", "e"]);
    }
}
