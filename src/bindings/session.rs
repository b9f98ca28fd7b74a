//! A conversation as a class of JavaScript.

use super::engine::Engine;
use super::results::{JsError, JsPlan, Reply, Resolution, details, hits};
use super::{Result, SEARCH_TOOL, write};
use crate::session::{CallResolution, Entry, SearchInput, Session};
use wasm_bindgen::prelude::*;

/// One conversation. Every method is given the engine that began it.
#[wasm_bindgen]
pub struct Conversation {
    pub(super) inner: Session,
}

#[wasm_bindgen]
impl Conversation {
    pub fn plan(&self) -> Result<JsValue> {
        write(&JsPlan::from(&self.inner.plan))
    }

    pub fn prompt(&self) -> String {
        self.inner.prompt().to_owned()
    }

    /// The ids of the next request's tools.
    pub fn ids(&mut self, engine: &Engine) -> Vec<u32> {
        let id = |entry: Entry| match entry {
            Entry::Tool(tool) => tool.slot,
            Entry::Search => SEARCH_TOOL,
        };
        self.inner.entries(&engine.inner).into_iter().map(id).collect()
    }

    /// Fails when the next request would carry more tools than it may.
    pub fn check(&mut self, engine: &Engine) -> Result<()> {
        Ok(self.inner.check(&engine.inner)?)
    }

    pub fn preloaded(&self, engine: &Engine) -> Option<Vec<String>> {
        self.inner.preloaded(&engine.inner)
    }

    /// Tokens of the tools array, and those saved.
    pub fn tokens(&mut self, engine: &Engine) -> Result<Vec<f64>> {
        let tokens = self.inner.tokens(&engine.inner)?;
        Ok(vec![tokens.array as f64, tokens.saved as f64])
    }

    #[wasm_bindgen(js_name = tokensOf)]
    pub fn tokens_of(&self, engine: &Engine, names: Vec<String>) -> Result<f64> {
        Ok(self.inner.tokens_of(&engine.inner, &names)? as f64)
    }

    pub fn activated(&self, engine: &Engine) -> Vec<String> {
        self.inner.activated(&engine.inner)
    }

    pub fn handle(&mut self, engine: &Engine, query: Option<String>, max_results: Option<f64>) -> Result<JsValue> {
        let reply = self.inner.handle(&engine.inner, &SearchInput { query, max_results });
        write(&Reply {
            text: &reply.text,
            loaded: &reply.loaded,
            already_loaded: &reply.already_loaded,
            changed: reply.changed,
            hits: reply.result.as_ref().map(hits),
            details: reply.result.as_ref().map(details),
            error: reply.error.as_ref().map(|e| JsError { code: e.code().as_str(), message: e.message() }),
        })
    }

    pub fn resolve(&mut self, engine: &Engine, name: &str) -> Result<JsValue> {
        write(&match &self.inner.resolve(&engine.inner, name) {
            CallResolution::Ready(tool) => {
                Resolution::Ready { name: tool.name(), raw_name: tool.raw_name(), server: tool.server() }
            }
            CallResolution::Search => {
                let name = &engine.inner.options().search_tool_name;
                Resolution::Ready { name, raw_name: name, server: None }
            }
            CallResolution::Activated(tool, text) => Resolution::Activated { name: tool.name(), text },
            CallResolution::Unavailable { name, server, text } => Resolution::Unavailable { name, server, text },
            CallResolution::Ambiguous { candidates, text } => Resolution::Ambiguous { candidates, text },
            CallResolution::Unknown { suggestions, text } => Resolution::Unknown { suggestions, text },
        })
    }

    pub fn activate(&mut self, engine: &Engine, names: Vec<String>) -> Vec<String> {
        self.inner.activate(&engine.inner, &names)
    }

    pub fn reset(&mut self, engine: &Engine) {
        self.inner.reset(&engine.inner);
    }

    pub fn announce(&mut self, engine: &Engine) -> String {
        self.inner.announce(&engine.inner)
    }
}
