//! What JavaScript calls. Translates, and decides nothing.
//!
//! Tools come in as JSON that JavaScript encodes straight into this module's memory (`Engine.reserve`); hits go
//! out as numbers, options and everything else as JSON text. JavaScript keeps its own objects by the ids of definitions.

mod engine;
mod options;
mod results;
mod session;

use crate::batch::Batch;
use crate::error::Error;
use crate::safe;
use crate::tokens::{estimate_tokens, measured_text};
use crate::tool::{Parsed, View};
use wasm_bindgen::prelude::*;

// Not where Rust users build for WebAssembly: which allocator a program has is theirs to say.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

type Result<T> = std::result::Result<T, JsValue>;

/// The id of the search tool among those of definitions.
const SEARCH_TOOL: u32 = u32::MAX;

/// Code and message are thrown as one text, a line each; JavaScript makes its error of them.
impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        let index = error.place().map(|place| format!(" {place}")).unwrap_or_default();
        format!("{}{index}\n{}", error.code(), error.message()).into()
    }
}

/// Estimated tokens of a text. Bytes cross faster than strings, which wasm-bindgen copies unit by unit.
#[wasm_bindgen(js_name = estimateText)]
pub fn estimate_text(text: &[u8]) -> Result<u32> {
    Ok(estimate_tokens(&engine::text(text)?))
}

/// Estimated tokens of a tool's definition, alone in a list, as providers see it.
#[wasm_bindgen(js_name = estimateDefinition)]
pub fn estimate_definition(list: &str) -> Result<u32> {
    let mut batch = Batch::default();
    batch.extend(list, usize::MAX)?;
    let measured =
        |tool: &Parsed| measured_text(&tool.name, &View::of(&batch.text[tool.definition.clone()], &tool.parts));
    Ok(batch.tools.first().map_or(0, |tool| estimate_tokens(&measured(tool))))
}

/// A tool's name as models are shown it (rule E3).
#[wasm_bindgen(js_name = shownName)]
pub fn shown_name(name: &str) -> String {
    safe::name(name)
}

/// A stranger's text as models are shown it: on one line of at most so many bytes (rule E3).
#[wasm_bindgen(js_name = oneLine)]
pub fn one_line(text: &str, max_bytes: usize) -> String {
    safe::inline(text, max_bytes)
}
