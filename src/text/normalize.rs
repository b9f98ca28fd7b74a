//! Unicode normalisation: compatibility forms are one, and accents fold (rule B3).

use std::borrow::Cow;

/// NFKC with the accents of Latin, Greek and Cyrillic letters dropped. Case is kept: names are split at its changes.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let apart = decompose(text);
    if !apart.contains(is_accent) {
        return Cow::Owned(compose(&apart));
    }
    let bare: String = apart.chars().filter(|&c| !is_accent(c)).collect();
    Cow::Owned(compose(&bare))
}

/// The combining marks of European scripts. Those of other scripts are letters to their readers and stay.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}')
}

// The tables are 57 KB of a compressed module, and every JavaScript engine has them: normal forms of assigned
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
}

#[cfg(feature = "bindings")]
mod tables {
    pub(super) fn decompose(text: &str) -> String {
        js_sys::JsString::from(text).normalize("NFKD").into()
    }

    pub(super) fn compose(text: &str) -> String {
        js_sys::JsString::from(text).normalize("NFC").into()
    }
}

use tables::{compose, decompose};
