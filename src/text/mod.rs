//! Words: how names and prose become what is compared (rules B2 to B5).
//!
//! Catalog and query go through the same functions, so whatever is done to one is done to the other.

mod english;
mod identifier;
mod normalize;
mod script;
mod spaced;
mod stem;
mod stop;

pub(crate) use identifier::name_words;
pub(crate) use normalize::{fold, lower_case};
pub(crate) use spaced::{Short, SpacedWords, eight};
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
    each_run(text, &mut |run, unspaced| if unspaced { script::pairs(run, emit) } else { spaced::words(run, emit) });
}

/// The same with whole runs of scripts without spaces in place of their pairs.
#[cfg(feature = "meaning")]
pub(crate) fn words_and_runs(text: &str, emit: &mut dyn FnMut(&str, Kind)) {
    each_run(text, &mut |run, unspaced| if unspaced { emit(run, Kind::Run) } else { spaced::words(run, emit) });
}

/// Whether a short text stands in another. What the standard library searches with is made for long ones, and two kilobytes of the module.
pub(crate) fn has(text: &str, part: &str) -> bool {
    text.as_bytes().windows(part.len().max(1)).any(|own| own == part.as_bytes())
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
