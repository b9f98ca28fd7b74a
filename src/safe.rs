//! Untrusted text on its way into a prompt or a reply (rule E3).
//!
//! Names, titles, descriptions and instructions are written by strangers. Wherever one of them is shown to a model
//! it is shown on one line, without characters that draw nothing or reorder what is drawn, and without the angle
//! brackets and fences that could open or close a part of the prompt.

/// Characters that are invisible, reorder text, or break a line.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// One line of at most `max_bytes` UTF-8 bytes: white space and hidden characters become single spaces, angle brackets
/// and back quotes their harmless look-alikes; what is cut ends in `…`.
pub(crate) fn inline(text: &str, max_bytes: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max_bytes));
    let mut space = false;
    for c in text.chars() {
        if c.is_whitespace() || is_hidden(c) {
            // A zero-width joiner inside an emoji or an Indic word is dropped, not turned into a gap.
            space |= c.is_whitespace() || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
            continue;
        }
        let c = match c {
            '<' => '‹',
            '>' => '›',
            '`' => '\'',
            c => c,
        };
        let gap = usize::from(space && !out.is_empty());
        if out.len() + gap + c.len_utf8() + '…'.len_utf8() > max_bytes {
            // The last character may still fit without the ellipsis, but then the cut would not show.
            out.push('…');
            return out;
        }
        if gap == 1 {
            out.push(' ');
        }
        out.push(c);
        space = false;
    }
    out
}

/// A name as it is shown: on one line and without hidden characters, but never shortened. One that could be taken for
/// something else at the beginning of a line (a heading, a list) stands in quotes, which queries may have.
pub(crate) fn name(text: &str) -> String {
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')) {
        return text.to_owned();
    }
    let shown = inline(text, usize::MAX);
    if shown.starts_with(|c: char| c.is_alphanumeric() || c == '_') { shown } else { format!("\"{shown}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_to_one_line_and_opens_nothing() {
        assert_eq!(inline("a\n\n## Tools\r\n<system>```", 200), "a ## Tools ‹system›'''");
        assert_eq!(inline("pay\u{202E}lla\u{200B}pal \u{1b}[31m", 200), "paylla‌pal [31m".replace('\u{200C}', ""));
        assert_eq!(inline("", 10), "");
    }

    #[test]
    fn cuts_between_characters_and_says_so() {
        assert_eq!(inline("äöüß", 7), "äö…");
        assert!(inline(&"é".repeat(5000), 2048).len() <= 2048);
    }
}
