//! A catalog and its index as bytes (rule H3).
//!
//! A line of text with version and checksum, the definitions as text, then numbers: of the catalog, and of the index. Whoever reads keeps
//! the definitions where they are and copies the numbers: nothing is parsed and no word is read again. Those of the index wait
//! until something is searched for.

use crate::catalog::{Catalog, Server, ServerStatus};
use crate::engine::ToolSearch;
use crate::error::{Error, ErrorCode, Result};
use crate::index::{Index, Keywords};
use crate::json::quoted;
use crate::once::OnceLock;
use crate::options::Options;
use crate::spellings::Spellings;
use crate::tool::{Load, Slice, Tool, Whole};
use std::sync::Arc;

/// Of everything behind the first line, and of what words and weights the index is made of; another version is not read.
const VERSION: u32 = 4;

/// The first line: what this is, version, checksum, and the bytes of definitions, the last two in hexadecimal digits.
fn header(checksum: u64, text: usize) -> String {
    format!("tool-search snapshot {VERSION:04} {checksum:016x} {text:08x}\n")
}

const HEADER: usize = 52;

const STATUSES: [ServerStatus; 4] =
    [ServerStatus::Ready, ServerStatus::Pending, ServerStatus::Failed, ServerStatus::Disconnected];

/// Numbers of a tool: lengths of its names and its definition, how it is loaded, its estimated tokens, and its parts.
const NUMBERS: usize = 5 + 12;
const DIRECT: u32 = 1;
const PREFIXED: u32 = 2;
/// The raw name is the callable one, and is not there again.
const ONE_NAME: u32 = 4;

pub(crate) fn write(engine: &ToolSearch) -> Vec<u8> {
    let catalog = &engine.catalog;
    let order = catalog.order();
    let text = order.tools.iter().map(|tool| tool.definition().len()).sum();
    // All of it in one place, since it may be large. The checksum comes when the rest is there.
    let mut out = Output(Vec::with_capacity(2 * text));
    out.0.resize(HEADER, 0);
    let mut names = String::new();
    let mut numbers: Vec<u32> = Vec::with_capacity(order.tools.len() * NUMBERS);
    for tool in &order.tools {
        out.0.extend_from_slice(tool.definition().as_bytes());
        names.push_str(&tool.name);
        let one_name = tool.name == tool.raw_name;
        if !one_name {
            names.push_str(&tool.raw_name);
        }
        let flag = |is: bool, bit: u32| if is { bit } else { 0 };
        numbers.extend([
            tool.name.len() as u32,
            if one_name { 0 } else { tool.raw_name.len() as u32 },
            tool.definition().len() as u32,
            flag(tool.load == Load::Direct, DIRECT) | flag(tool.prefixed, PREFIXED) | flag(one_name, ONE_NAME),
            tool.estimated.get().map_or(0, |tokens| tokens + 1),
        ]);
        numbers.extend(tool.parts.as_flattened());
    }
    out.numbers(&numbers);
    out.text(&names);
    out.numbers(&[catalog.builtin().len() as u32]);
    for (name, server) in catalog.servers() {
        let status = STATUSES.iter().position(|s| *s == server.status).unwrap_or_default();
        out.numbers(&[server.tools.len() as u32, status as u32, u32::from(server.reason.is_some())]);
        for text in [name, &*server.instructions, server.reason.as_deref().unwrap_or_default()] {
            out.text(text);
        }
    }
    // Ends the servers.
    out.numbers(&[]);
    // Slots become places: whoever reads fills them in catalog order.
    let place = |slot: u32| order.place_of(slot) as u32;
    catalog.spellings().write(&mut out, &place);
    engine.keywords.write(&mut out);
    engine.index().write(&mut out, &place);

    let header = header(checksum([Sum::new(), Sum::new()], out.0[HEADER..].split_at(text)), text);
    out.0[..HEADER].copy_from_slice(header.as_bytes());
    out.0
}

/// Bytes that a processor still has at hand after it copied them.
pub(crate) const PART: usize = 1 << 17;

/// A snapshot that comes in part by part. Each is summed while it is at hand: to read all of a large one again takes as long as to copy it.
#[derive(Debug)]
pub(crate) struct Incoming {
    /// The first line and the definitions.
    text: Vec<u8>,
    /// Where the definitions end.
    end: usize,
    rest: Vec<u8>,
    sums: [Sum; 2],
}

impl Incoming {
    /// Of so many bytes, which begin like this.
    ///
    /// # Errors
    /// `invalid_snapshot`, and `limit_exceeded` when there is no room.
    pub(crate) fn new(head: &[u8], bytes: usize) -> Result<Self> {
        let end = definitions_end(head)?.min(bytes);
        let (mut text, mut rest) = (Vec::new(), Vec::new());
        if text.try_reserve_exact(end).is_err() || rest.try_reserve_exact(bytes - end).is_err() {
            let message = format!("a snapshot of {bytes} bytes does not fit into memory");
            return Err(Error::new(ErrorCode::LimitExceeded, message));
        }
        Ok(Self { text, end, rest, sums: [Sum::new(), Sum::new()] })
    }

    /// Takes what comes next.
    pub(crate) fn take(&mut self, part: &[u8]) {
        let (text, rest) = part.split_at((self.end - self.text.len()).min(part.len()));
        self.text.extend_from_slice(text);
        self.rest.extend_from_slice(rest);
        let [of_definitions, of_rest] = &mut self.sums;
        of_definitions.go_on(self.text.get(HEADER..).unwrap_or_default());
        of_rest.go_on(&self.rest);
    }
}

/// Reads a snapshot that is whole into an engine without tools.
///
/// # Errors
/// `invalid_snapshot`; `limit_exceeded` and `reserved_name` where the options do not admit what is in it.
pub(crate) fn read(Incoming { text, rest, sums, .. }: Incoming, engine: &mut ToolSearch) -> Result<()> {
    let damaged = || bad("the snapshot is damaged");
    let (head, definitions) = text.split_at_checked(HEADER).ok_or_else(damaged)?;
    if head != header(checksum(sums, (definitions, &rest)), definitions.len()).as_bytes() {
        return Err(damaged());
    }
    let mut input = Input(&rest);
    let saved = Saved::read(&mut input).ok_or_else(damaged)?;
    let start = rest.len() - input.0.len();
    let index = SavedIndex { rest, start };
    let Options { limits, search_tool_name, .. } = &engine.options;
    let count = saved.numbers.len() / NUMBERS;
    if count > limits.tools {
        let message = format!("{count} tools; a catalog may hold {} (option `limits.tools`)", limits.tools);
        return Err(Error::new(ErrorCode::LimitExceeded, message));
    }
    let catalog = saved.restore(text).ok_or_else(damaged)?;
    if catalog.get(search_tool_name).is_some() {
        let message = format!(
            "the snapshot has a tool named {}: that is the search tool (option `searchToolName`)",
            quoted(search_tool_name)
        );
        return Err(Error::new(ErrorCode::ReservedName, message));
    }
    engine.catalog = catalog;
    engine.saved = Some(index).into();
    Ok(())
}

fn bad(what: &str) -> Error {
    Error::new(ErrorCode::InvalidSnapshot, format!("{what}; make the snapshot again from the tools"))
}

/// Where the definitions end, by the first line of a snapshot of this version.
///
/// # Errors
/// `invalid_snapshot`.
fn definitions_end(bytes: &[u8]) -> Result<usize> {
    let head = bytes.get(..HEADER).and_then(|head| std::str::from_utf8(head).ok()).unwrap_or_default();
    let Some(rest) = head.strip_prefix("tool-search snapshot ") else {
        return Err(bad("these bytes are no snapshot"));
    };
    let version: Option<u32> = rest.get(..4).and_then(|digits| digits.parse().ok());
    if version != Some(VERSION) {
        let version = version.map_or("another version".to_owned(), |version| format!("version {version}"));
        return Err(bad(&format!("the snapshot is of {version}, and this library reads version {VERSION}")));
    }
    let text = rest.get(22..30).and_then(|digits| usize::from_str_radix(digits, 16).ok());
    text.and_then(|text| HEADER.checked_add(text)).ok_or_else(|| bad("the snapshot is damaged"))
}

/// The end of a snapshot: an index of the tools in the slots of their places.
#[derive(Debug)]
pub(crate) struct SavedIndex {
    /// All that is behind the definitions.
    rest: Vec<u8>,
    start: usize,
}

impl SavedIndex {
    /// `None` when the numbers cannot be right, when it has other keywords in it than the engine, or not what tools mean, which the
    /// engine is to know.
    pub(crate) fn read(self, engine: &ToolSearch) -> Option<Index> {
        let input = &mut Input(&self.rest[self.start..]);
        if Keywords::read(input)? != engine.keywords {
            return None;
        }
        let mut index = Index::read(input, engine.len())?;
        (!engine.options.meaning || index.read_space(input)).then_some(index)
    }
}

/// What a snapshot holds of the catalog beside the definitions.
struct Saved {
    numbers: Vec<u32>,
    names: String,
    builtin: usize,
    servers: Vec<(String, Server, usize)>,
    spellings: Spellings,
}

impl Saved {
    /// `None` when the numbers cannot be right.
    fn read(input: &mut Input<'_>) -> Option<Self> {
        let numbers = input.numbers()?;
        let names = input.text()?.to_owned();
        let [builtin] = input.array()?;
        let mut servers = Vec::new();
        loop {
            let [tools, status, has_reason] = match input.numbers()?[..] {
                [] => break,
                [tools, status, has_reason] => [tools, status, has_reason],
                _ => return None,
            };
            let name = input.text()?.to_owned();
            let mut server = Server::new(&name);
            server.instructions = input.text()?.to_owned();
            server.status = *STATUSES.get(status as usize)?;
            let reason = input.text()?;
            server.reason = (has_reason == 1).then(|| reason.to_owned());
            servers.push((name, server, tools as usize));
        }
        let tools = numbers.len() / NUMBERS;
        let spellings = Spellings::read(input, tools)?;
        Some(Self { numbers, names, builtin: builtin as usize, servers, spellings })
    }

    fn restore(self, text: Vec<u8>) -> Option<Catalog> {
        let all = text.len();
        let text = Arc::new(Whole::Bytes(text));
        let mut names = self.names.as_str();
        let mut name = |length: u32| {
            let (name, rest) = names.split_at_checked(length as usize)?;
            names = rest;
            Some(Arc::<str>::from(name))
        };
        let mut at = HEADER;
        let mut slot = 0;
        let mut rest = self.numbers.chunks_exact(NUMBERS);
        let mut take = |count: usize, server: Option<&Arc<str>>| -> Option<Vec<Arc<Tool>>> {
            let mut tools = Vec::with_capacity(count.min(rest.len()));
            for _ in 0..count {
                let &[name_length, raw_length, length, flags, tokens, ref parts @ ..] = rest.next()? else {
                    return None;
                };
                let own = name(name_length)?;
                let range = at..at.checked_add(length as usize).filter(|end| *end <= all)?;
                at = range.end;
                tools.push(Arc::new(Tool {
                    identity: slot + 1,
                    slot,
                    raw_name: if flags & ONE_NAME == 0 { name(raw_length)? } else { Arc::clone(&own) },
                    name: own,
                    server: server.cloned(),
                    definition: Slice::new(&text, &range),
                    parts: std::array::from_fn(|part| [parts[2 * part], parts[2 * part + 1]]),
                    load: if flags & DIRECT == 0 { Load::Deferred } else { Load::Direct },
                    prefixed: flags & PREFIXED != 0,
                    estimated: tokens.checked_sub(1).map(OnceLock::from).unwrap_or_default(),
                    counted: OnceLock::new(),
                }));
                slot += 1;
            }
            Some(tools)
        };
        let builtin = take(self.builtin, None)?;
        let mut servers: Vec<(Arc<str>, Server)> = Vec::with_capacity(self.servers.len());
        for (name, mut server, tools) in self.servers {
            let name: Arc<str> = name.into();
            server.tools = take(tools, Some(&name))?;
            servers.push((name, server));
        }
        let whole = rest.next().is_none() && servers.is_sorted_by(|a, b| a.0 < b.0);
        whole.then(|| Catalog::restored(builtin, servers, self.spellings))
    }
}

/// Writes lists of numbers and texts.
#[derive(Default)]
pub(crate) struct Output(Vec<u8>);

impl Output {
    #[cfg(test)]
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(crate) fn numbers(&mut self, numbers: &[u32]) {
        self.map(numbers, |number| [*number]);
    }

    /// Things that are `N` numbers each.
    pub(crate) fn map<T, const N: usize>(&mut self, things: &[T], numbers: impl Fn(&T) -> [u32; N]) {
        self.0.reserve(4 * (1 + N * things.len()));
        self.0.extend_from_slice(&((N * things.len()) as u32).to_le_bytes());
        for thing in things {
            numbers(thing).iter().for_each(|number| self.0.extend_from_slice(&number.to_le_bytes()));
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.0.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.0.extend_from_slice(text.as_bytes());
    }
}

/// Reads what [`Output`] wrote, in the same order; `None` where the bytes end too early or are no text.
pub(crate) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    #[cfg(test)]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn length(&mut self) -> Option<usize> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?) as usize)
    }

    pub(crate) fn numbers(&mut self) -> Option<Vec<u32>> {
        self.map(|[number]| number)
    }

    /// Things that are `N` numbers each.
    pub(crate) fn map<T, const N: usize>(&mut self, thing: impl Fn([u32; N]) -> T) -> Option<Vec<T>> {
        let bytes = self.length()?.checked_mul(4)?;
        let (numbers, _) = self.take(bytes)?.as_chunks::<4>();
        let things = numbers.chunks_exact(N);
        Some(things.map(|numbers| thing(std::array::from_fn(|at| u32::from_le_bytes(numbers[at])))).collect())
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u32; N]> {
        self.numbers()?.try_into().ok()
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let bytes = self.length()?;
        std::str::from_utf8(self.take(bytes)?).ok()
    }
}

/// 64 bits, against damage, not against forgery: what is read is checked like any other input. One damaged word of eight bytes
/// never goes unseen, since each step can be undone.
fn checksum([of_definitions, of_rest]: [Sum; 2], (definitions, rest): (&[u8], &[u8])) -> u64 {
    step(of_definitions.end(definitions), of_rest.end(rest))
}

/// Of bytes that may still grow. So many words at a time that a processor never waits for the last of a lane.
#[derive(Debug)]
struct Sum {
    lanes: [u64; LANES],
    /// How many bytes are in it.
    at: usize,
}

impl Sum {
    fn new() -> Self {
        Self { lanes: [1; LANES], at: 0 }
    }

    fn go_on(&mut self, bytes: &[u8]) {
        let (blocks, _) = bytes[self.at..].as_chunks::<BLOCK>();
        blocks.chunks(BLOCKS).for_each(|blocks| sums(&mut self.lanes, blocks));
        self.at += blocks.as_flattened().len();
    }

    fn end(mut self, bytes: &[u8]) -> u64 {
        self.go_on(bytes);
        let rest = bytes[self.at..].iter().fold(bytes.len() as u64, |sum, byte| step(sum, u64::from(*byte)));
        self.lanes.into_iter().fold(rest, step)
    }
}

fn step(sum: u64, word: u64) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    (sum ^ word).wrapping_mul(FACTOR).rotate_left(29)
}

const LANES: usize = 8;
const BLOCK: usize = 8 * LANES;

/// So many at once: a new process goes on with better code at the next call, and not before.
const BLOCKS: usize = 1_024;

#[inline(never)]
fn sums(all: &mut [u64; LANES], blocks: &[[u8; BLOCK]]) {
    let mut lanes = *all;
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = step(*lane, u64::from_le_bytes(*word));
        }
    }
    *all = lanes;
}

#[cfg(test)]
mod tests;
