//! What each byte can begin or continue, and universal character names.

use crate::token::Punct;

const IDENT_START: u8 = 1;
const IDENT_CONTINUE: u8 = 2;
/// Begins no token of the language: a control character, `@`, a backquote, a backslash, or a byte of
/// a character beyond ASCII, for which [`unicode_ident`] has the last word.
const STRAY: u8 = 4;

/// Begins white space, a comment or a line splice.
const SPACE: u8 = 8;

/// Behind letters, makes more of them than a plain word: the prefix of a literal, or a longer identifier.
const SPECIAL: u8 = 16;

/// Can follow the first character of an operator, a comment or a number that begins like one, or be a line splice.
const OPERATOR_CONTINUE: u8 = 32;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            // `$` is GNU's; PTX takes it in names as well.
            b'$' => IDENT_START | IDENT_CONTINUE | SPECIAL,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => IDENT_START | IDENT_CONTINUE,
            b'0'..=b'9' => IDENT_CONTINUE | OPERATOR_CONTINUE,
            b'.' | b'-' | b'+' | b'&' | b'|' | b'*' | b'=' | b':' | b'#' | b'%' | b'<' | b'>' => {
                OPERATOR_CONTINUE
            }
            b'\\' => STRAY | SPACE | SPECIAL | OPERATOR_CONTINUE,
            b'"' | b'\'' => SPECIAL,
            0x80.. => STRAY | SPECIAL,
            b'@' | b'`' | 0x7f => STRAY,
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

/// Whether the byte can be part of an identifier.
pub(super) fn continues_ident(byte: u8) -> bool {
    CLASSES[byte as usize] & IDENT_CONTINUE != 0
}

/// Whether the byte makes more of the letters before it than a plain word.
pub(super) fn is_special(byte: u8) -> bool {
    CLASSES[byte as usize] & SPECIAL != 0
}

/// Whether a plain word ends before the byte.
pub(super) fn ends_word(byte: u8) -> bool {
    CLASSES[byte as usize] & (IDENT_CONTINUE | SPECIAL) == 0
}

/// Whether the byte can make more of the first character of an operator.
pub(super) fn continues_operator(byte: u8) -> bool {
    CLASSES[byte as usize] & OPERATOR_CONTINUE != 0
}

/// Whether white space, a comment or a line splice can begin with the byte.
pub(super) fn begins_space(byte: u8) -> bool {
    CLASSES[byte as usize] & SPACE != 0
}

/// The tokens that can begin with a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// An identifier, a keyword, or the prefix of a literal.
    Letter,
    Digit,
    /// This punctuator, whatever follows.
    Punct(Punct),
    /// This punctuator, unless the next byte continues it ([`continues_operator`]).
    Operator(Punct),
    /// A literal, a `#`, a byte that begins no token, or the end of the text.
    Other,
}

/// The tokens that can begin with the byte.
pub(super) fn start(byte: u8) -> Start {
    STARTS[byte as usize]
}

const STARTS: [Start; 256] = {
    let mut starts = [Start::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        starts[byte] = match byte as u8 {
            b'$' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => Start::Letter,
            b'0'..=b'9' => Start::Digit,
            b'(' => Start::Punct(Punct::LParen),
            b')' => Start::Punct(Punct::RParen),
            b'[' => Start::Punct(Punct::LBracket),
            b']' => Start::Punct(Punct::RBracket),
            b'{' => Start::Punct(Punct::LBrace),
            b'}' => Start::Punct(Punct::RBrace),
            b';' => Start::Punct(Punct::Semi),
            b',' => Start::Punct(Punct::Comma),
            b'~' => Start::Punct(Punct::Tilde),
            b'?' => Start::Punct(Punct::Question),
            b'.' => Start::Operator(Punct::Dot),
            b'-' => Start::Operator(Punct::Minus),
            b'+' => Start::Operator(Punct::Plus),
            b'&' => Start::Operator(Punct::Amp),
            b'|' => Start::Operator(Punct::Pipe),
            b'*' => Start::Operator(Punct::Star),
            b'/' => Start::Operator(Punct::Slash),
            b'^' => Start::Operator(Punct::Caret),
            b'!' => Start::Operator(Punct::Bang),
            b'=' => Start::Operator(Punct::Eq),
            b':' => Start::Operator(Punct::Colon),
            b'%' => Start::Operator(Punct::Percent),
            b'<' => Start::Operator(Punct::Lt),
            b'>' => Start::Operator(Punct::Gt),
            _ => Start::Other,
        };
        byte += 1;
    }
    starts
};

/// How many bytes at the start can be part of an identifier.
pub(super) fn n_ident_bytes(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| !continues_ident(byte)).unwrap_or(bytes.len())
}

/// The eight bytes at `pos` as a little-endian number; missing ones are zero.
#[inline(always)]
pub(super) fn word_at(bytes: &[u8], pos: usize) -> u64 {
    match bytes.get(pos..pos + 8).and_then(|word| word.first_chunk()) {
        Some(&word) => u64::from_le_bytes(word),
        None => last_word(bytes.get(pos..).unwrap_or(&[])),
    }
}

#[cold]
fn last_word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The bytes of a word of eight that cannot be part of an identifier, and `$`: the highest bit of each is set. All eight
/// are looked at at a time: a loop over them, which ends now here and now there, costs more.
#[inline(always)]
pub(super) fn ident_ends(word: u64) -> u64 {
    // The answer is the highest bit of each byte; the bytes are below 0x80, so that no sum reaches the next one.
    let at_least = |bytes: u64, first: u8| bytes + each(0x80 - first);
    let ascii = word & each(0x7f);
    let lower = ascii | each(0x20);
    let is_letter = at_least(lower, b'a') & !at_least(lower, b'z' + 1);
    let is_digit = at_least(ascii, b'0') & !at_least(ascii, b'9' + 1);
    let is_other = at_least(ascii ^ each(b'_'), 1);
    (!(is_letter | is_digit) & is_other | word) & each(0x80)
}

/// The same for the bytes of a number, except signs and separators.
#[inline(always)]
pub(super) fn number_ends(word: u64) -> u64 {
    let is_other = ((word & each(0x7f)) ^ each(b'.')) + each(0x7f);
    ident_ends(word) & (is_other | word)
}

/// Whether the byte may continue a number after the part that [`number_ends`] finds.
pub(super) fn may_continue_number(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'\'' | b'$' | b'\\' | 0x80..)
}

/// The bytes of a word before the first one that `ends` marks, and their number.
#[inline(always)]
pub(super) fn part_before(ends: u64, word: u64) -> (u64, usize) {
    // The lowest bit of the first one; zero if there is none.
    let end = (ends & ends.wrapping_neg()) >> 7;
    (word & end.wrapping_sub(1), ends.trailing_zeros() as usize / 8)
}

/// How many spaces a word of eight bytes begins with.
pub(super) fn n_spaces(word: u64) -> usize {
    (word ^ each(b' ')).trailing_zeros() as usize / 8
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

/// An identifier's spelling with its universal character names replaced by their characters.
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
