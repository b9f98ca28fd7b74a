//! Unicode normalisation: compatibility forms are one, and accents and case fold (rule B3).

use std::borrow::Cow;

/// The most characters in a row that are not folded already and that are normalised at once. Engines put the marks behind a letter
/// in order in time that grows by the square of how many there are, and no word has hundreds.
const RUN: usize = 256;

/// NFKC with the accents of Latin, Greek and Cyrillic letters dropped. Case is kept: names are split at its changes.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.chars().all(is_folded) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = end_of_run(rest) {
        let (run, after) = rest.split_at(at);
        out.push_str(&normal(run));
        rest = after;
    }
    let end = normal(rest);
    if out.is_empty() { end } else { Cow::Owned(out + &end) }
}

/// Where a run of more than [`RUN`] characters is cut, if a text has one.
fn end_of_run(text: &str) -> Option<usize> {
    let mut run = 0;
    text.char_indices().find_map(|(at, c)| {
        run = if is_folded(c) { 0 } else { run + 1 };
        (run > RUN).then_some(at)
    })
}

fn normal(text: &str) -> Cow<'_, str> {
    let apart = decompose(text);
    if !apart.contains(is_accent) {
        return Cow::Owned(compose(&apart));
    }
    let bare: String = apart.chars().filter(|&c| !is_accent(c)).collect();
    Cow::Owned(compose(&bare))
}

/// Characters that are themselves whatever is done: ASCII, dashes and quotes, Han, kana, Hangul.
fn is_folded(c: char) -> bool {
    matches!(c, '\0'..='\x7F' | '\u{2010}'..='\u{2016}' | '\u{2018}'..='\u{2023}'
        | '\u{3001}'..='\u{3011}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

/// The combining marks of European scripts. Those of other scripts are letters to their readers and stay.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}')
}

/// The lower case of a text; letters that have two of them, and `ß`, are one.
pub(crate) fn lower_case(text: &str) -> String {
    let mut lower = text.to_ascii_lowercase();
    if lower.contains(char::is_uppercase) {
        lower = to_lower_case(&lower);
    }
    if lower.contains(['ß', 'ς']) {
        lower = lower.replace('ß', "ss").replace('ς', "σ");
    }
    lower
}

// The tables are 60 KB of a compressed module, and every JavaScript engine has them: normal forms and cases of assigned
// characters never change between versions of Unicode, so both ways give the same words.
#[cfg(not(feature = "bindings"))]
mod tables {
    use unicode_normalization::UnicodeNormalization;

    pub(super) fn decompose(text: &str) -> String {
        text.nfkd().collect()
    }

    pub(super) fn compose(text: &str) -> String {
        text.nfc().collect()
    }

    pub(super) fn to_lower_case(text: &str) -> String {
        text.to_lowercase()
    }
}

#[cfg(feature = "bindings")]
mod tables {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = String)]
        type Text;
        #[wasm_bindgen(method)]
        fn normalize(this: &Text, form: &str) -> String;
        #[wasm_bindgen(method, js_name = toLowerCase)]
        fn to_lower_case(this: &Text) -> String;
    }

    fn js(text: &str) -> Text {
        JsValue::from_str(text).unchecked_into()
    }

    pub(super) fn decompose(text: &str) -> String {
        js(text).normalize("NFKD")
    }

    pub(super) fn compose(text: &str) -> String {
        js(text).normalize("NFC")
    }

    pub(super) fn to_lower_case(text: &str) -> String {
        js(text).to_lower_case()
    }
}

use tables::{compose, decompose, to_lower_case};
