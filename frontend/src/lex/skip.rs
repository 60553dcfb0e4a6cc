//! Text that directives skip, or do not read as tokens (C17 6.10p1, 6.10.1p6, 6.4.7).

use std::borrow::Cow;

use super::{Break, Lexer, class};
use crate::source::Span;

impl<'t> Lexer<'t> {
    /// Whether a `(` comes next, on this line or a later one: a function-like macro is then called.
    pub(crate) fn is_before_paren(&self) -> bool {
        let mut ahead = self.clone();
        ahead.skip_space(Break::Skipped);
        ahead.byte(ahead.pos) == b'('
    }

    /// Skips the `(` that comes next.
    pub(crate) fn skip_paren(&mut self) {
        self.skip_space(Break::Skipped);
        self.pos += 1;
    }

    /// Whether only white space is left.
    pub(crate) fn is_before_end(&self) -> bool {
        let mut ahead = self.clone();
        ahead.skip_space(Break::Skipped);
        ahead.pos >= ahead.bytes.len()
    }

    /// Whether the first thing in the text is a directive.
    pub(crate) fn is_before_directive(&self) -> bool {
        let mut ahead = self.clone();
        ahead.skip_space(Break::Skipped);
        matches!(ahead.byte(ahead.pos), b'#' | b'%')
    }

    /// The address of the next byte.
    pub(crate) fn address(&self) -> u32 {
        self.base + self.pos as u32
    }

    /// How much of the text has been read.
    pub(crate) fn offset(&self) -> usize {
        self.pos
    }

    /// Goes to the end of the text.
    pub(crate) fn stop(&mut self) {
        self.pos = self.bytes.len();
    }

    /// Goes to the end of the line, which a comment or a raw string can put off.
    pub(crate) fn skip_line(&mut self) {
        while !self.is_at_break() {
            self.skip_word();
        }
    }

    /// Skips white space of the line.
    pub(crate) fn skip_blanks(&mut self) {
        self.skip_space(Break::Kept);
    }

    /// A header's name as written (C17 6.4.7), with its delimiters; consumes nothing if there is none.
    pub(crate) fn header_name(&mut self) -> Option<(&'t str, Span)> {
        self.skip_blanks();
        let start = self.pos;
        let close = match self.byte(start) {
            b'<' => b'>',
            b'"' => b'"',
            _ => return None,
        };
        let rest = &self.bytes[start + 1..];
        let len = rest.iter().position(|&byte| byte == close || byte == b'\n')?;
        if rest[len] != close {
            return None;
        }
        self.pos = start + len + 2;
        Some((&self.text[start..self.pos], self.span(start, self.pos)))
    }

    /// The rest of the line as written, without comments.
    pub(crate) fn rest_of_line(&mut self) -> (String, Span) {
        self.skip_blanks();
        let start = self.pos;
        let mut text = String::new();
        let mut end = start;
        loop {
            let (space, _) = self.skip_space(Break::Kept);
            if self.is_at_break() {
                return (text, self.span(start, end));
            }
            if space.any && !text.is_empty() {
                text.push(' ');
            }
            let word = self.pos;
            self.skip_word();
            let word_text = &self.text[word..self.pos];
            if word_text.starts_with(['"', '\''])
                && (word_text.len() == 1 || !word_text.ends_with(&word_text[..1]))
            {
                // An apostrophe.
                self.pos = word + 1;
            }
            text.push_str(&self.spelling(word, self.pos));
            end = self.pos;
        }
    }

    /// Skips to the next line that begins with `#`, and past that character; returns its span, or `None` at the
    /// end of the text. The text before it is not split into tokens.
    pub(crate) fn next_directive(&mut self) -> Option<Span> {
        loop {
            self.skip_line();
            let (space, _) = self.skip_space(Break::Skipped);
            let start = self.pos;
            if self.is_at_comment() || start >= self.bytes.len() {
                return None;
            }
            if space.newline && (self.eat(b'#') || self.eat(b'%') && self.eat(b':')) {
                return Some(self.span(start, self.pos));
            }
        }
    }

    /// The word that comes next on the line; empty where something else comes.
    pub(crate) fn word_of_line(&mut self) -> (Cow<'t, str>, Span) {
        self.skip_blanks();
        let start = self.pos;
        self.pos = self.ident_end(start);
        let text = &self.text[start..self.pos];
        let word = if text.contains('\\') { self.spelling(start, self.pos).into() } else { text.into() };
        (word, self.span(start, self.pos))
    }

    fn is_at_break(&self) -> bool {
        self.pos >= self.bytes.len() || self.bytes[self.pos] == b'\n'
    }

    /// Skips white space, a comment, a word, a literal or a character. Quotes and comments are as in
    /// skipped text as well.
    fn skip_word(&mut self) {
        let start = self.pos;
        self.skip_space(Break::Kept);
        if self.is_at_comment() {
            self.stop();
        }
        if self.pos > start || self.pos >= self.bytes.len() {
            return;
        }
        match self.bytes[start] {
            b'"' | b'\'' => self.skip_quoted(start),
            first if class::begins_ident(first) => {
                self.pos += class::n_ident_bytes(&self.bytes[start..]);
                let is_raw = matches!(&self.text[start..self.pos], "R" | "u8R" | "uR" | "UR" | "LR");
                if is_raw && self.byte(self.pos) == b'"' {
                    self.skip_raw_string(self.pos);
                }
            }
            // In a number, `'` parts digits.
            b'0'..=b'9' => {
                let is_part = |pos: usize| {
                    class::continues_ident(self.byte(pos))
                        || self.byte(pos) == b'\'' && class::continues_ident(self.byte(pos + 1))
                };
                self.pos = (start..).find(|&pos| !is_part(pos)).unwrap_or(start + 1);
            }
            _ => self.pos += self.text[start..].chars().next().map_or(1, char::len_utf8),
        }
    }

    /// To the closing quote, or to the end of the line.
    fn skip_quoted(&mut self, start: usize) {
        let quote = self.bytes[start];
        self.pos = start + 1;
        loop {
            let pos = self.unsplice(self.pos);
            self.pos = pos;
            if self.is_at_break() {
                return;
            }
            self.pos = pos + 1;
            match self.bytes[pos] {
                b'\\' if !self.is_at_break() && self.unsplice(pos + 1) == pos + 1 => self.pos = pos + 2,
                byte if byte == quote => return,
                _ => {}
            }
        }
    }
}
