//! English stems: the Snowball "English" (Porter 2) stemmer.

use rust_stemmers::{Algorithm, Stemmer};
use std::borrow::Cow;

/// The stem of a lower-case word. Only plain English letters have one; numbers, identifiers with digits and words of
/// other scripts stand for themselves.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    Stemmer::create(Algorithm::English).stem(word)
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn b3_english() {
        assert_eq!(stem("issues"), stem("issue"));
        assert_eq!(stem("scheduling"), stem("schedule"));
        assert_ne!(stem("news"), stem("new"));
        assert_eq!(stem("法令"), "法令");
        assert_eq!(stem("s3"), "s3");
    }
}
