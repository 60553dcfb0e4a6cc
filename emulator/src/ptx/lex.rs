//! Tokens (PTX ISA "Syntax").
//!
//! Words are taken whole: `%r1`, `$L__BB0_1`, and with the dot before them `.u32`, `.shared::cta`. A register's part,
//! `%tid.x`, is two tokens.

use super::place::{Place, SyntaxError};

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'t> {
    /// A name, an opcode, a register.
    Word(&'t str),
    /// A word with a dot before it, which is not part of it.
    Dot(&'t str),
    /// An integer constant; with a `U`, or too large for a signed one, unsigned.
    Int(u64, bool),
    /// `0f` and the bits of a `.f32`.
    F32(u32),
    /// A decimal floating constant, or `0d` and the bits of a `.f64`.
    F64(f64),
    /// A string, without its quotes; there is no escape in one.
    Str(&'t str),
    /// A punctuation character.
    Punct(u8),
    /// `<<` and `>>`, `<=` and similar ones: the two characters.
    Punct2([u8; 2]),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// For messages.
    pub(super) fn describe(self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Dot(word) => format!("`.{word}`"),
            Token::Int(value, _) => format!("`{value}`"),
            Token::F32(bits) => format!("`0f{bits:08X}`"),
            Token::F64(value) => format!("`{value}`"),
            Token::Str(text) => format!("\"{text}\""),
            Token::Punct(byte) => format!("`{}`", byte as char),
            Token::Punct2([first, second]) => format!("`{}{}`", first as char, second as char),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

pub(super) struct Lexer<'t> {
    text: &'t str,
    pos: usize,
}

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Lexer { text, pos: 0 }
    }

    /// The next token and where it begins.
    pub(super) fn next(&mut self) -> Result<(Token<'t>, Place), SyntaxError> {
        self.skip_blanks()?;
        let start = self.pos;
        let token = self.token()?;
        Ok((token, Place(start as u32)))
    }

    fn token(&mut self) -> Result<Token<'t>, SyntaxError> {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        let Some(&first) = bytes.get(start) else { return Ok(Token::End) };
        let second = bytes.get(start + 1).copied().unwrap_or(0);
        if is_word_start(first) || (first == b'%' && is_word_start(second)) {
            self.pos += 1;
            return Ok(Token::Word(self.rest_of_word(start)));
        }
        if first == b'.' && is_word(second) {
            if second.is_ascii_digit()
                && let Some(value) = self.decimal_float(&self.text[start..])
            {
                return Ok(Token::F64(value));
            }
            self.pos += 1;
            return Ok(self.dot());
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        if first == b'"' {
            return self.string();
        }
        if matches!(
            [first, second],
            [b'<', b'<'] | [b'>', b'>'] | [b'<' | b'>' | b'=' | b'!', b'='] | [b'&', b'&'] | [b'|', b'|']
        ) {
            self.pos += 2;
            return Ok(Token::Punct2([first, second]));
        }
        if first.is_ascii_punctuation() {
            self.pos += 1;
            return Ok(Token::Punct(first));
        }
        let found = self.text[start..].chars().next().unwrap_or_default();
        Err(self.error(start, format!("invalid character `{}`", found.escape_debug())))
    }

    fn rest_of_word(&mut self, start: usize) -> &'t str {
        let rest = &self.text.as_bytes()[self.pos..];
        self.pos += rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        &self.text[start..self.pos]
    }

    /// A modifier may hold `::`, as in `.shared::cta`, and after one the colon of a ratio, as in `.sp::2:4`.
    fn dot(&mut self) -> Token<'t> {
        let start = self.pos;
        self.rest_of_word(start);
        while self.text[self.pos..].starts_with("::")
            && self.text.as_bytes().get(self.pos + 2).copied().is_some_and(is_word)
        {
            self.pos += 2;
            self.rest_of_word(start);
        }
        if let Some([b'0'..=b'9', b':', b'0'..=b'9']) = self.text.as_bytes().get(self.pos - 1..self.pos + 2)
            && self.text[start..self.pos].contains("::")
        {
            self.pos += 1;
            self.rest_of_word(start);
        }
        Token::Dot(&self.text[start..self.pos])
    }

    /// PTX ISA "Constants".
    fn number(&mut self) -> Result<Token<'t>, SyntaxError> {
        let start = self.pos;
        let rest = &self.text[start..];
        let digits_of = |prefix: usize, is_digit: fn(u8) -> bool| {
            let digits = rest.as_bytes()[prefix..].iter().take_while(|&&byte| is_digit(byte)).count();
            &rest[prefix..prefix + digits]
        };
        let is_hex = |byte: u8| byte.is_ascii_hexdigit();
        let is_decimal = |byte: u8| byte.is_ascii_digit();
        let prefix = rest.as_bytes().get(..2).unwrap_or_default();
        match prefix {
            b"0f" | b"0F" => {
                let digits = digits_of(2, is_hex);
                self.pos += 2 + digits.len();
                let bits = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 8);
                return bits
                    .map(Token::F32)
                    .ok_or_else(|| self.error(start, "`0f` needs eight hexadecimal digits"));
            }
            b"0d" | b"0D" => {
                let digits = digits_of(2, is_hex);
                self.pos += 2 + digits.len();
                let bits = u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 16);
                return bits
                    .map(|bits| Token::F64(f64::from_bits(bits)))
                    .ok_or_else(|| self.error(start, "`0d` needs sixteen hexadecimal digits"));
            }
            _ => {}
        }
        if let Some(value) = self.decimal_float(rest) {
            return Ok(Token::F64(value));
        }
        let (radix, prefix, digits) = match prefix {
            b"0x" | b"0X" => (16, 2, digits_of(2, is_hex)),
            b"0b" | b"0B" => (2, 2, digits_of(2, is_decimal)),
            [b'0', b'0'..=b'9'] => (8, 1, digits_of(1, is_decimal)),
            _ => (10, 0, digits_of(0, is_decimal)),
        };
        self.pos += prefix + digits.len();
        let has_suffix = self.text.as_bytes().get(self.pos) == Some(&b'U');
        self.pos += usize::from(has_suffix);
        if self.text.as_bytes().get(self.pos).copied().is_some_and(is_word) {
            let word = self.rest_of_word(start);
            return Err(self.error(start, format!("invalid number `{word}`")));
        }
        let value = u64::from_str_radix(digits, radix);
        let value = value
            .map_err(|_| self.error(start, format!("invalid number `{}`", &self.text[start..self.pos])))?;
        Ok(Token::Int(value, has_suffix || value > i64::MAX as u64))
    }

    /// `1.5`, `1e10`, `1.0e-3`, `1.`, `.5`; no `.2d`.
    fn decimal_float(&mut self, rest: &str) -> Option<f64> {
        let bytes = rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut len = digits(0);
        let mut is_float = bytes.get(len) == Some(&b'.');
        if is_float {
            len += 1 + digits(len + 1);
        }
        if matches!(bytes.get(len), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
            let exponent = digits((len + 1 + sign).min(bytes.len()));
            if exponent > 0 {
                len += 1 + sign + exponent;
                is_float = true;
            }
        }
        // `.1d` is part of an instruction's name.
        let ends = !bytes.get(len).copied().is_some_and(is_word);
        let value = rest[..len].parse().ok().filter(|_| is_float && ends)?;
        self.pos += len;
        Some(value)
    }

    fn string(&mut self) -> Result<Token<'t>, SyntaxError> {
        let start = self.pos + 1;
        let Some(len) = memchr::memchr2(b'"', b'\n', &self.text.as_bytes()[start..]) else {
            return Err(self.error(self.pos, "unterminated string"));
        };
        if self.text.as_bytes()[start + len] == b'\n' {
            return Err(self.error(self.pos, "unterminated string"));
        }
        self.pos = start + len + 1;
        Ok(Token::Str(&self.text[start..start + len]))
    }

    fn skip_blanks(&mut self) -> Result<(), SyntaxError> {
        let bytes = self.text.as_bytes();
        loop {
            let rest = &bytes[self.pos..];
            self.pos += rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0b).count();
            let rest = &bytes[self.pos..];
            if rest.starts_with(b"//") {
                self.pos += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                let Some(end) = memchr::memmem::find(&rest[2..], b"*/") else {
                    return Err(self.error(self.pos, "unterminated comment"));
                };
                self.pos += end + 4;
            } else if rest == b"\0" {
                // What comes out of an object ends in a zero.
                self.pos += 1;
            } else {
                return Ok(());
            }
        }
    }

    fn error(&self, at: usize, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(message, Place(at as u32), self.text)
    }
}
