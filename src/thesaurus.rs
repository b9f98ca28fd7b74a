//! A small thesaurus of the words that tools are named by (rule B6).
//!
//! A word widens a query to the others of its group, at a lower weight: a tool that only the thesaurus finds stands
//! behind every tool that has a word of the query itself. A group holds what people really swap when they ask for one
//! and the same tool, and nothing that tells tools apart (`read` and `open` are two things, `start` and `create` too).

use crate::text::stem;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Entries of two words are phrases: in a query the two must stand side by side; in a tool the first of them will do, unless
/// it says nothing by itself.
const GROUPS: &[&[&str]] = &[
    // What is done to a thing: the four of every interface, under the names that vendors give them.
    &["delete", "remove", "erase", "destroy", "drop", "purge", "trash"],
    &["create", "add", "new", "make", "insert", "generate"],
    // A ticket or an account is opened.
    &["open", "create"],
    &["update", "edit", "modify", "change", "patch", "alter"],
    &["list", "show", "view", "display", "browse", "enumerate", "get all"],
    &["get", "fetch", "retrieve", "obtain"],
    &["search", "find", "query", "lookup", "look up", "look for"],
    // Moving things.
    &["send", "post", "deliver"],
    &["reply", "respond", "answer"],
    &["notify", "notification", "alert"],
    &["copy", "duplicate", "clone"],
    &["move", "transfer", "relocate"],
    &["download", "export"],
    &["upload", "import", "put"],
    // Running things.
    &["run", "execute", "invoke", "launch"],
    &["start", "launch", "begin", "boot"],
    &["stop", "halt", "terminate", "kill", "shutdown", "shut down"],
    &["restart", "reboot"],
    &["pause", "suspend"],
    &["resume", "continue"],
    &["cancel", "abort", "revoke"],
    &["enable", "activate", "turn on"],
    &["disable", "deactivate", "turn off"],
    &["schedule", "reminder", "remind", "cron", "timer", "recurring"],
    // Working things out.
    &["calculate", "compute", "evaluate"],
    &["convert", "conversion", "transform"],
    &["merge", "combine", "join"],
    &["compress", "zip", "archive"],
    &["check", "verify", "validate"],
    &["analyze", "analyse", "analysis", "inspect"],
    &["summarize", "summary", "overview"],
    &["compare", "comparison", "diff", "difference"],
    &["recommend", "suggest"],
    &["define", "definition", "meaning"],
    // Verbs whose nouns have another stem.
    &["describe", "description"],
    &["subscribe", "subscription"],
    &["transcribe", "transcription", "transcript"],
    &["buy", "purchase"],
    &["pay", "payment"],
    &["book", "reserve", "reservation", "booking"],
    // Things, where a short form stands for the long one.
    &["repository", "repo"],
    &["pr", "pull request", "merge request", "mr"],
    &["database", "db"],
    &["kubernetes", "k8s"],
    &["message", "msg"],
    &["configuration", "config", "settings"],
    &["environment", "env"],
    &["authentication", "auth", "authenticate", "login", "log in", "sign in"],
    &["documentation", "docs", "doc"],
    &["directory", "folder", "dir"],
    &["application", "app"],
    &["information", "info", "details"],
    &["statistics", "stats", "metrics"],
    &["organization", "organisation", "org"],
    &["vm", "virtual machine", "instance"],
    &["parameter", "param", "argument", "arg"],
    &["command", "cmd", "shell", "terminal"],
    &["javascript", "js"],
    &["identifier", "id"],
    // Things, where people say one and vendors the other.
    &["image", "picture", "photo", "img"],
    &["email", "mail", "e mail"],
    &["issue", "ticket", "bug"],
    &["web", "internet", "online"],
    &["website", "site", "webpage", "web page"],
    &["meeting", "appointment", "calendar event"],
    &["movie", "film"],
    &["car", "vehicle"],
    &["hotel", "accommodation", "lodging"],
    &["route", "directions", "navigation"],
    &["holiday", "vacation"],
    &["company", "business"],
    &["latest", "recent", "newest"],
    &["nearby", "near", "nearest"],
    &["price", "cost"],
    &["weather", "forecast"],
    &["chart", "graph", "plot"],
    &["todo", "task"],
    &["error", "exception", "failure"],
];

/// What stands for a word, or for it and the one behind it. All are stems.
#[derive(Default)]
struct Entry {
    others: Vec<String>,
    /// By the second word of a phrase that the word begins.
    phrases: Vec<(String, Vec<String>)>,
}

fn table() -> &'static BTreeMap<String, Entry> {
    static TABLE: OnceLock<BTreeMap<String, Entry>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: BTreeMap<String, Entry> = BTreeMap::new();
        for group in GROUPS {
            let words: Vec<String> = group.iter().filter_map(|member| stand_in(member)).collect();
            for member in *group {
                let mut parts = member.split(' ').map(|word| stem(word).into_owned());
                let (first, second) = (parts.next().unwrap_or_default(), parts.next());
                let entry = table.entry(first.clone()).or_default();
                let others = match second {
                    None => &mut entry.others,
                    Some(second) => {
                        let at =
                            entry.phrases.iter().position(|(word, _)| *word == second).unwrap_or(entry.phrases.len());
                        if at == entry.phrases.len() {
                            entry.phrases.push((second, Vec::new()));
                        }
                        &mut entry.phrases[at].1
                    }
                };
                for word in &words {
                    if *word != first && !others.contains(word) {
                        others.push(word.clone());
                    }
                }
            }
        }
        table
    })
}

/// The stem that stands for a member: a word's own, or of a phrase the first word that says something by itself.
fn stand_in(member: &str) -> Option<String> {
    let mut words = member.split(' ');
    let alone = |word: &&str| word.len() > 1 && !matches!(*word, "get" | "turn" | "web" | "calendar");
    match (words.next(), words.next()) {
        (Some(word), None) => Some(stem(word).into_owned()),
        (first, _) => first.filter(alone).map(|word| stem(word).into_owned()),
    }
}

/// Every stem that it has something for.
pub(crate) fn stems() -> impl Iterator<Item = &'static str> {
    table().keys().map(String::as_str)
}

/// The stems that stand for a phrase.
pub(crate) fn phrase(stem: &str, next: &str) -> &'static [String] {
    let phrases = table().get(stem).map_or(&[][..], |entry| &entry.phrases);
    phrases.iter().find(|(second, _)| second == next).map_or(&[], |(_, others)| others)
}

/// The stems that stand for a stem.
pub(crate) fn others(stem: &str) -> &'static [String] {
    table().get(stem).map_or(&[], |entry| &entry.others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b6_groups() {
        assert!(others("remov").contains(&"delet".to_owned()));
        assert!(phrase("look", "up").contains(&"search".to_owned()) && phrase("look", "out").is_empty());
        assert_eq!(phrase("pull", "request"), ["pr", "merg", "mr"]);
        assert_eq!(others("pr"), ["pull", "merg", "mr"]);
        assert!(others("read").is_empty());
    }

    #[test]
    fn members_are_lower_case_and_stand_once_in_a_group() {
        for group in GROUPS {
            let mut keys: Vec<_> = group.iter().map(|m| m.split(' ').map(stem).collect::<Vec<_>>().join(" ")).collect();
            assert!(group.iter().all(|m| m.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == ' ')));
            keys.sort();
            keys.dedup();
            assert!(keys.len() > 1, "{group:?}");
        }
    }
}
