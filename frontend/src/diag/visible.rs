//! Makes text of any origin safe to print.
//!
//! In: text that a message quotes, from a source, a file name or another program. Out: the same text, in which no
//! character moves the cursor, changes colors, hides, or changes the order of others, and which is not long. Such a character
//! is written as in clang and GCC: `<U+001B>`.
//!
//! **Invariant.** All text of messages that goes to a terminal passes through here, or is a literal of this project.

use std::borrow::Cow;

use serde::Serialize;

/// How many bytes of a text are shown.
pub const MAX_SHOWN: usize = 8 << 10;

/// Of a text that is cut, how much is shown of its end.
const SHOWN_END: usize = MAX_SHOWN / 4;

/// Whether the character is not seen as itself, or changes how others are seen.
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        ' '..='~' => false,
        _ if c.is_control() => true,
        // Marks that change the direction of text, and those that are not seen.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

/// A text of one line or several, as a message shows it.
pub fn visible(text: &str) -> Cow<'_, str> {
    let text = shortened(text);
    if text.chars().any(is_hidden) { Cow::Owned(escape(&text, is_hidden)) } else { text }
}

/// A name, in which line breaks and tabs are escaped as well.
pub fn visible_name(name: &str) -> Cow<'_, str> {
    let is_hidden = |c| c == '\n' || c == '\t' || is_hidden(c);
    let name = shortened(name);
    if name.chars().any(is_hidden) { Cow::Owned(escape(&name, is_hidden)) } else { name }
}

/// A line of JSON. It contains the text unchanged; hidden characters are JSON escapes, so ASCII is enough.
///
/// # Panics
/// When the value has a map whose keys are no strings.
pub fn json_line(value: &impl Serialize) -> String {
    let plain = serde_json::to_string(value).expect("invariant: strings, numbers and lists serialize");
    // Outside its strings, JSON has no such character.
    let mut line = String::with_capacity(plain.len() + 1);
    for c in plain.chars() {
        if is_hidden(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| line.push_str(&format!("\\u{unit:04x}")));
        } else {
            line.push(c);
        }
    }
    line.push('\n');
    line
}

/// The text, if it is short; else its beginning and its end, with the size of the omitted part.
pub fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_SHOWN {
        return Cow::Borrowed(text);
    }
    let (mut start, mut end) = (MAX_SHOWN - SHOWN_END, text.len() - SHOWN_END);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    Cow::Owned(format!("{} … [{} bytes left out] … {}", &text[..start], end - start, &text[end..]))
}

pub(super) fn escape(text: &str, is_hidden: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            escaped.push_str(&format!("<U+{:04X}>", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_terminal_control_characters() {
        assert_eq!(visible("a\x1b[31mb\x07\r\u{9b}1m"), "a<U+001B>[31mb<U+0007><U+000D><U+009B>1m");
        assert_eq!(visible("\u{202e}}\u{2066}\u{200b}"), "<U+202E>}<U+2066><U+200B>");
        assert_eq!(visible("two\n\tlines, é 日本"), "two\n\tlines, é 日本");
        assert_eq!(visible_name("a\nb.h"), "a<U+000A>b.h");
        assert!(matches!(visible("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_preserves_the_text() {
        let line = json_line(&["\x1b \u{202e} \u{9b} \u{e0001} é"]);
        assert_eq!(line, "[\"\\u001b \\u202e \\u009b \\udb40\\udc01 é\"]\n");
        assert_eq!(
            serde_json::from_str::<[String; 1]>(&line).unwrap()[0],
            "\x1b \u{202e} \u{9b} \u{e0001} é"
        );
    }

    #[test]
    fn cuts_a_long_text() {
        let long = "é".repeat(1 << 20);
        let shown = visible(&long);
        assert!(shown.len() < MAX_SHOWN + 64);
        assert!(shown.contains("bytes left out") && shown.starts_with("éé") && shown.ends_with("éé"));
        let brief = "x".repeat(MAX_SHOWN);
        assert_eq!(visible(&brief), brief);
    }
}
