//! The engine as a class of JavaScript.

use super::options::{JsAdd, JsOptions, JsSearch, JsSession, format, status};
use super::results::{Added, Info, JsPlan, details, hits};
use super::session::Conversation;
use super::{Result, SEARCH_TOOL, read, write};
use crate::ToolSearch;
use crate::catalog::{self, CatalogDelta};
use crate::compose;
use crate::error::{Error, ErrorCode};
use crate::options::Options;
use crate::result::SearchResult;
use crate::snapshot;
use crate::tool::Parsed;
use wasm_bindgen::prelude::*;

/// A catalog with everything that is asked of it.
#[wasm_bindgen]
pub struct Engine {
    pub(super) inner: ToolSearch,
    /// Where JavaScript writes bytes for the next call.
    inbox: Vec<u8>,
    staged: Vec<Parsed>,
    /// The last answer, until the next, for the part of it that is no number.
    last: Option<SearchResult>,
}

#[wasm_bindgen]
impl Engine {
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Engine> {
        let options = read::<JsOptions>(options)?.options()?;
        Ok(Self { inner: ToolSearch::new(options)?, inbox: Vec::new(), staged: Vec::new(), last: None })
    }

    /// Forgets what an addition that was broken off left.
    pub fn begin(&mut self) {
        self.staged = Vec::new();
    }

    /// Room for `bytes` bytes in this module's memory, valid until the next call.
    pub fn reserve(&mut self, bytes: usize) -> Result<*mut u8> {
        self.inbox.clear();
        if self.inbox.try_reserve_exact(bytes).is_err() {
            let message = format!("{bytes} bytes at once do not fit into the module's memory");
            return Err(Error::new(ErrorCode::LimitExceeded, message).into());
        }
        self.inbox.resize(bytes, 0);
        Ok(self.inbox.as_mut_ptr())
    }

    /// Reads the reserved bytes as a snapshot, into an engine without tools.
    pub fn load(&mut self, bytes: usize) -> Result<()> {
        let inbox = std::mem::take(&mut self.inbox);
        Ok(snapshot::read(&inbox[..bytes], &mut self.inner)?)
    }

    /// Reads the reserved bytes as definitions, one JSON text a line.
    pub fn stage(&mut self, bytes: usize) -> Result<()> {
        let inbox = std::mem::take(&mut self.inbox);
        let max = self.inner.options.limits.definition_bytes;
        for line in inbox[..bytes].split(|b| *b == b'\n') {
            let parsed = Parsed::read(&String::from_utf8_lossy(line), self.staged.len(), max)?;
            self.staged.push(parsed);
        }
        // The next chunk is of the same size, more or less.
        self.inbox = inbox;
        Ok(())
    }

    /// Reads the reserved bytes as a `tools/list` result or an array.
    #[wasm_bindgen(js_name = stageJson)]
    pub fn stage_json(&mut self, bytes: usize) -> Result<()> {
        let inbox = std::mem::take(&mut self.inbox);
        let text = String::from_utf8_lossy(&inbox[..bytes]);
        let max = self.inner.options.limits.definition_bytes;
        for definition in catalog::definitions(&text)? {
            let parsed = Parsed::read(definition.get(), self.staged.len(), max)?;
            self.staged.push(parsed);
        }
        Ok(())
    }

    /// Adds what was staged.
    pub fn commit(&mut self, options: JsValue) -> Result<JsValue> {
        self.inbox = Vec::new();
        let staged = std::mem::take(&mut self.staged);
        let converted: Vec<bool> = staged.iter().map(|p| p.converted).collect();
        let addition = self.inner.add_parsed(staged, &read::<JsAdd>(options)?.into())?;
        let ids: Vec<u32> = addition.tools.iter().map(|t| t.id).collect();
        let converted = ids.iter().zip(converted).filter(|(_, c)| *c).map(|(id, _)| *id).collect();
        write(&Added { delta: (&addition.delta).into(), ids, converted, dropped: &addition.dropped })
    }

    #[wasm_bindgen(js_name = removeServer)]
    pub fn remove_server(&mut self, server: &str) -> Result<JsValue> {
        let removed = self.inner.catalog.remove_server(server);
        let dropped: Vec<u32> = removed.iter().map(|t| t.id).collect();
        let removed = removed.iter().map(|t| t.name().to_owned()).collect();
        let delta = CatalogDelta { removed, ..CatalogDelta::default() };
        write(&Added { delta: (&delta).into(), ids: Vec::new(), converted: Vec::new(), dropped: &dropped })
    }

    #[wasm_bindgen(js_name = setServerStatus)]
    pub fn set_server_status(&mut self, server: &str, text: &str, reason: Option<String>) -> Result<()> {
        Ok(self.inner.set_server_status(server, status(text)?, reason.as_deref())?)
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

    pub fn names(&self) -> Vec<String> {
        self.inner.tools().map(|t| t.name().to_owned()).collect()
    }

    /// The id that stands for a callable name's definition.
    #[wasm_bindgen(js_name = idOf)]
    pub fn id_of(&self, name: &str) -> Option<u32> {
        self.inner.get(name).map(|t| t.id)
    }

    pub fn info(&self, id: u32) -> Result<JsValue> {
        let Some(tool) = self.inner.catalog.by_id(id) else { return Ok(JsValue::UNDEFINED) };
        let description = tool.description().map(|d| d.into_owned());
        write(&Info { name: tool.name(), raw_name: tool.raw_name(), server: tool.server(), description })
    }

    /// The definition as it was added, in the shape of MCP.
    pub fn definition(&self, id: u32) -> Option<String> {
        self.inner.catalog.by_id(id).map(|t| t.definition().to_owned())
    }

    /// The definition, or the search tool's, as a provider takes it.
    pub fn compose(&self, id: u32, text: &str) -> Result<Option<String>> {
        let format = format(text)?;
        if id == SEARCH_TOOL {
            let Options { search_tool_name, max_results, .. } = &self.inner.options;
            return Ok(Some(compose::search_tool(search_tool_name, *max_results, format)));
        }
        Ok(self.inner.catalog.by_id(id).map(|t| compose::definition(t, format)))
    }

    pub fn search(&mut self, query: &str, options: JsValue) -> Result<Vec<f64>> {
        let result = self.inner.search(query, &read::<JsSearch>(options)?.into())?;
        let hits = hits(&result);
        self.last = Some(result);
        Ok(hits)
    }

    /// What the last answer has to tell beside its hits.
    pub fn details(&mut self) -> Result<JsValue> {
        self.last.take().map_or(Ok(JsValue::UNDEFINED), |result| write(&details(&result)))
    }

    pub fn plan(&self, options: JsValue) -> Result<JsValue> {
        let plan = self.inner.plan(&read::<JsSession>(options)?.plan())?;
        write(&JsPlan::from(&plan))
    }

    pub fn session(&self, options: JsValue) -> Result<Conversation> {
        Ok(Conversation { inner: self.inner.session(read::<JsSession>(options)?.into())? })
    }

    pub fn snapshot(&self) -> Vec<u8> {
        self.inner.snapshot()
    }
}
