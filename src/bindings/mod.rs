//! What JavaScript calls. Translates, and decides nothing.
//!
//! Tools come in as JSON lines that JavaScript encodes straight into this module's memory (`Engine.reserve`); hits go
//! out as numbers, options and everything else as objects. JavaScript keeps its own objects by the ids of definitions.

mod engine;
mod options;
mod results;
mod session;

use crate::error::{Error, ErrorCode};
use crate::tokens::{estimate_tokens, measured_text};
use crate::tool::{Parsed, View};
use js_sys::Reflect;
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::prelude::*;

type Result<T> = std::result::Result<T, JsValue>;

/// The id of the search tool among those of definitions.
const SEARCH_TOOL: u32 = u32::MAX;

/// A panic becomes a JavaScript exception that names the bug; the caller then uses the module no more.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&format!("tool-search: {info}"))));
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        let js = js_sys::Error::new(error.message());
        js.set_name("ToolSearchError");
        // Setting a property of a new object does not fail.
        let _ = Reflect::set(&js, &"code".into(), &error.code().as_str().into());
        if let Some(place) = error.place() {
            let _ = Reflect::set(&js, &"index".into(), &JsValue::from_f64(place as f64));
        }
        js.into()
    }
}

fn read<T: DeserializeOwned + Default>(value: JsValue) -> Result<T> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    serde_wasm_bindgen::from_value(value)
        .map_err(|e| Error::new(ErrorCode::InvalidOption, format!("unusable options: {e}")).into())
}

fn write<T: Serialize>(value: &T) -> Result<JsValue> {
    value.serialize(&serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true)).map_err(JsValue::from)
}

/// Estimated tokens of a text. Bytes cross faster than strings, which wasm-bindgen copies unit by unit.
#[wasm_bindgen(js_name = estimateText)]
pub fn estimate_text(text: &[u8]) -> u32 {
    estimate_tokens(&String::from_utf8_lossy(text))
}

/// Estimated tokens of a tool's definition as providers see it.
#[wasm_bindgen(js_name = estimateDefinition)]
pub fn estimate_definition(json: &str) -> Result<u32> {
    let mut batch = String::new();
    let parsed = Parsed::read(json, &mut batch, 0, usize::MAX)?;
    let view = View::of(&batch[parsed.definition], &parsed.parts);
    Ok(estimate_tokens(&measured_text(&parsed.name, &view)))
}
