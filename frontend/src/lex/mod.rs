//! From text to preprocessing tokens (translation phases 1 to 3, C17 5.1.1.2).
//!
//! Goes in: one file of the source map. Comes out: its tokens, the last `Eof`. Spellings are free of
//! line splices, and identifiers of universal character names; spans are raw.
//!
//! What begins no token, and a literal that its line does not close, becomes
//! `TokenKind::Other` and is not reported here: whether it matters
//! is known only after the directives. So does the rest of the text behind a `/*` that nothing closes.
//!
//! - [`class`]: what each byte can begin or continue
//! - [`punct`]: the punctuators, by maximal munch
//! - [`skip`]: what directives skip, and what they read otherwise than as tokens
//! - [`number`]: the value of a preprocessing number
//! - [`literal`]: the value of character and string literals

mod class;
pub(crate) mod literal;
pub(crate) mod number;
mod punct;
mod skip;

use memchr::{memchr, memchr2};

use crate::source::{FileId, SourceMap, Span};
use crate::token::{Form, Interner, Punct, SpellingHash, Symbol, Token, TokenKind};

/// The tokens of a file, directives included.
pub(crate) fn lex(sources: &SourceMap, file: FileId, interner: &mut Interner) -> Vec<Token> {
    let file = sources.file(file);
    let mut lexer = Lexer::new(file.text(), file.base());
    // Code averages some three bytes a token; what is not used is never touched.
    let mut tokens = Vec::with_capacity(file.text().len() / 3 + 16);
    loop {
        let token = lexer.token(interner);
        tokens.push(token);
        if token.kind == TokenKind::Eof {
            return tokens;
        }
    }
}

/// A place in a text, from which tokens are taken.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    base: u32,
    pos: usize,
    at_line_start: bool,
}

/// Whether white space goes on past the end of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Break {
    Skipped,
    Kept,
}

/// What lay between two tokens.
#[derive(Default)]
struct Space {
    any: bool,
    newline: bool,
    /// A comment that nothing closes begins at the position; it takes the rest of the text.
    unterminated: bool,
}

impl<'t> Lexer<'t> {
    /// At the beginning of a text, whose first byte has the address `base`.
    pub(crate) fn new(text: &'t str, base: u32) -> Self {
        let bom = '\u{feff}';
        let pos = if text.starts_with(bom) { bom.len_utf8() } else { 0 };
        Lexer { text, bytes: text.as_bytes(), base, pos, at_line_start: true }
    }

    /// The next token. At the end of the text it is `Eof`, again and again.
    #[inline(always)]
    pub(crate) fn token(&mut self, interner: &mut Interner) -> Token {
        let space = self.skip_space(Break::Skipped);
        let at_line_start = self.at_line_start | space.newline;
        self.at_line_start = false;
        self.token_here(&space, at_line_start, interner)
    }

    /// The next token of the line, if the line has one more.
    pub(crate) fn token_of_line(&mut self, interner: &mut Interner) -> Option<Token> {
        let space = self.skip_space(Break::Kept);
        let is_end = self.pos >= self.bytes.len() || self.bytes[self.pos] == b'\n';
        (!is_end).then(|| self.token_here(&space, false, interner))
    }

    #[inline(always)]
    fn token_here(&mut self, space: &Space, at_line_start: bool, interner: &mut Interner) -> Token {
        let start = self.pos;
        let first = self.byte(start);
        let (kind, form) = if let Some(punct) = class::single_punct(first) {
            self.pos = start + 1;
            (TokenKind::Punct(punct), Form::Usual)
        } else {
            let kind = self.kind(first, space, interner);
            let is_alternative = matches!(kind, TokenKind::Punct(punct) if is_alternative(first, punct));
            (kind, if is_alternative { Form::Alternative } else { Form::Usual })
        };
        let span = self.span(start, self.pos);
        Token { kind, span, at_line_start, after_space: space.any, form }
    }

    /// Whether the character that was just taken is all that its line has.
    pub(crate) fn is_alone_on_line(&self) -> bool {
        let before = self.pos.checked_sub(2).map_or(b'\n', |at| self.byte(at));
        before == b'\n' && matches!(self.byte(self.pos), b'\n' | b'\r' | 0)
    }

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
    #[inline(always)]
    fn skip_space(&mut self, breaks: Break) -> Space {
        // Most often it is nothing, or one space.
        let first = self.byte(self.pos);
        let is_one = first == b' ' && !class::begins_space(self.byte(self.pos + 1));
        if is_one || !class::begins_space(first) {
            self.pos += usize::from(is_one);
            return Space { any: is_one, ..Space::default() };
        }
        self.skip_all_space(breaks)
    }

    fn skip_all_space(&mut self, breaks: Break) -> Space {
        let mut space = Space::default();
        loop {
            match self.byte(self.pos) {
                b'\n' if breaks == Break::Kept => return space,
                b'\t' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b' ' => self.pos += class::n_spaces(&self.bytes[self.pos..]),
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

    /// What comes next, which begins with `first`.
    #[inline(always)]
    fn kind(&mut self, first: u8, space: &Space, interner: &mut Interner) -> TokenKind {
        let start = self.pos;
        if class::begins_ident(first) {
            return self.ident(start, interner);
        }
        match first {
            b'\\' | 0x80.. if self.ident_char_len(start, true).is_some() => {
                self.ident_or_literal(start, interner)
            }
            b'0'..=b'9' => self.number(start, interner),
            b'.' if self.byte(self.unsplice(start + 1)).is_ascii_digit() => self.number(start, interner),
            b'"' | b'\'' => self.quoted(start, first, interner),
            b'/' if space.unterminated => self.other(start, interner),
            0 if start >= self.bytes.len() => TokenKind::Eof,
            _ => match self.punct(first) {
                Some(punct) => TokenKind::Punct(punct),
                None => self.stray(start, interner),
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
    fn ident(&mut self, start: usize, interner: &mut Interner) -> TokenKind {
        // A single letter is the most frequent name.
        let next = self.byte(start + 1);
        if !class::continues_ident(next) && !class::is_special(next) {
            self.pos = start + 1;
            return TokenKind::Ident(interner.intern_letter(self.bytes[start]));
        }
        let mut hash = SpellingHash::new();
        let mut pos = start;
        loop {
            let (part, n_bytes) = class::ident_part(class::word_at(self.bytes, pos));
            hash = hash.and(part);
            pos += n_bytes;
            if n_bytes < 8 {
                break;
            }
        }
        // What may be more than plain letters takes the longer way.
        if class::is_special(self.byte(pos)) {
            return self.ident_or_literal(start, interner);
        }
        self.pos = pos;
        let symbol = interner.intern_part(self.text, start..pos, hash);
        Self::word(symbol, interner)
    }

    fn ident_or_literal(&mut self, start: usize, interner: &mut Interner) -> TokenKind {
        self.pos = self.ident_end(start);
        let quote_pos = self.unsplice(self.pos);
        let quote = self.byte(quote_pos);
        if matches!(quote, b'"' | b'\'') && quote_pos - start < 16 {
            match &*self.spelling(start, self.pos) {
                "u8" | "u" | "U" | "L" => return self.quoted(start, quote, interner),
                "R" | "u8R" | "uR" | "UR" | "LR" if quote == b'"' => {
                    return self.raw_string(start, quote_pos, interner);
                }
                _ => {}
            }
        }
        let symbol = self.intern(start, true, interner);
        Self::word(symbol, interner)
    }

    fn word(symbol: Symbol, interner: &Interner) -> TokenKind {
        if !symbol.is_reserved() {
            TokenKind::Ident(symbol)
        } else if let Some(keyword) = interner.keyword(symbol) {
            TokenKind::Keyword(keyword)
        } else if let Some(punct) = interner.alternative(symbol) {
            TokenKind::Punct(punct)
        } else {
            TokenKind::Ident(symbol)
        }
    }

    /// A preprocessing number (C17 6.4.8, with C++14's digit separators).
    fn number(&mut self, start: usize, interner: &mut Interner) -> TokenKind {
        let mut pos = start + class::n_ident_bytes(&self.bytes[start..]);
        if self.byte(pos) == b'.' {
            pos += 1 + class::n_ident_bytes(&self.bytes[pos + 1..]);
        }
        let is_plain = !matches!(self.byte(pos), b'.' | b'+' | b'-' | b'\'' | b'\\' | 0x80..);
        if is_plain {
            self.pos = pos;
            return TokenKind::Number(interner.intern(&self.text[start..pos]));
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
        TokenKind::Number(self.intern(start, false, interner))
    }

    /// A character or string literal whose opening quote comes next (C17 6.4.4.4, 6.4.5).
    fn quoted(&mut self, start: usize, quote: u8, interner: &mut Interner) -> TokenKind {
        self.pos = self.unsplice(self.pos) + 1;
        loop {
            let pos = self.unsplice(self.pos);
            match self.byte(pos) {
                b'\n' => return self.other(start, interner),
                0 if pos >= self.bytes.len() => return self.other(start, interner),
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
        let symbol = self.intern(start, false, interner);
        if quote == b'"' { TokenKind::Str(symbol) } else { TokenKind::Char(symbol) }
    }

    /// A raw string literal (C++17 5.13.5): within it nothing is spliced or escaped.
    fn raw_string(&mut self, start: usize, quote_pos: usize, interner: &mut Interner) -> TokenKind {
        let is_closed = self.skip_raw_string(quote_pos);
        if !is_closed {
            return self.other(start, interner);
        }
        TokenKind::Str(interner.intern(&self.text[start..self.pos]))
    }

    /// Goes behind the raw string whose opening quote stands at `quote_pos`. One without a parenthesis ends with its
    /// line, one that is not closed with the text; for both the answer is false.
    fn skip_raw_string(&mut self, quote_pos: usize) -> bool {
        let rest = &self.text[quote_pos + 1..];
        let is_delimiter =
            |c: char| !matches!(c, ' ' | '(' | ')' | '\\' | '\t' | '\n' | '\r' | '\x0b' | '\x0c' | '"');
        let delimiter_len = rest.find(|c| !is_delimiter(c)).unwrap_or(rest.len());
        if delimiter_len > 16 || !rest[delimiter_len..].starts_with('(') {
            self.pos = quote_pos + 1 + rest.find('\n').unwrap_or(rest.len());
            return false;
        }
        let closing = format!("){}\"", &rest[..delimiter_len]);
        let len = rest[delimiter_len..].find(&closing);
        self.pos = len.map_or(self.bytes.len(), |len| quote_pos + 1 + delimiter_len + len + closing.len());
        len.is_some()
    }

    /// A run of characters that begin no token.
    fn stray(&mut self, start: usize, interner: &mut Interner) -> TokenKind {
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
        self.other(start, interner)
    }

    /// What stands from `start` to the position, or after an unterminated comment the rest.
    fn other(&mut self, start: usize, interner: &mut Interner) -> TokenKind {
        if self.pos == start {
            self.pos = self.bytes.len();
        }
        TokenKind::Other(self.intern(start, false, interner))
    }

    fn intern(&mut self, start: usize, is_ident: bool, interner: &mut Interner) -> Symbol {
        let text = &self.text[start..self.pos];
        if !text.contains('\\') {
            return interner.intern(text);
        }
        let spelling = self.spelling(start, self.pos);
        let spelling = if is_ident { class::expand_universal_chars(&spelling) } else { spelling };
        interner.intern(&spelling)
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

/// Whether a punctuator that begins with `first` is written in its other way: `<:`, `and`.
#[inline]
fn is_alternative(first: u8, punct: Punct) -> bool {
    matches!(first, b'<' | b':' | b'%' | b'a'..=b'z') && first != punct.spelling().as_bytes()[0]
}

#[cfg(test)]
mod tests;
