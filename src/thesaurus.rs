//! A small thesaurus of the words that tools are named by (rule B6).
//!
//! A word widens a query to the others of its group, at a lower weight: a tool that only the thesaurus finds stands
//! behind every tool that has a word of the query itself. A group holds what people really swap when they ask for one
//! and the same tool, and nothing that tells tools apart (`read` and `open` are two things, `start` and `create` too).

use crate::text::stem;
use crate::vocabulary::Vocabulary;

/// Entries of two words are phrases: in a query the two must stand side by side; in a tool the first of them will do, unless
/// it says nothing by itself.
const GROUPS: &[&str] = &[
    // What is done to a thing: the four of every interface, under the names that vendors give them.
    "delete, remove, erase, destroy, drop, purge, trash",
    "create, add, new, make, insert, generate",
    // A ticket or an account is opened.
    "open, create",
    "update, edit, modify, change, patch, alter",
    "list, show, view, display, browse, enumerate, get all",
    "get, fetch, retrieve, obtain",
    "search, find, query, lookup, look up, look for",
    // Moving things.
    "send, post, deliver",
    "reply, respond, answer",
    "notify, notification, alert",
    "copy, duplicate, clone",
    "move, transfer, relocate",
    "download, export",
    "upload, import, put",
    // Running things.
    "run, execute, invoke, launch",
    "start, launch, begin, boot",
    "stop, halt, terminate, kill, shutdown, shut down",
    "restart, reboot",
    "pause, suspend",
    "resume, continue",
    "cancel, abort, revoke",
    "enable, activate, turn on",
    "disable, deactivate, turn off",
    "schedule, reminder, remind, cron, timer, recurring",
    // Working things out.
    "calculate, compute, evaluate",
    "convert, conversion, transform",
    "merge, combine, join",
    "compress, zip, archive",
    "check, verify, validate",
    "analyze, analyse, analysis, inspect",
    "summarize, summary, overview",
    "compare, comparison, diff, difference",
    "recommend, suggest",
    "define, definition, meaning",
    // Verbs whose nouns have another stem.
    "describe, description",
    "subscribe, subscription",
    "transcribe, transcription, transcript",
    "buy, purchase",
    "pay, payment",
    "book, reserve, reservation, booking",
    // Things, where a short form stands for the long one.
    "repository, repo",
    "pr, pull request, merge request, mr",
    "database, db",
    "kubernetes, k8s",
    "message, msg",
    "configuration, config, settings",
    "environment, env",
    "authentication, auth, authenticate, login, log in, sign in",
    "documentation, docs, doc",
    "directory, folder, dir",
    "application, app",
    "information, info, details",
    "statistics, stats, metrics",
    "organization, organisation, org",
    "vm, virtual machine, instance",
    "parameter, param, argument, arg",
    "command, cmd, shell, terminal",
    "javascript, js",
    "identifier, id",
    // Things, where people say one and vendors the other.
    "image, picture, photo, img",
    "email, mail, e mail",
    "issue, ticket, bug",
    "web, internet, online",
    "website, site, webpage, web page",
    "meeting, appointment, calendar event",
    "movie, film",
    "car, vehicle",
    "hotel, accommodation, lodging",
    "route, directions, navigation",
    "holiday, vacation",
    "company, business",
    "latest, recent, newest",
    "nearby, near, nearest",
    "price, cost",
    "weather, forecast",
    "chart, graph, plot",
    "todo, task",
    "error, exception, failure",
];

/// The thesaurus in the numbers that a vocabulary has for stems.
#[derive(Debug)]
pub(crate) struct Thesaurus {
    /// By stem: what stands for it.
    others: Vec<Vec<u32>>,
    /// What stands for two stems side by side.
    phrases: Vec<([u32; 2], Vec<u32>)>,
}

impl Thesaurus {
    /// Brings its stems into the vocabulary.
    pub(crate) fn new(stems: &mut Vocabulary) -> Self {
        let mut all = Self { others: Vec::new(), phrases: Vec::new() };
        for group in GROUPS {
            // Each member's first stem and, of a phrase, its second.
            let mut members: Vec<(u32, Option<u32>)> = Vec::new();
            let mut stand_ins: Vec<u32> = Vec::new();
            for member in group.split(',').map(str::trim_start) {
                let (word, next) = member.split_once(' ').map_or((member, None), |(word, next)| (word, Some(next)));
                let first = stems.intern(&stem(word));
                members.push((first, next.map(|next| stems.intern(&stem(next)))));
                if next.is_none() || says_something(word) {
                    stand_ins.push(first);
                }
            }
            all.others.resize(stems.len(), Vec::new());
            for (first, second) in members {
                let others = match second {
                    Some(second) => all.of_phrase([first, second]),
                    None => &mut all.others[first as usize],
                };
                for &stem in &stand_ins {
                    if stem != first && !others.contains(&stem) {
                        others.push(stem);
                    }
                }
            }
        }
        all
    }

    fn of_phrase(&mut self, phrase: [u32; 2]) -> &mut Vec<u32> {
        let known = self.phrases.iter().position(|(own, _)| *own == phrase);
        let at = known.unwrap_or_else(|| {
            self.phrases.push((phrase, Vec::new()));
            self.phrases.len() - 1
        });
        &mut self.phrases[at].1
    }

    /// The stems that stand for a stem.
    pub(crate) fn others(&self, stem: u32) -> &[u32] {
        self.others.get(stem as usize).map_or(&[], Vec::as_slice)
    }

    /// The stems that stand for two stems side by side.
    pub(crate) fn phrase(&self, stem: u32, next: u32) -> &[u32] {
        // Most stems are none of its own.
        if stem.max(next) as usize >= self.others.len() {
            return &[];
        }
        self.phrases.iter().find(|(phrase, _)| *phrase == [stem, next]).map_or(&[], |(_, others)| others)
    }
}

/// Whether the first word of a phrase may stand for it.
fn says_something(first: &str) -> bool {
    first.len() > 1 && !matches!(first, "get" | "turn" | "web" | "calendar")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b6_groups() {
        let mut stems = Vocabulary::default();
        let all = Thesaurus::new(&mut stems);
        let number = |word: &str| stems.get(word).unwrap();
        let words = |numbers: &[u32]| numbers.iter().map(|n| stems.word(*n).to_owned()).collect::<Vec<_>>();
        assert!(words(all.others(number("remov"))).contains(&"delet".to_owned()));
        assert!(words(all.phrase(number("look"), number("up"))).contains(&"search".to_owned()));
        assert!(all.phrase(number("look"), number("remov")).is_empty());
        assert_eq!(words(all.phrase(number("pull"), number("request"))), ["pr", "merg", "mr"]);
        assert_eq!(words(all.others(number("pr"))), ["pull", "merg", "mr"]);
        assert!(all.others(stems.len() as u32).is_empty());
    }

    #[test]
    fn members_are_lower_case_and_stand_once_in_a_group() {
        for group in GROUPS {
            let mut keys: Vec<_> =
                group.split(", ").map(|m| m.split(' ').map(stem).collect::<Vec<_>>().join(" ")).collect();
            assert!(group.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, ' ' | ',')));
            keys.sort();
            keys.dedup();
            assert!(keys.len() > 1, "{group:?}");
        }
    }
}
