//! Untrusted text on its way into a prompt or a reply (rule E3).
//!
//! Names, titles, descriptions and instructions are written by strangers. Wherever one of them is shown to a model
//! it is shown on one line, without characters that draw nothing or reorder what is drawn, and without the angle
//! brackets and fences that could open or close a part of the prompt.

/// Characters that are invisible (Unicode's Default_Ignorable_Code_Point and annotations), reorder text, or break a line.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
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

/// A tool's name as it is shown, never shortened: as it is where it is one word of letters, digits and `_-./`, else as a JSON string
/// in which whatever could end it, hide in it or be taken for something else stands as `\uXXXX`. So no two names look the same, a
/// list of names can be told apart at its commas, and each can be read back, as `select:` does.
pub(crate) fn name(text: &str) -> String {
    let plain = |c: char| (c.is_alphanumeric() && !is_hidden(c)) || matches!(c, '_' | '-' | '.' | '/');
    let begins = |c: char| c.is_alphanumeric() || c == '_';
    if text.starts_with(begins) && text.chars().all(plain) && text.contains(char::is_alphanumeric) {
        return text.to_owned();
    }
    quoted(text, usize::MAX)
}

/// The most bytes of a label.
const MAX_LABEL: usize = 128;

/// A server's name, or one that no tool has, as it is shown, on one line; in quotes, with escapes, where it would look like another.
pub(crate) fn label(text: &str) -> String {
    let shown = inline(text, MAX_LABEL);
    if shown == text && !text.starts_with('"') { shown } else { quoted(text, MAX_LABEL) }
}

/// A text in quotes, with escapes for all that could be mistaken; what is cut ends in `…`.
fn quoted(text: &str, max_bytes: usize) -> String {
    let mut out = String::from('"');
    for (at, c) in text.char_indices() {
        if out.len() > max_bytes {
            out.push('…');
            break;
        }
        let is_edge = at == 0 || at + c.len_utf8() == text.len();
        // What is trimmed from a name that is read.
        let is_trimmed = is_edge && matches!(c, ' ' | '\'' | '“' | '”' | '‘' | '’');
        let is_odd_space = c.is_whitespace() && c != ' ';
        if is_trimmed || is_odd_space || is_hidden(c) || matches!(c, '"' | '\\' | ',' | '<' | '>' | '`') {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out.push('"');
    out
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
    fn names_are_themselves_or_read_back() {
        for plain in ["create_issue", "mcp__a-b__c.d", "__proto__", "検索", "git/hub", "créer"] {
            assert_eq!(name(plain), plain);
        }
        for (odd, shown) in [
            ("a b", r#""a b""#),
            ("a\u{200b}b", r#""a\u200bb""#),
            ("a, b", r#""a\u002c b""#),
            (" a'", r#""\u0020a\u0027""#),
            ("---", r#""---""#),
            ("___", r#""___""#),
            ("\u{E0041}\"\\", r#""\udb40\udc41\u0022\u005c""#),
            ("x\n## <y>`", r#""x\u000a## \u003cy\u003e\u0060""#),
            ("🦀", r#""🦀""#),
        ] {
            assert_eq!(name(odd), shown);
            assert_eq!(crate::json::text_of(shown).as_deref(), Some(odd));
        }
        assert_eq!(
            (label("My server, Inc."), label("git\u{200b}hub")),
            ("My server, Inc.".into(), r#""git\u200bhub""#.into())
        );
        assert!(label(&"x\n".repeat(500)).len() < 150);
    }

    #[test]
    fn cuts_between_characters_and_says_so() {
        assert_eq!(inline("äöüß", 7), "äö…");
        assert!(inline(&"é".repeat(5000), 2048).len() <= 2048);
    }
}
