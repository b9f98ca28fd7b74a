//! Stop words (rule B5): the words of a sentence that say nothing of what a tool does.
//!
//! The verbs that tools are named by (get, list, do, run, show, find, make) are none, and neither are words that
//! direct an action (off, new, all).

/// Sorted, for the binary search; a test holds it to that.
const STOP: [&str; 120] = [
    "a", "about", "above", "after", "again", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "before", "being", "but", "by", "can", "could", "d", "did", "does", "don", "each", "either", "etc",
    "every", "for", "from", "had", "has", "have", "he", "hello", "her", "here", "hers", "hey", "hi", "his", "how", "i",
    "if", "in", "into", "is", "it", "its", "just", "ll", "m", "may", "me", "might", "mine", "my", "myself", "nor",
    "of", "on", "onto", "or", "our", "ours", "please", "re", "s", "shall", "she", "should", "so", "some", "such", "t",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "until", "upon", "us", "ve", "very", "via", "want", "wants", "was", "we", "were", "what", "when", "where",
    "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "would", "you", "your",
    "yours", "yourself",
];

pub(crate) fn stop_words() -> impl Iterator<Item = &'static str> {
    STOP.into_iter()
}

/// Whether a lower-case word carries no weight.
pub(crate) fn is_stop(word: &str) -> bool {
    word.len() <= 8 && STOP.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b5_sorted_and_free_of_tool_verbs() {
        assert!(STOP.is_sorted());
        for verb in ["get", "list", "do", "run", "show", "find", "set", "new", "all", "off", "make", "use"] {
            assert!(!is_stop(verb), "{verb}");
        }
        assert!(is_stop("the") && is_stop("yourself"));
    }
}
