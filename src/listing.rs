//! The deferred section of the system prompt (rules E1 to E3).

use crate::catalog::Server;
use crate::engine::ToolSearch;
use crate::error::Result;
use crate::names::{self, Filter};
use crate::options::ListedNames;
use crate::safe;
use crate::sorted::{self, Identities};
use crate::text::{self, Kind};
use crate::tool::Tool;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The longest instructions of one server, in bytes.
const MAX_INSTRUCTIONS: usize = 2048;
/// The same once its names no longer all fit.
const SHORT_INSTRUCTIONS: usize = 320;
/// How many names are left of a server whose names do not all fit.
const FIRST_NAMES: usize = 10;
/// How many words describe a server of which no name fits.
const WORDS: usize = 8;

/// A section with what it was made for.
#[derive(Debug, Clone)]
pub(crate) struct Listing {
    pub budget: u64,
    pub preloaded: Identities,
    pub text: Arc<str>,
}

/// How much of a group is shown, by falling detail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    Names,
    FirstNames,
    Count,
    /// Counted together with others at the end.
    Hidden,
}

struct Group<'a> {
    server: Option<&'a str>,
    instructions: &'a str,
    tools: Vec<&'a Tool>,
    detail: Detail,
    text: String,
    tokens: u64,
}

/// The section for everything deferred that a filter lets through and that is not preloaded, within `budget` tokens; empty
/// when there is nothing.
pub(crate) fn section(engine: &ToolSearch, filter: &Filter, preloaded: &Identities, budget: u64) -> Result<Arc<str>> {
    let cache = &engine.catalog.order().listing;
    let same = |listing: &&Listing| listing.budget == budget && listing.preloaded == *preloaded;
    if filter.is_open()
        && let Some(text) = cache.lock().ok().and_then(|l| l.as_ref().filter(same).map(|l| Arc::clone(&l.text)))
    {
        return Ok(text);
    }
    let text: Arc<str> = write(engine, filter, preloaded, budget)?.into();
    if filter.is_open()
        && let Ok(mut cache) = cache.lock()
    {
        *cache = Some(Listing { budget, preloaded: preloaded.clone(), text: Arc::clone(&text) });
    }
    Ok(text)
}

fn write(engine: &ToolSearch, filter: &Filter, preloaded: &Identities, budget: u64) -> Result<String> {
    let mut groups = groups(engine, filter, preloaded);
    if groups.is_empty() {
        return Ok(String::new());
    }
    let head = head(&engine.options.search_tool_name);
    let mut used = u64::from(engine.estimate(&head));
    for group in &mut groups {
        group.render(engine);
        used += group.tokens;
    }
    // The largest group gives way first; of equal ones the later.
    let mut largest: BinaryHeap<(u64, usize)> = groups.iter().enumerate().map(|(at, g)| (g.tokens, at)).collect();
    loop {
        // Parts are estimated one by one; what the whole comes to, by the exact counter if there is one, is what counts.
        if used <= budget {
            let text = assemble(&head, &groups);
            let whole = u64::from(engine.count(&text)?);
            if whole <= budget || largest.is_empty() {
                return Ok(text);
            }
            used = whole;
        }
        let Some((_, at)) = largest.pop() else { return Ok(assemble(&head, &groups)) };
        let group = &mut groups[at];
        used -= group.tokens.min(used);
        group.detail = match group.detail {
            Detail::Names if group.tools.len() > FIRST_NAMES => Detail::FirstNames,
            Detail::Names | Detail::FirstNames => Detail::Count,
            Detail::Count | Detail::Hidden => Detail::Hidden,
        };
        group.render(engine);
        used += group.tokens;
        if group.detail != Detail::Hidden {
            largest.push((group.tokens, at));
        }
    }
}

fn assemble(head: &str, groups: &[Group<'_>]) -> String {
    let mut out = head.to_owned();
    groups.iter().for_each(|group| out.push_str(&group.text));
    let hidden: Vec<&Group<'_>> = groups.iter().filter(|g| g.detail == Detail::Hidden).collect();
    if !hidden.is_empty() {
        let (tools, servers) = (hidden.iter().map(|g| g.tools.len()).sum::<usize>(), hidden.len());
        out.push_str(&format!(
            "\n{tools} more tools of {servers} more servers are not listed; search them by what they do.\n"
        ));
    }
    out
}

fn head(search_tool: &str) -> String {
    format!(
        "## Deferred Tools\n\n\
         The tools named here exist, but their parameters are not loaded. Before you call one, call {search_tool}:\n\
         - {{\"query\": \"select:NAME,NAME\"}} loads tools by name.\n\
         - {{\"query\": \"what you need\"}} finds and loads tools by what they do; +word must match.\n\
         A loaded tool can be called from your next step on. Do not search for it again.\n"
    )
}

/// Built-in tools, then servers by name; groups without a visible deferred tool are left out.
fn groups<'a>(engine: &'a ToolSearch, filter: &Filter, preloaded: &Identities) -> Vec<Group<'a>> {
    let shown = |tools: &'a [Arc<Tool>]| -> Vec<&'a Tool> {
        let visible = |tool: &&Tool| filter.sees_deferred(tool) && !preloaded.contains(tool.identity);
        tools.iter().map(|t| &**t).filter(visible).collect()
    };
    let group = |server, instructions, tools| Group {
        server,
        instructions,
        tools,
        detail: Detail::Names,
        text: String::new(),
        tokens: 0,
    };
    let builtin = group(None, "", shown(engine.catalog.builtin()));
    let servers = engine
        .catalog
        .servers()
        .map(|(name, server): (_, &'a Server)| group(Some(&**name), &server.instructions, shown(&server.tools)));
    std::iter::once(builtin).chain(servers).filter(|g| !g.tools.is_empty()).collect()
}

impl Group<'_> {
    fn render(&mut self, engine: &ToolSearch) {
        let mut out = String::from("\n");
        let shared = self.server.map(names::prefix).filter(|prefix| {
            engine.options.listing.names == ListedNames::Short
                && self.tools.iter().all(|t| t.name().len() > prefix.len() && t.name().starts_with(prefix))
        });
        if let Some(server) = self.server {
            out.push_str(&format!("### Server: {}\n", safe::label(server)));
            let most = if self.detail == Detail::Names { MAX_INSTRUCTIONS } else { SHORT_INSTRUCTIONS };
            let instructions = safe::inline(self.instructions, most);
            if !instructions.is_empty() {
                out.push_str(&format!("Instructions of this server: {instructions}\n"));
            }
        }
        if let Some(prefix) = shared.as_deref().filter(|_| self.detail <= Detail::FirstNames) {
            out.push_str(&format!("Every name begins with {prefix}\n"));
        }
        let all = self.tools.len();
        let named = match self.detail {
            Detail::Names => all,
            Detail::FirstNames => FIRST_NAMES,
            Detail::Count | Detail::Hidden => 0,
        };
        for tool in &self.tools[..named] {
            let name = shared.as_deref().and_then(|prefix| tool.name().strip_prefix(prefix)).unwrap_or(tool.name());
            out.push_str(&safe::name(name));
            out.push('\n');
        }
        match self.detail {
            Detail::Names => {}
            Detail::FirstNames => out.push_str(&format!("… and {} more; search them by what they do.\n", all - named)),
            Detail::Count => {
                let words = safe::inline(&self.words().join(", "), 256);
                let noun = if all == 1 { "tool" } else { "tools" };
                out.push_str(&format!("{all} {noun}, not listed; words to search them by: {words}\n"));
            }
            Detail::Hidden => out.clear(),
        }
        self.tokens = u64::from(engine.estimate(&out));
        self.text = out;
    }

    /// The words that most of its tools' names have, not counting the server's own.
    fn words(&self) -> Vec<String> {
        let mut own = Vec::new();
        text::name_words(self.server.unwrap_or(""), &mut |word, _| own.push(word.to_owned()));
        let mut words: Vec<String> = Vec::new();
        for tool in &self.tools {
            text::name_words(tool.raw_name(), &mut |word, kind| {
                let plain =
                    kind == Kind::Part && word.chars().count() > 1 && !word.starts_with(|c: char| c.is_ascii_digit());
                if plain && !text::is_stop(word) && !own.iter().any(|o| o == word) {
                    words.push(word.to_owned());
                }
            });
        }
        let places = sorted::places(words.len(), &|a, b| words[a].cmp(&words[b]));
        let same: Vec<&[usize]> = places.chunk_by(|&a, &b| words[a] == words[b]).collect();
        // Of equally frequent words the first by alphabet.
        let most_first = sorted::places(same.len(), &|a, b| same[b].len().cmp(&same[a].len()));
        most_first.iter().take(WORDS).map(|&at| words[same[at][0]].clone()).collect()
    }
}
