//! What each byte can begin or continue, and universal character names.

use crate::token::Punct;

const IDENT_START: u8 = 1;
const IDENT_CONTINUE: u8 = 2;
/// Begins no token of the language: a control character, `@`, a backquote, a backslash, or a byte of
/// a character beyond ASCII, for which [`unicode_ident`] has the last word.
const STRAY: u8 = 4;

/// Begins white space, a comment or a line splice.
const SPACE: u8 = 8;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            // `$` is GNU's; PTX takes it in names as well.
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => IDENT_START | IDENT_CONTINUE,
            b'0'..=b'9' => IDENT_CONTINUE,
            b'\\' => STRAY | SPACE,
            b'@' | b'`' | 0x7f.. => STRAY,
            b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | b' ' | b'/' => SPACE,
            0..0x20 => STRAY,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Whether an identifier can begin with the byte.
pub(super) fn begins_ident(byte: u8) -> bool {
    CLASSES[byte as usize] & IDENT_START != 0
}

/// Whether the byte can stand in an identifier.
pub(super) fn continues_ident(byte: u8) -> bool {
    CLASSES[byte as usize] & IDENT_CONTINUE != 0
}

/// Whether white space, a comment or a line splice can begin with the byte.
pub(super) fn begins_space(byte: u8) -> bool {
    CLASSES[byte as usize] & SPACE != 0
}

/// The punctuator that the byte is whatever follows it.
pub(super) fn single_punct(byte: u8) -> Option<Punct> {
    SINGLE_PUNCTS[byte as usize]
}

const SINGLE_PUNCTS: [Option<Punct>; 256] = {
    let mut puncts = [None; 256];
    puncts[b'(' as usize] = Some(Punct::LParen);
    puncts[b')' as usize] = Some(Punct::RParen);
    puncts[b'[' as usize] = Some(Punct::LBracket);
    puncts[b']' as usize] = Some(Punct::RBracket);
    puncts[b'{' as usize] = Some(Punct::LBrace);
    puncts[b'}' as usize] = Some(Punct::RBrace);
    puncts[b';' as usize] = Some(Punct::Semi);
    puncts[b',' as usize] = Some(Punct::Comma);
    puncts[b'~' as usize] = Some(Punct::Tilde);
    puncts[b'?' as usize] = Some(Punct::Question);
    puncts
};

/// How many bytes that can stand in an identifier come first.
pub(super) fn n_ident_bytes(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| !continues_ident(byte)).unwrap_or(bytes.len())
}

/// How many blanks come first.
pub(super) fn n_blanks(bytes: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c);
    bytes.iter().position(|byte| !is_blank(byte)).unwrap_or(bytes.len())
}

/// Whether no token begins with the byte, unless it starts a letter beyond ASCII.
pub(super) fn is_stray(byte: u8) -> bool {
    CLASSES[byte as usize] & STRAY != 0
}

/// The universal character name (C17 6.4.3) that `text` begins with, and its length.
pub(super) fn universal_char(text: &str) -> Option<(char, usize)> {
    let len = match text.as_bytes() {
        [b'\\', b'u', ..] => 6,
        [b'\\', b'U', ..] => 10,
        _ => return None,
    };
    let digits = text.get(2..len)?;
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((character, len))
}

/// An identifier's spelling with the characters that its universal character names stand for.
pub(super) fn expand_universal_chars(spelling: &str) -> String {
    let mut expanded = String::with_capacity(spelling.len());
    let mut rest = spelling;
    while let Some(at) = rest.find('\\') {
        expanded.push_str(&rest[..at]);
        rest = &rest[at..];
        let (character, len) = universal_char(rest).unwrap_or(('\\', 1));
        expanded.push(character);
        rest = &rest[len..];
    }
    expanded.push_str(rest);
    expanded
}
