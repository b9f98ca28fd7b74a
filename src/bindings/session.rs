//! A conversation as a class of JavaScript.

use super::engine::Engine;
use super::{Result, SEARCH_TOOL, options, results};
use crate::session::{Entry, SearchInput, SearchReply, Session};
use wasm_bindgen::prelude::*;

/// One conversation. Every method is given the engine that began it.
#[wasm_bindgen]
pub struct Conversation {
    inner: Session,
    /// The last reply, until it is asked for. There are many conversations, and few replies at a time.
    last: Option<Box<SearchReply>>,
}

impl Conversation {
    pub(super) fn new(inner: Session) -> Self {
        Self { inner, last: None }
    }
}

#[wasm_bindgen]
impl Conversation {
    pub fn plan(&self) -> String {
        results::plan(&self.inner.plan)
    }

    pub fn prompt(&self) -> String {
        self.inner.prompt().to_owned()
    }

    /// The ids of the next request's tools.
    pub fn ids(&mut self, engine: &Engine) -> Vec<u32> {
        let id = |entry: &Entry| match entry {
            Entry::Tool(tool) => tool.slot,
            Entry::Search => SEARCH_TOOL,
        };
        self.inner.entries(&engine.inner).iter().map(id).collect()
    }

    /// Fails when the next request would carry more tools than it may.
    pub fn check(&mut self, engine: &Engine) -> Result<()> {
        Ok(self.inner.check(&engine.inner)?)
    }

    /// Lets leave what would leave before the next request.
    #[wasm_bindgen(js_name = makeRoom)]
    pub fn make_room(&mut self, engine: &Engine) {
        self.inner.make_room(&engine.inner);
    }

    /// What `state()` has beside the activated tools, each where there is something to say.
    pub fn kept(&mut self, engine: &Engine) -> String {
        let (session, engine) = (&mut self.inner, &engine.inner);
        results::kept(session.preloaded(engine).as_deref(), &session.array(engine), &session.used(engine))
    }

    /// Tokens of the tools array, and those saved.
    pub fn tokens(&mut self, engine: &Engine) -> Result<Vec<f64>> {
        let tokens = self.inner.tokens(&engine.inner)?;
        Ok(vec![tokens.array as f64, tokens.saved as f64])
    }

    #[wasm_bindgen(js_name = tokensOf)]
    pub fn tokens_of(&self, engine: &Engine, names: &str) -> Result<f64> {
        Ok(self.inner.tokens_of(&engine.inner, &options::names(names)?)? as f64)
    }

    pub fn activated(&self, engine: &Engine) -> String {
        results::texts(self.inner.activated(&engine.inner).iter().map(String::as_str))
    }

    /// The hits, none when nothing was searched for; the rest of the answer is the `reply`.
    pub fn handle(&mut self, engine: &Engine, query: Option<String>, max_results: Option<f64>) -> Vec<f64> {
        let reply = self.inner.handle(&engine.inner, &SearchInput { query, max_results });
        let mut hits = Vec::new();
        if let Some(result) = &reply.result {
            results::hits(result, &mut hits);
        }
        self.last = Some(Box::new(reply));
        hits
    }

    pub fn reply(&mut self) -> Option<String> {
        self.last.take().map(|reply| results::reply(&reply))
    }

    pub fn resolve(&mut self, engine: &Engine, name: &str) -> String {
        let resolution = self.inner.resolve(&engine.inner, name);
        results::resolution(&resolution, &engine.inner.options().search_tool_name)
    }

    pub fn activate(&mut self, engine: &Engine, names: &str) -> Result<String> {
        let new = self.inner.activate(&engine.inner, &options::names(names)?);
        Ok(results::texts(new.iter().map(String::as_str)))
    }

    pub fn reset(&mut self, engine: &Engine) {
        self.inner.reset(&engine.inner);
    }

    pub fn announce(&mut self, engine: &Engine) -> String {
        self.inner.announce(&engine.inner)
    }
}
