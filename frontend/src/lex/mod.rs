//! From text to preprocessing tokens (translation phases 1 to 3, C17 5.1.1.2).
//!
//! Goes in: one file of the source map. Comes out: its tokens, the last `Eof`. Spellings are free of
//! line splices, and identifiers of universal character names; spans are raw.
//!
//! What begins no token, and a literal that its line does not close, becomes
//! `TokenKind::Other` and is not reported here: whether it matters
//! is known only after the directives. An unterminated comment is reported, since it always matters.
//!
//! - [`class`]: what each byte can begin or continue
//! - [`punct`]: the punctuators, by maximal munch
//! - [`number`]: the value of a preprocessing number
//! - [`literal`]: the value of character and string literals

mod class;
pub(crate) mod literal;
pub(crate) mod number;
mod punct;

use memchr::{memchr, memchr2};

use crate::diag::{Code, Diagnostic, Sink};
use crate::source::{FileId, SourceMap, Span};
use crate::token::{Interner, Symbol, Token, TokenKind};

/// The tokens of a file.
pub(crate) fn lex(sources: &SourceMap, file: FileId, interner: &mut Interner, sink: &mut Sink) -> Vec<Token> {
    let file = sources.file(file);
    let text = file.text();
    let mut lexer = Lexer { text, bytes: text.as_bytes(), base: file.base(), pos: 0, interner, sink };
    // Code averages some three bytes a token; what is not used is never touched.
    let mut tokens = Vec::with_capacity(text.len() / 3 + 16);
    if text.starts_with('\u{feff}') {
        lexer.pos = '\u{feff}'.len_utf8();
    }
    let mut at_line_start = true;
    loop {
        let space = lexer.skip_space();
        at_line_start |= space.newline;
        let start = lexer.pos;
        let kind = if space.unterminated { lexer.other(start) } else { lexer.token() };
        let span = lexer.span(start, lexer.pos);
        if let Some((at, byte)) = file.source().first_invalid(start..lexer.pos) {
            let place = lexer.span(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
            let message = format!("invalid UTF-8: byte 0x{byte:02x}");
            lexer
                .sink
                .emit(Diagnostic::new(Code::InvalidUtf8, place, message).with_help("save the file as UTF-8"));
        }
        tokens.push(Token { kind, span, at_line_start, after_space: space.any });
        if kind == TokenKind::Eof {
            return tokens;
        }
        at_line_start = false;
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    base: u32,
    pos: usize,
    interner: &'a mut Interner,
    sink: &'a mut Sink,
}

/// What lay between two tokens.
#[derive(Default)]
struct Space {
    any: bool,
    newline: bool,
    /// A comment that nothing closes begins at the position; it takes the rest of the text.
    unterminated: bool,
}

impl Lexer<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    /// The byte at `pos`, and 0 past the end.
    fn byte(&self, pos: usize) -> u8 {
        self.bytes.get(pos).copied().unwrap_or(0)
    }

    /// The first position from `pos` on that is no line splice.
    fn unsplice(&self, mut pos: usize) -> usize {
        while self.byte(pos) == b'\\' {
            match (self.byte(pos + 1), self.byte(pos + 2)) {
                (b'\n', _) => pos += 2,
                (b'\r', b'\n') => pos += 3,
                _ => break,
            }
        }
        pos
    }

    /// Takes `expected`, if it comes next.
    fn eat(&mut self, expected: u8) -> bool {
        let pos = self.unsplice(self.pos);
        let found = self.byte(pos) == expected;
        if found {
            self.pos = pos + 1;
        }
        found
    }

    /// Skips white space, splices and comments (C17 6.4.9).
    fn skip_space(&mut self) -> Space {
        let mut space = Space::default();
        loop {
            match self.byte(self.pos) {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.pos += class::n_blanks(&self.bytes[self.pos..]),
                b'\n' => {
                    space.newline = true;
                    self.pos += 1;
                }
                b'\\' => match self.unsplice(self.pos) {
                    // A splice alone separates nothing.
                    pos if pos > self.pos => {
                        self.pos = pos;
                        continue;
                    }
                    _ => return space,
                },
                b'/' => {
                    let next = self.unsplice(self.pos + 1);
                    match self.byte(next) {
                        b'/' => self.skip_line_comment(next + 1),
                        b'*' => {
                            let Some(end) = self.block_comment_end(next + 1) else {
                                let opening = self.span(self.pos, next + 1);
                                self.sink.error(Diagnostic::new(
                                    Code::UnterminatedComment,
                                    opening,
                                    "unterminated `/*` comment",
                                ));
                                space.unterminated = true;
                                return space;
                            };
                            self.pos = end;
                        }
                        _ => return space,
                    }
                }
                _ => return space,
            }
            space.any = true;
        }
    }

    /// To the line's end, which is no part of the comment.
    fn skip_line_comment(&mut self, mut pos: usize) {
        while let Some(len) = memchr2(b'\n', b'\\', &self.bytes[pos.min(self.bytes.len())..]) {
            pos += len;
            match self.unsplice(pos) {
                _ if self.bytes[pos] == b'\n' => {
                    self.pos = pos;
                    return;
                }
                next => pos = next.max(pos + 1),
            }
        }
        self.pos = self.bytes.len();
    }

    fn block_comment_end(&self, mut pos: usize) -> Option<usize> {
        loop {
            pos += memchr(b'*', self.bytes.get(pos..)?)? + 1;
            let next = self.unsplice(pos);
            if self.byte(next) == b'/' {
                return Some(next + 1);
            }
        }
    }

    fn token(&mut self) -> TokenKind {
        let start = self.pos;
        let first = self.byte(start);
        if class::begins_ident(first) {
            return self.ident(start);
        }
        match first {
            b'\\' | 0x80.. if self.ident_char_len(start, true).is_some() => self.ident_or_literal(start),
            b'0'..=b'9' => self.number(start),
            b'.' if self.byte(self.unsplice(start + 1)).is_ascii_digit() => self.number(start),
            b'"' | b'\'' => self.quoted(start, first),
            0 if start >= self.bytes.len() => TokenKind::Eof,
            _ => match self.punct(first) {
                Some(punct) => TokenKind::Punct(punct),
                None => self.stray(start),
            },
        }
    }

    /// Length of what stands at `pos` for one character of an identifier beyond ASCII, itself or
    /// as a universal character name (C++17 5.10).
    fn ident_char_len(&self, pos: usize, first: bool) -> Option<usize> {
        let (character, len) = match self.byte(pos) {
            0x80.. => self.text.get(pos..)?.chars().next().map(|c| (c, c.len_utf8()))?,
            b'\\' => class::universal_char(self.text.get(pos..)?)?,
            _ => return None,
        };
        let allowed = if first { unicode_ident::is_xid_start } else { unicode_ident::is_xid_continue };
        (!character.is_ascii() && allowed(character)).then_some(len)
    }

    /// The end of the run of identifier characters from `pos` on.
    fn ident_end(&self, mut pos: usize) -> usize {
        loop {
            while class::continues_ident(self.byte(pos)) {
                pos += 1;
            }
            if !matches!(self.byte(pos), b'\\' | 0x80..) {
                return pos;
            }
            let next = self.unsplice(pos);
            if next > pos && class::continues_ident(self.byte(next)) {
                pos = next;
            } else if let Some(len) = self.ident_char_len(next, false) {
                pos = next + len;
            } else {
                return pos;
            }
        }
    }

    /// An identifier, or a literal with a prefix, whose first byte is a letter.
    fn ident(&mut self, start: usize) -> TokenKind {
        let pos = start + class::n_ident_bytes(&self.bytes[start..]);
        // What may be more than plain letters takes the longer way.
        if matches!(self.byte(pos), b'\\' | b'"' | b'\'' | 0x80..) {
            return self.ident_or_literal(start);
        }
        self.pos = pos;
        let symbol = self.interner.intern(&self.text[start..pos]);
        self.word(symbol)
    }

    fn ident_or_literal(&mut self, start: usize) -> TokenKind {
        self.pos = self.ident_end(start);
        let quote_pos = self.unsplice(self.pos);
        let quote = self.byte(quote_pos);
        if matches!(quote, b'"' | b'\'') && quote_pos - start < 16 {
            match &*self.spelling(start, self.pos) {
                "u8" | "u" | "U" | "L" => return self.quoted(start, quote),
                "R" | "u8R" | "uR" | "UR" | "LR" if quote == b'"' => {
                    return self.raw_string(start, quote_pos);
                }
                _ => {}
            }
        }
        let symbol = self.intern(start, true);
        self.word(symbol)
    }

    fn word(&self, symbol: Symbol) -> TokenKind {
        if !symbol.is_reserved() {
            TokenKind::Ident(symbol)
        } else if let Some(keyword) = self.interner.keyword(symbol) {
            TokenKind::Keyword(keyword)
        } else if let Some(punct) = self.interner.alternative(symbol) {
            TokenKind::Punct(punct)
        } else {
            TokenKind::Ident(symbol)
        }
    }

    /// A preprocessing number (C17 6.4.8, with C++14's digit separators).
    fn number(&mut self, start: usize) -> TokenKind {
        let pos = start + class::n_ident_bytes(&self.bytes[start..]);
        let is_plain = !matches!(self.byte(pos), b'.' | b'+' | b'-' | b'\'' | b'\\' | 0x80..);
        if is_plain && pos > start {
            self.pos = pos;
            return TokenKind::Number(self.interner.intern(&self.text[start..pos]));
        }
        self.pos = start + 1;
        let mut before = self.byte(start);
        loop {
            let pos = self.unsplice(self.pos);
            let byte = self.byte(pos);
            let continues = match byte {
                b'.' => true,
                b'+' | b'-' => matches!(before, b'e' | b'E' | b'p' | b'P'),
                b'\'' => class::continues_ident(self.byte(self.unsplice(pos + 1))),
                _ => class::continues_ident(byte),
            };
            if continues {
                self.pos = pos + 1;
            } else if matches!(byte, b'\\' | 0x80..)
                && let Some(len) = self.ident_char_len(pos, false)
            {
                self.pos = pos + len;
            } else {
                break;
            }
            before = byte;
        }
        TokenKind::Number(self.intern(start, false))
    }

    /// A character or string literal whose opening quote comes next (C17 6.4.4.4, 6.4.5).
    fn quoted(&mut self, start: usize, quote: u8) -> TokenKind {
        self.pos = self.unsplice(self.pos) + 1;
        loop {
            let pos = self.unsplice(self.pos);
            match self.byte(pos) {
                b'\n' => return self.other(start),
                0 if pos >= self.bytes.len() => return self.other(start),
                byte if byte == quote => {
                    self.pos = pos + 1;
                    break;
                }
                b'\\' => {
                    let escaped = self.unsplice(pos + 1);
                    let stops = self.byte(escaped) == b'\n' || escaped >= self.bytes.len();
                    self.pos = if stops { escaped } else { escaped + 1 };
                }
                _ => self.pos = pos + 1,
            }
        }
        let symbol = self.intern(start, false);
        if quote == b'"' { TokenKind::Str(symbol) } else { TokenKind::Char(symbol) }
    }

    /// A raw string literal (C++17 5.13.5): within it nothing is spliced or escaped.
    fn raw_string(&mut self, start: usize, quote_pos: usize) -> TokenKind {
        let rest = &self.text[quote_pos + 1..];
        let is_delimiter =
            |c: char| !matches!(c, ' ' | '(' | ')' | '\\' | '\t' | '\n' | '\r' | '\x0b' | '\x0c' | '"');
        let delimiter_len = rest.find(|c| !is_delimiter(c)).unwrap_or(rest.len());
        if delimiter_len > 16 || !rest[delimiter_len..].starts_with('(') {
            self.pos = quote_pos + 1 + rest.find('\n').unwrap_or(rest.len());
            return self.other(start);
        }
        let closing = format!("){}\"", &rest[..delimiter_len]);
        let Some(len) = rest[delimiter_len..].find(&closing) else {
            self.pos = self.bytes.len();
            return self.other(start);
        };
        self.pos = quote_pos + 1 + delimiter_len + len + closing.len();
        TokenKind::Str(self.interner.intern(&self.text[start..self.pos]))
    }

    /// A run of characters that begin no token.
    fn stray(&mut self, start: usize) -> TokenKind {
        let mut pos = start;
        loop {
            pos += self.text[pos..].chars().next().map_or(1, char::len_utf8);
            let byte = self.byte(pos);
            let goes_on = pos < self.bytes.len()
                && self.unsplice(pos) == pos
                && self.ident_char_len(pos, true).is_none()
                && class::is_stray(byte);
            if !goes_on {
                break;
            }
        }
        self.pos = pos;
        self.other(start)
    }

    /// What stands from `start` to the position, or after an unterminated comment the rest.
    fn other(&mut self, start: usize) -> TokenKind {
        if self.pos == start {
            self.pos = self.bytes.len();
        }
        TokenKind::Other(self.intern(start, false))
    }

    fn intern(&mut self, start: usize, is_ident: bool) -> Symbol {
        let text = &self.text[start..self.pos];
        if !text.contains('\\') {
            return self.interner.intern(text);
        }
        let spelling = self.spelling(start, self.pos);
        let spelling = if is_ident { class::expand_universal_chars(&spelling) } else { spelling };
        self.interner.intern(&spelling)
    }

    /// The text of a range without its line splices.
    fn spelling(&self, start: usize, end: usize) -> String {
        let mut spelling = String::with_capacity(end - start);
        let mut pos = start;
        while pos < end {
            let next = self.unsplice(pos);
            if next > pos {
                pos = next;
                continue;
            }
            let len = self.text[pos..end].find('\\').map_or(end - pos, |at| at.max(1));
            spelling.push_str(&self.text[pos..pos + len]);
            pos += len;
        }
        spelling
    }
}

#[cfg(test)]
mod tests;
