//! The engine as a class of JavaScript.

use super::options::{self, CountTokens};
use super::session::Conversation;
use super::{Result, SEARCH_TOOL, results};
use crate::batch::Batch;
use crate::compose;
use crate::error::{Error, ErrorCode};
use crate::memory;
use crate::options::Options;
use crate::result::SearchResult;
use crate::snapshot::{self, Incoming};
use crate::{SearchOptions, ToolSearch};
use std::borrow::Cow;
use std::hint::black_box;
use wasm_bindgen::prelude::*;

/// Bytes of a query that leaves no room to the next one.
const LONG: usize = 4_096;

/// A catalog with everything that is asked of it.
#[wasm_bindgen]
pub struct Engine {
    pub(super) inner: ToolSearch,
    /// Where JavaScript writes bytes for the next call.
    inbox: Vec<u8>,
    staged: Batch,
    /// A snapshot of which not all is here.
    incoming: Option<Incoming>,
    /// The last answer, until the next, for the part of it that is no number.
    last: SearchResult,
    /// Its hits.
    hits: Vec<f64>,
    /// Why there is none.
    failure: Option<Error>,
}

#[wasm_bindgen]
impl Engine {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str, count_tokens: Option<CountTokens>) -> Result<Engine> {
        let options = options::engine(options, count_tokens)?;
        Ok(Self {
            inner: ToolSearch::new(options)?,
            inbox: Vec::new(),
            staged: Batch::default(),
            incoming: None,
            last: SearchResult::default(),
            hits: Vec::new(),
            failure: None,
        })
    }

    /// Room for `bytes` bytes in this module's memory, valid until the next call.
    pub fn reserve(&mut self, bytes: usize) -> Result<*mut u8> {
        let more = bytes.saturating_sub(self.inbox.len());
        if self.inbox.try_reserve_exact(more).is_err() {
            self.staged = Batch::default();
            return Err(no_room(bytes as u64).into());
        }
        self.inbox.resize(self.inbox.len() + more, 0);
        Ok(self.inbox.as_mut_ptr())
    }

    /// To be called before so many bytes are given: what copies them traps where there is no room.
    #[wasm_bindgen(js_name = makeRoom)]
    pub fn make_room(&self, bytes: f64) -> Result<()> {
        let mut room = Vec::<u8>::new();
        let there_is = room.try_reserve_exact(bytes as usize).is_ok();
        // Nobody sees that it is used for nothing and takes no memory for it.
        black_box(room);
        if there_is { Ok(()) } else { Err(no_room(bytes as u64).into()) }
    }

    /// Takes the reserved bytes as the next part of a snapshot, the first of them with all of its first line. With the one that leaves
    /// nothing `to_come` it is read, into an engine without tools.
    pub fn receive(&mut self, bytes: usize, to_come: f64) -> Result<()> {
        let part = &self.inbox[..bytes];
        let mut incoming = match self.incoming.take() {
            Some(incoming) => incoming,
            None => Incoming::new(part, (bytes as f64 + to_come) as usize)?,
        };
        incoming.take(part);
        if to_come > 0.0 {
            self.incoming = Some(incoming);
            return Ok(());
        }
        self.inbox = Vec::new();
        Ok(snapshot::read(incoming, &mut self.inner)?)
    }

    /// Reads the reserved bytes as a further list of definitions. Where one cannot be added, nothing is staged any more.
    pub fn stage(&mut self, bytes: usize) -> Result<()> {
        let max = self.inner.options.limits.definition_bytes;
        memory::grow_ahead();
        let mut staged = std::mem::take(&mut self.staged);
        staged.extend(&text(&self.inbox[..bytes])?, max)?;
        self.staged = staged;
        Ok(())
    }

    /// Reads a `tools/list` result or an array.
    #[wasm_bindgen(js_name = stageJson)]
    pub fn stage_json(&mut self, list: &[u8]) -> Result<()> {
        memory::grow_ahead();
        self.staged = Batch::of_list(&text(list)?, self.inner.options.limits.definition_bytes)?;
        Ok(())
    }

    /// Adds what was staged.
    pub fn commit(&mut self, options: &str) -> Result<String> {
        self.inbox = Vec::new();
        let staged = std::mem::take(&mut self.staged);
        let converted: Vec<bool> = staged.tools.iter().map(|p| p.converted).collect();
        let change = self.inner.commit(staged, &options::add(options)?)?;
        let converted = change.tools.iter().zip(converted).filter(|(_, c)| *c).map(|(tool, _)| tool.clone());
        Ok(results::change(&change, &converted.collect::<Vec<_>>()))
    }

    #[wasm_bindgen(js_name = removeServer)]
    pub fn remove_server(&mut self, server: &str) -> String {
        results::change(&self.inner.forget(server), &[])
    }

    #[wasm_bindgen(js_name = setServerStatus)]
    pub fn set_server_status(&mut self, server: &str, status: &str, reason: &str) -> Result<()> {
        Ok(self.inner.set_server_status(server, options::status(status)?, Some(reason))?)
    }

    #[wasm_bindgen(js_name = serverStatus)]
    pub fn server_status(&self, server: &str) -> Option<String> {
        self.inner.server_status(server).map(|s| s.as_str().to_owned())
    }

    /// Tokens of a text, by the exact counter where there is one.
    pub fn count(&self, text: &str) -> Result<u32> {
        Ok(self.inner.count(text)?)
    }

    /// Tokens of every definition in full.
    pub fn tokens(&self) -> Result<f64> {
        Ok(self.inner.tokens()? as f64)
    }

    pub fn size(&self) -> usize {
        self.inner.len()
    }

    pub fn names(&self) -> String {
        results::texts(self.inner.tools().map(|t| t.name()))
    }

    /// The id that stands for a callable name's definition.
    #[wasm_bindgen(js_name = idOf)]
    pub fn id_of(&self, name: &str) -> Option<u32> {
        self.inner.get(name).map(|t| t.slot)
    }

    pub fn info(&self, id: u32) -> Option<String> {
        self.inner.catalog.in_slot(id).map(|tool| results::info(tool))
    }

    /// The definition as it was added, in the shape of MCP.
    pub fn definition(&self, id: u32) -> Option<String> {
        self.inner.catalog.in_slot(id).map(|t| t.definition().to_owned())
    }

    /// The definition, or the search tool's, as a provider takes it.
    pub fn compose(&self, id: u32, text: &str) -> Result<Option<String>> {
        let format = options::format(text)?;
        if id == SEARCH_TOOL {
            let Options { search_tool_name, max_results, .. } = &self.inner.options;
            return Ok(Some(compose::search_tool(search_tool_name, *max_results, format)));
        }
        Ok(self.inner.catalog.in_slot(id).map(|t| compose::definition(t, format)))
    }

    /// Answers the query in the reserved bytes. Gives where the hits stand, until the next call: a copy for JavaScript would cost more than
    /// all of them. 0 where there is an error, which `failure` throws: a value that may be either takes longer to be read than to be made.
    pub fn search(&mut self, bytes: usize, options: Option<String>) -> *const f64 {
        let options = options.map_or_else(|| Ok(SearchOptions::default()), |options| options::search(&options));
        let found = options.and_then(|options| {
            let query = text(&self.inbox[..bytes])?;
            self.inner.search_into(&query, &options, &mut self.last)
        });
        if bytes > LONG {
            self.inbox = Vec::new();
        }
        match found {
            Ok(()) => {
                self.hits.clear();
                results::hits(&self.last, &mut self.hits);
                self.hits.as_ptr()
            }
            Err(error) => {
                self.failure = Some(error);
                std::ptr::null()
            }
        }
    }

    /// Throws why the last search failed.
    pub fn failure(&mut self) -> Result<()> {
        Ok(self.failure.take().map_or(Ok(()), Err)?)
    }

    /// What the last answer has to tell beside its hits.
    pub fn details(&self) -> String {
        results::details(&self.last)
    }

    /// The weights of the addends in these details.
    pub fn weights(&self) -> Vec<f64> {
        results::weights(&self.last)
    }

    pub fn plan(&self, options: &str) -> Result<String> {
        Ok(results::plan(&self.inner.plan(&options::session(options)?.plan)?))
    }

    pub fn session(&self, options: &str) -> Result<Conversation> {
        Ok(Conversation::new(self.inner.session(options::session(options)?)?))
    }

    pub fn snapshot(&self) -> Vec<u8> {
        self.inner.snapshot()
    }
}

/// Bytes as text; what is none becomes U+FFFD. Most are, and are not copied.
pub(super) fn text(bytes: &[u8]) -> crate::Result<Cow<'_, str>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(Cow::Borrowed(text));
    }
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        let mark = if chunk.invalid().is_empty() { "" } else { "\u{FFFD}" };
        // What is none takes up to three times the room.
        text.try_reserve(chunk.valid().len() + mark.len()).map_err(|_| no_room(bytes.len() as u64))?;
        text.push_str(chunk.valid());
        text.push_str(mark);
    }
    Ok(Cow::Owned(text))
}

fn no_room(bytes: u64) -> Error {
    Error::new(ErrorCode::LimitExceeded, format!("{bytes} bytes at once do not fit into the module's memory"))
}
