//! Token estimates (rules G1, G2).
//!
//! A linear model over what a byte-pair tokenizer splits text by: words, camel-case bounds, digits, runs of
//! punctuation, other scripts. It reads a text once and needs no table.

use crate::tool::View;

/// Estimated tokens of a text.
///
/// ```
/// assert_eq!(tool_search::estimate_tokens(""), 0);
/// assert!((8..=12).contains(&tool_search::estimate_tokens("Create a new issue in a GitHub repository.")));
/// ```
pub fn estimate_tokens(text: &str) -> u32 {
    let f = Features::of(text);
    let tokens = f.weigh();
    // At least one token for anything, and never more than one a byte.
    if text.is_empty() { 0 } else { tokens.clamp(1.0, text.len() as f64).round() as u32 }
}

/// What a provider is sent for one tool: name, description and schema as compact JSON (rule G2).
pub(crate) fn measured_text(name: &str, view: &View<'_>) -> String {
    let mut text = String::with_capacity(64 + view.input_schema.map_or(2, |s| s.get().len()));
    text.push_str("{\"name\":");
    text.push_str(&crate::json::quoted(name));
    if let Some(description) = view.description.as_deref().filter(|d| !d.is_empty()) {
        text.push_str(",\"description\":");
        text.push_str(&crate::json::quoted(description));
    }
    text.push_str(",\"input_schema\":");
    text.push_str(view.object_schema());
    text.push('}');
    text
}

#[derive(Default)]
struct Features {
    words: f64,
    humps: f64,
    letters: f64,
    long: f64,
    digits: f64,
    spaces: f64,
    marks: f64,
    more_marks: f64,
    other: f64,
}

/// Which kind of run a byte continues.
#[derive(PartialEq, Clone, Copy)]
enum Run {
    None,
    Word,
    Digits,
    Space,
    Marks,
    Other,
}

impl Features {
    fn of(text: &str) -> Self {
        let mut f = Self::default();
        let (mut run, mut length, mut upper) = (Run::None, 0u32, true);
        for c in text.chars() {
            let next = match c {
                'a'..='z' | 'A'..='Z' => Run::Word,
                '0'..='9' => Run::Digits,
                ' ' | '\t' | '\n' | '\r' => Run::Space,
                _ if c.is_ascii() => Run::Marks,
                _ => Run::Other,
            };
            if next != run {
                f.close(run, length);
                (run, length, upper) = (next, 0, true);
            }
            length += 1;
            let is_upper = c.is_ascii_uppercase();
            if next == Run::Word && is_upper && !upper {
                f.humps += 1.0;
            }
            upper = is_upper;
        }
        f.close(run, length);
        f
    }

    fn close(&mut self, run: Run, length: u32) {
        let length = f64::from(length);
        match run {
            Run::None => {}
            Run::Word => {
                self.words += 1.0;
                self.letters += length;
                self.long += (length - 6.0).max(0.0);
            }
            Run::Digits => self.digits += (length / 3.0).ceil(),
            Run::Space => self.spaces += f64::from(u8::from(length > 1.0)),
            Run::Marks => {
                self.marks += 1.0;
                self.more_marks += length - 1.0;
            }
            Run::Other => self.other += length,
        }
    }

    fn weigh(&self) -> f64 {
        0.869 * self.words + 1.027 * self.humps + 0.038 * self.letters - 0.019 * self.long
            + 1.463 * self.digits
            + 0.673 * self.spaces
            + 0.671 * self.marks
            + 0.173 * self.more_marks
            + 0.772 * self.other
    }
}
