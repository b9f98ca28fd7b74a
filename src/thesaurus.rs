//! A small thesaurus of the words that tools are named by (rule B6).
//!
//! A word widens a query to the others of its group, at a lower weight: a tool that only the thesaurus finds stands
//! behind every tool that has a word of the query itself. A group holds what people really swap when they ask for one
//! and the same tool, and nothing that tells tools apart (`read` and `open` are two things, `start` and `create` too).

use crate::text::stem;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Entries of two words are phrases: the two must stand side by side in the query.
const GROUPS: &[&[&str]] = &[
    // What is done to a thing: the four of every interface, under the names that vendors give them.
    &["delete", "remove", "erase", "destroy", "drop", "purge", "trash"],
    &["create", "add", "new", "make", "insert", "generate"],
    &["update", "edit", "modify", "change", "patch", "alter"],
    &["list", "show", "view", "display", "browse", "enumerate", "get all"],
    &["get", "fetch", "retrieve", "obtain"],
    &["search", "find", "query", "lookup", "look up", "look for"],
    // Moving things.
    &["send", "post", "deliver"],
    &["copy", "duplicate", "clone"],
    &["move", "transfer", "relocate"],
    &["download", "export"],
    &["upload", "import", "put"],
    // Running things.
    &["run", "execute", "invoke", "launch"],
    &["start", "launch", "begin", "boot"],
    &["stop", "halt", "terminate", "kill", "shutdown", "shut down"],
    &["cancel", "abort", "revoke"],
    &["enable", "activate", "turn on"],
    &["disable", "deactivate", "turn off"],
    &["schedule", "reminder", "remind", "cron", "timer", "recurring"],
    // Working things out.
    &["calculate", "compute", "evaluate"],
    &["convert", "transform"],
    &["check", "verify", "validate"],
    &["analyze", "analyse", "analysis", "inspect"],
    &["summarize", "summary", "overview"],
    &["compare", "diff", "difference"],
    &["buy", "purchase"],
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
    &["price", "cost"],
    &["weather", "forecast"],
    &["chart", "graph", "plot"],
    &["todo", "task"],
    &["error", "exception", "failure"],
];

type ByStem = BTreeMap<String, Vec<usize>>;

/// Groups by the stem of a member; a phrase's key is its two stems with a space.
fn table() -> &'static ByStem {
    static TABLE: OnceLock<ByStem> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = ByStem::new();
        for (number, group) in GROUPS.iter().enumerate() {
            for member in *group {
                let groups = table.entry(key(member)).or_default();
                if groups.last() != Some(&number) {
                    groups.push(number);
                }
            }
        }
        table
    })
}

fn key(member: &str) -> String {
    member.split(' ').map(|word| stem(word).into_owned()).collect::<Vec<_>>().join(" ")
}

/// The stems of the other members of a word's or phrase's groups, single words only. `stems` is one stem, or two with a
/// space between.
pub(crate) fn others(stems: &str) -> Vec<String> {
    let mut all = Vec::new();
    for &group in table().get(stems).into_iter().flatten() {
        for member in GROUPS[group] {
            let member = key(member);
            if member != stems && !member.contains(' ') && !all.contains(&member) {
                all.push(member);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b6_groups() {
        assert!(others("remov").contains(&"delet".to_owned()));
        assert!(others("look up").contains(&"search".to_owned()));
        assert!(others("pull request").contains(&"pr".to_owned()));
        assert!(others("read").is_empty());
    }

    #[test]
    fn members_are_lower_case_and_stand_once_in_a_group() {
        for group in GROUPS {
            let mut keys: Vec<_> = group.iter().map(|m| key(m)).collect();
            assert!(group.iter().all(|m| m.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == ' ')));
            keys.sort();
            keys.dedup();
            assert!(keys.len() > 1, "{group:?}");
        }
    }
}
