//! English stems: the Snowball "English" (Porter 2) stemmer.

use super::english;
use std::borrow::Cow;

/// The stem of a lower-case word. Only plain English letters have one; numbers, identifiers with digits and words of
/// other scripts stand for themselves.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    if let Some(acronym) = word.strip_suffix('s').filter(|_| is_plural_of_acronym(word)) {
        return Cow::Borrowed(acronym);
    }
    english::stem(word)
}

/// `prs`, `vms`, `dbs`: without a vowel, which Porter's rules want for a plural. Some acronyms end so by themselves.
fn is_plural_of_acronym(word: &str) -> bool {
    let vowel = |b: u8| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let own = ["dns", "gps", "nfs", "sms", "tls", "tts", "vps", "xls"];
    word.len() <= 5 && !word.ends_with("ss") && !word.bytes().any(vowel) && !own.contains(&word)
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
        assert_eq!((stem("prs"), stem("dns"), stem("css")), ("pr".into(), "dns".into(), "css".into()));
    }
}
