//! From text to preprocessing tokens (translation phases 1 to 3, C17 5.1.1.2).
//!
//! In: one file of the source map. Out: its tokens; the last is `Eof`. Spellings contain no
//! line splices, and identifiers no universal character names; spans refer to the raw text.
//!
//! Characters that begin no token, and literals not closed on their line, become
//! `TokenKind::Other` and are not reported here: whether they matter
//! is known only after the directives are processed. The same is true of the text after an unclosed `/*`.
//!
//! - [`class`]: what each byte can begin or continue
//! - [`punct`]: the punctuators, by maximal munch
//! - [`skip`]: text that directives skip, or do not read as tokens
//! - [`number`]: the value of a preprocessing number
//! - [`literal`]: the value of character and string literals

mod class;
pub(crate) mod literal;
pub(crate) mod number;
mod punct;
mod skip;

use class::Start;
use memchr::{memchr, memchr2};

use crate::source::{FileId, SourceMap, Span};
use crate::token::{Form, Interner, Puncts, SpellingHash, Symbol, Token, TokenKind};

/// The tokens of a file, directives included.
pub(crate) fn lex(sources: &SourceMap, file: FileId, interner: &mut Interner) -> Vec<Token> {
    let file = sources.file(file);
    let mut lexer = Lexer::new(file.text(), file.base());
    // Code averages about three bytes per token; unused capacity is never touched.
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

/// The text between two tokens.
#[derive(Clone, Copy, Default)]
struct Space {
    any: bool,
    newline: bool,
}

impl<'t> Lexer<'t> {
    /// At the beginning of a text, whose first byte has the address `base`.
    pub(crate) fn new(text: &'t str, base: u32) -> Self {
        let bom = '\u{feff}';
        let pos = if text.starts_with(bom) { bom.len_utf8() } else { 0 };
        Lexer { text, bytes: text.as_bytes(), base, pos, at_line_start: true }
    }

    /// The next token. At the end of the text it is `Eof`, again and again.
    pub(crate) fn token(&mut self, interner: &mut Interner) -> Token {
        let (space, next) = self.skip_space(Break::Skipped);
        let at_line_start = self.at_line_start | space.newline;
        self.at_line_start = false;
        self.token_here(space, next, at_line_start, interner)
    }

    /// Puts tokens behind `tokens`, up to and with the first one that may not be plain: the first of the text, a word that
    /// the caller does not call so, a `special` punctuator, a literal in quotes, what is no token, the end of the text.
    ///
    /// Nearly all tokens of a program are made here. Each is made where it goes: to move one as soon as it is made takes
    /// longer than to make it, as the processor must then wait for its parts.
    #[inline(never)]
    pub(crate) fn plain_tokens(
        &mut self,
        tokens: &mut Vec<Token>,
        interner: &mut Interner,
        is_plain_word: impl Fn(Symbol) -> bool,
        special: Puncts,
    ) {
        if self.at_line_start {
            tokens.push(self.token(interner));
            return;
        }
        loop {
            let (space, next) = self.skip_space(Break::Skipped);
            let start = self.pos;
            match class::start(next as u8) {
                Start::Letter if class::ends_word((next >> 8) as u8) => {
                    self.pos = start + 1;
                    let word = interner.intern_character(next as u8);
                    tokens.push(self.made(start, TokenKind::Ident(word), space));
                    if !is_plain_word(word) {
                        return;
                    }
                }
                Start::Letter => {
                    let Some(word) = self.plain_word(start, interner) else {
                        tokens.push(self.token_here(space, next, space.newline, interner));
                        return;
                    };
                    if word.is_reserved() {
                        let kind = word_kind(word, interner);
                        tokens.push(Token { form: word_form(kind), ..self.made(start, kind, space) });
                    } else {
                        tokens.push(self.made(start, TokenKind::Ident(word), space));
                    }
                    if !is_plain_word(word) {
                        return;
                    }
                }
                Start::Digit => {
                    let kind = self.number(start, next, interner);
                    tokens.push(self.made(start, kind, space));
                }
                Start::Operator(_) if class::continues_operator((next >> 8) as u8) => {
                    let token = self.token_here(space, next, space.newline, interner);
                    tokens.push(token);
                    if !matches!(token.kind, TokenKind::Punct(punct) if !special.has(punct)) {
                        return;
                    }
                }
                Start::Punct(punct) | Start::Operator(punct) => {
                    self.pos = start + 1;
                    tokens.push(self.made(start, TokenKind::Punct(punct), space));
                    if special.has(punct) {
                        return;
                    }
                }
                Start::Other => {
                    tokens.push(self.token_here(space, next, space.newline, interner));
                    return;
                }
            }
        }
    }

    /// The token from `start` to the position, if there is nothing about it.
    #[inline(always)]
    fn made(&self, start: usize, kind: TokenKind, space: Space) -> Token {
        let span = self.span(start, self.pos);
        Token { kind, span, at_line_start: space.newline, after_space: space.any, form: Form::Usual }
    }

    /// The next token of the line, if the line has one more.
    pub(crate) fn token_of_line(&mut self, interner: &mut Interner) -> Option<Token> {
        let (space, next) = self.skip_space(Break::Kept);
        let is_end = self.pos >= self.bytes.len() || self.bytes[self.pos] == b'\n';
        (!is_end).then(|| self.token_here(space, next, false, interner))
    }

    /// The token at the position, after the space.
    #[inline(never)]
    fn token_here(&mut self, space: Space, next: u64, at_line_start: bool, interner: &mut Interner) -> Token {
        let start = self.pos;
        let first = next as u8;
        let (kind, form) = match class::start(first) {
            Start::Letter => {
                let kind = self.word(start, next, interner);
                (kind, word_form(kind))
            }
            Start::Digit => (self.number(start, next, interner), Form::Usual),
            Start::Operator(_) if class::continues_operator((next >> 8) as u8) => {
                let kind = self.operator(first, interner);
                (kind, operator_form(first, kind))
            }
            Start::Punct(punct) | Start::Operator(punct) => {
                self.pos = start + 1;
                (TokenKind::Punct(punct), Form::Usual)
            }
            Start::Other => (self.literal_or_other(start, first, interner), Form::Usual),
        };
        Token { at_line_start, form, ..self.made(start, kind, space) }
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

    /// Skips white space, splices and comments (C17 6.4.9). Gives the next bytes as well, seven at least; zeros stand
    /// for those after the end of the text.
    #[inline(always)]
    fn skip_space(&mut self, breaks: Break) -> (Space, u64) {
        // Most often it is nothing, or one space.
        let next = class::word_at(self.bytes, self.pos);
        let any = next as u8 == b' ';
        let next = next >> (8 * u32::from(any));
        if class::begins_space(next as u8) {
            return self.skip_more_space(self.pos + usize::from(any), next as u8, breaks);
        }
        self.pos += usize::from(any);
        (Space { any, ..Space::default() }, next)
    }

    /// Goes on with `first` at `pos`, which begins white space and ends the line most often.
    #[inline(always)]
    fn skip_more_space(&mut self, mut pos: usize, first: u8, breaks: Break) -> (Space, u64) {
        if first == b'\n' && breaks == Break::Skipped {
            pos += 1;
            let next = loop {
                let next = class::word_at(self.bytes, pos);
                let n_spaces = class::n_spaces(next);
                if n_spaces == 0 {
                    break next;
                }
                pos += n_spaces;
            };
            if !class::begins_space(next as u8) {
                self.pos = pos;
                return (Space { any: true, newline: true }, next);
            }
        }
        let space = self.skip_all_space(breaks);
        (space, class::word_at(self.bytes, self.pos))
    }

    #[inline(never)]
    fn skip_all_space(&mut self, breaks: Break) -> Space {
        let mut space = Space::default();
        loop {
            let next = class::word_at(self.bytes, self.pos);
            match next as u8 {
                b'\n' if breaks == Break::Kept => return space,
                b'\t' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b' ' => self.pos += class::n_spaces(next),
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
                            let Some(end) = self.block_comment_end(next + 1) else { return space };
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

    /// Whether a comment begins here. Behind white space, that is one that nothing closes; it takes the rest of the
    /// text.
    fn is_at_comment(&self) -> bool {
        self.byte(self.pos) == b'/' && self.byte(self.unsplice(self.pos + 1)) == b'*'
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

    /// An operator of several characters or with a line splice, or text that only begins like one.
    fn operator(&mut self, first: u8, interner: &mut Interner) -> TokenKind {
        let start = self.pos;
        match first {
            b'.' if self.byte(self.unsplice(start + 1)).is_ascii_digit() => self.long_number(start, interner),
            b'/' if self.is_at_comment() => self.other(start, interner),
            _ => match self.punct(first) {
                Some(punct) => TokenKind::Punct(punct),
                None => self.stray(start, interner),
            },
        }
    }

    /// Tokens that begin with other characters.
    fn literal_or_other(&mut self, start: usize, first: u8, interner: &mut Interner) -> TokenKind {
        match first {
            b'"' | b'\'' => self.quoted(start, first, interner),
            0 if start >= self.bytes.len() => TokenKind::Eof,
            b'#' => self.punct(first).map_or_else(|| self.stray(start, interner), TokenKind::Punct),
            b'\\' | 0x80.. if self.ident_char_len(start, true).is_some() => {
                self.ident_or_literal(start, interner)
            }
            _ => self.stray(start, interner),
        }
    }

    /// Length of one non-ASCII character of an identifier at `pos`, itself or
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
    #[inline(always)]
    fn word(&mut self, start: usize, next: u64, interner: &mut Interner) -> TokenKind {
        // A single letter is the most frequent name.
        if class::ends_word((next >> 8) as u8) {
            self.pos = start + 1;
            return TokenKind::Ident(interner.intern_character(next as u8));
        }
        self.ident(start, interner)
    }

    /// The same where there are more letters.
    fn ident(&mut self, start: usize, interner: &mut Interner) -> TokenKind {
        match self.plain_word(start, interner) {
            Some(word) => word_kind(word, interner),
            None => self.ident_or_literal(start, interner),
        }
    }

    /// The word from `start` on, if it has plain letters and digits alone and is not the prefix of a literal.
    #[inline(always)]
    fn plain_word(&mut self, start: usize, interner: &mut Interner) -> Option<Symbol> {
        let (hash, end, next) = self.scan(start, class::ident_ends);
        if class::is_special(next) {
            return None;
        }
        self.pos = end;
        Some(interner.intern_part(self.text, start..end, hash))
    }

    /// Goes from `start` to the first of the bytes that `ends` marks in each word. Gives that, its place and the hash of
    /// the text before it.
    #[inline(always)]
    fn scan(&self, start: usize, ends: impl Fn(u64) -> u64) -> (SpellingHash, usize, u8) {
        let mut word = class::word_at(self.bytes, start);
        let (part, mut n_bytes) = class::part_before(ends(word), word);
        let mut hash = SpellingHash::new(part);
        let mut pos = start + n_bytes;
        while n_bytes == 8 {
            word = class::word_at(self.bytes, pos);
            let part;
            (part, n_bytes) = class::part_before(ends(word), word);
            hash = hash.and(part);
            pos += n_bytes;
        }
        (hash, pos, (word >> (8 * n_bytes)) as u8)
    }

    #[inline(never)]
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
        word_kind(symbol, interner)
    }

    /// A preprocessing number (C17 6.4.8, with C++14's digit separators).
    #[inline(always)]
    fn number(&mut self, start: usize, next: u64, interner: &mut Interner) -> TokenKind {
        // Most often it is a digit.
        let behind = (next >> 8) as u8;
        if class::ends_word(behind) && behind != b'.' {
            self.pos = start + 1;
            return TokenKind::Number(interner.intern_character(next as u8));
        }
        self.long_number(start, interner)
    }

    /// The same where there are more digits.
    #[inline(always)]
    fn long_number(&mut self, start: usize, interner: &mut Interner) -> TokenKind {
        let (hash, end, next) = self.scan(start, class::number_ends);
        if !class::may_continue_number(next) {
            self.pos = end;
            return TokenKind::Number(interner.intern_part(self.text, start..end, hash));
        }
        self.odd_number(start, interner)
    }

    /// A number with a sign, a separator, a splice or a letter beyond ASCII.
    #[inline(never)]
    fn odd_number(&mut self, start: usize, interner: &mut Interner) -> TokenKind {
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
        let inside = self.pos;
        loop {
            let pos = self.unsplice(self.pos);
            match self.byte(pos) {
                b'\n' => {
                    if quote == b'\'' {
                        self.end_character(inside);
                    }
                    return self.other(start, interner);
                }
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

    /// Where a character literal without its end may have been meant to end: after one character, or after an escape sequence of
    /// two, if punctuation follows that can.
    fn end_character(&mut self, inside: usize) {
        let len = if self.byte(inside) == b'\\' { 2 } else { 1 };
        if self.text.is_char_boundary(inside + len)
            && matches!(self.byte(inside + len), b';' | b')' | b'}' | b',' | b']' | b':')
        {
            self.pos = inside + len;
        }
    }

    /// A raw string literal (C++17 5.13.5): within it nothing is spliced or escaped.
    fn raw_string(&mut self, start: usize, quote_pos: usize, interner: &mut Interner) -> TokenKind {
        let is_closed = self.skip_raw_string(quote_pos);
        if !is_closed {
            return self.other(start, interner);
        }
        TokenKind::Str(interner.intern(&self.text[start..self.pos]))
    }

    /// Skips the raw string whose opening quote is at `quote_pos`. One without a parenthesis ends with its
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

    /// The text from `start` to the position, or the rest after an unterminated comment.
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

/// The token of a word.
fn word_kind(symbol: Symbol, interner: &Interner) -> TokenKind {
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

/// The spelling of a token that begins with a letter: `and` means `&&`.
fn word_form(kind: TokenKind) -> Form {
    if matches!(kind, TokenKind::Punct(_)) { Form::Alternative } else { Form::Usual }
}

/// The spelling of an operator whose first character is `first`: `<:` means `[`.
fn operator_form(first: u8, kind: TokenKind) -> Form {
    match kind {
        TokenKind::Punct(punct) if matches!(first, b'<' | b':' | b'%') => {
            let is_usual = first == punct.spelling().as_bytes()[0];
            if is_usual { Form::Usual } else { Form::Alternative }
        }
        _ => Form::Usual,
    }
}

#[cfg(test)]
mod tests;
