//! The value of character and string literals (C17 6.4.4.4, 6.4.5; raw strings C++17 5.13.5).

use std::ops::Range;

use crate::ast::{CharLit, LitPrefix};
use crate::diag::Code;

/// An error in a literal.
#[derive(Debug, PartialEq)]
pub(crate) struct LiteralError {
    pub(crate) code: Code,
    /// The bytes of the spelling that it is about.
    pub(crate) range: Range<usize>,
    pub(crate) message: String,
}

/// The code units of a literal, and its errors.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) units: Vec<u32>,
    pub(crate) errors: Vec<LiteralError>,
    /// Where the first unit is in the spelling.
    first: usize,
    /// Units behind which not every byte of the spelling is one, with their places: the ends of escape sequences.
    jumps: Vec<(u32, u32)>,
}

impl Decoded {
    /// Units behind which not every byte of the spelling is one, and where in it they stand.
    pub(crate) fn jumps(&self) -> &[(u32, u32)] {
        &self.jumps
    }

    /// Where each unit begins in the spelling of a literal whose units are bytes, and where the last one ends.
    pub(crate) fn place_of(&self, unit_idx: usize) -> usize {
        let idx = self.jumps.partition_point(|&(unit, _)| unit as usize <= unit_idx);
        let (unit, place) = match idx.checked_sub(1) {
            Some(idx) => self.jumps[idx],
            None => (0, self.first as u32),
        };
        place as usize + (unit_idx - unit as usize)
    }
}

/// The prefix of a literal's spelling.
pub(crate) fn prefix(spelling: &str) -> LitPrefix {
    let quote = spelling.find(['"', '\'']).unwrap_or(0);
    match spelling[..quote].trim_end_matches('R') {
        "u8" => LitPrefix::U8,
        "u" => LitPrefix::U16,
        "U" => LitPrefix::U32,
        "L" => LitPrefix::Wide,
        _ => LitPrefix::None,
    }
}

/// The code units of a string literal, encoded as `prefix` wants it: in a row of adjacent literals
/// that is the prefix of the whole row.
pub(crate) fn string(spelling: &str, prefix: LitPrefix) -> Decoded {
    let quote = spelling.find('"').unwrap_or(0);
    let body = quote + 1..spelling.len().saturating_sub(1).max(quote + 1);
    let mut decoder = Decoder { spelling, prefix, decoded: Decoded::default() };
    if spelling[..quote].ends_with('R') {
        let text = &spelling[body];
        let open = text.find('(').map_or(0, |at| at + 1);
        let close = text.rfind(')').unwrap_or(text.len()).max(open);
        decoder.decoded.first = quote + 1 + open;
        // A line break is one character, however the file writes it (translation phase 1).
        let mut place = quote + 1 + open;
        for (idx, line) in text[open..close].split("\r\n").enumerate() {
            if idx > 0 {
                decoder.push_char('\n');
                place += "\r\n".len();
                decoder.jump(place);
            }
            line.chars().for_each(|c| decoder.push_char(c));
            place += line.len();
        }
    } else {
        decoder.escaped(body);
    }
    decoder.decoded
}

/// The value of a character literal, and its errors.
pub(crate) fn character(spelling: &str) -> (CharLit, Vec<LiteralError>) {
    let prefix = prefix(spelling);
    let quote = spelling.find('\'').unwrap_or(0);
    let body = quote + 1..spelling.len().saturating_sub(1).max(quote + 1);
    let mut decoder = Decoder { spelling, prefix, decoded: Decoded::default() };
    decoder.escaped(body);
    let Decoded { units, mut errors, .. } = decoder.decoded;
    let whole = 0..spelling.len();
    if units.is_empty() && errors.is_empty() {
        let message = "empty character constant".into();
        errors.push(LiteralError { code: Code::EmptyCharacter, range: whole.clone(), message });
    }
    let is_multichar = units.len() > 1 && prefix == LitPrefix::None;
    if is_multichar {
        let message = if units.len() > 4 {
            "character constant too long for its type; only the last four characters are used".into()
        } else {
            "multi-character character constant".into()
        };
        errors.push(LiteralError { code: Code::MulticharConstant, range: whole, message });
    } else if units.len() > 1 {
        let message = "character too large for enclosing character literal type".into();
        errors.push(LiteralError { code: Code::CharacterTooLarge, range: whole, message });
    }
    let value = match (prefix, &*units) {
        // As GCC and nvcc: the characters are the bytes of an `int`, the last the lowest.
        (LitPrefix::None, [_, _, ..]) => i64::from(units.iter().fold(0, |v, &unit| v << 8 | unit) as i32),
        // `char` is signed.
        (LitPrefix::None, &[unit]) => i64::from(unit as u8 as i8),
        (LitPrefix::Wide, &[unit, ..]) => i64::from(unit as i32),
        (_, &[unit, ..]) => i64::from(unit),
        (_, []) => 0,
    };
    (CharLit { value, prefix, is_multichar }, errors)
}

struct Decoder<'a> {
    spelling: &'a str,
    prefix: LitPrefix,
    decoded: Decoded,
}

impl Decoder<'_> {
    fn escaped(&mut self, body: Range<usize>) {
        let mut pos = body.start;
        self.decoded.first = pos;
        while let Some(c) = self.spelling[pos..body.end].chars().next() {
            if c == '\\' {
                pos = self.escape(pos, body.end);
                self.jump(pos);
            } else {
                self.push_char(c);
                pos += c.len_utf8();
            }
        }
    }

    /// The next unit is there in the spelling.
    fn jump(&mut self, place: usize) {
        self.decoded.jumps.push((self.decoded.units.len() as u32, place as u32));
    }

    /// The escape sequence at `start`; gives where it ends.
    fn escape(&mut self, start: usize, end: usize) -> usize {
        let rest = &self.spelling[start + 1..end];
        let Some(c) = rest.chars().next() else { return end };
        let after = start + 1 + c.len_utf8();
        let simple = match c {
            '\'' | '"' | '?' | '\\' => c,
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            // GNU's.
            'e' | 'E' => '\x1b',
            '0'..='7' => return self.numeric(start, start + 1, 8, 3, end),
            'x' => return self.numeric(start, start + 2, 16, usize::MAX, end),
            'u' | 'U' => return self.universal(start, if c == 'u' { 4 } else { 8 }, end),
            other => {
                self.error(Code::UnknownEscape, start..after, format!("unknown escape sequence `\\{other}`"));
                other
            }
        };
        self.push_char(simple);
        after
    }

    fn numeric(&mut self, start: usize, digits: usize, radix: u32, max_digits: usize, end: usize) -> usize {
        let rest = &self.spelling[digits..end];
        let n_digits = rest.bytes().take(max_digits).take_while(|&b| char::from(b).is_digit(radix)).count();
        let stop = digits + n_digits;
        if n_digits == 0 {
            self.error(Code::InvalidEscape, start..stop, "`\\x` used with no following hex digits".into());
            return stop;
        }
        let unit = u32::from_str_radix(&self.spelling[digits..stop], radix);
        let max = match self.prefix {
            LitPrefix::None | LitPrefix::U8 => 0xff,
            LitPrefix::U16 => 0xffff,
            LitPrefix::U32 | LitPrefix::Wide => u32::MAX,
        };
        match unit {
            Ok(unit) if unit <= max => self.decoded.units.push(unit),
            // The lower bits count, as with nvcc.
            Ok(unit) if max == 0xff => {
                let message = format!("escape sequence out of range; its value is {}", unit & max);
                self.error(Code::EscapeOutOfRange, start..stop, message);
                self.decoded.units.push(unit & max);
            }
            _ => self.error(Code::InvalidEscape, start..stop, "escape sequence out of range".into()),
        }
        stop
    }

    /// A universal character name (C17 6.4.3).
    fn universal(&mut self, start: usize, n_digits: usize, end: usize) -> usize {
        let digits = start + 2;
        let rest = &self.spelling[digits..end];
        let found = rest.bytes().take(n_digits).take_while(u8::is_ascii_hexdigit).count();
        let stop = digits + found;
        if found < n_digits {
            let message = format!("incomplete universal character name; {n_digits} hex digits are required");
            self.error(Code::InvalidEscape, start..stop, message);
            return stop;
        }
        match u32::from_str_radix(&self.spelling[digits..stop], 16).ok().and_then(char::from_u32) {
            Some(c) => self.push_char(c),
            None => {
                self.error(Code::InvalidEscape, start..stop, "invalid universal character".into());
            }
        }
        stop
    }

    fn push_char(&mut self, c: char) {
        let units = &mut self.decoded.units;
        match self.prefix {
            LitPrefix::None | LitPrefix::U8 => {
                units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from))
            }
            LitPrefix::U16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
            LitPrefix::U32 | LitPrefix::Wide => units.push(c.into()),
        }
    }

    fn error(&mut self, code: Code, range: Range<usize>, message: String) {
        self.decoded.errors.push(LiteralError { code, range, message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(spelling: &str) -> Vec<u32> {
        let decoded = string(spelling, prefix(spelling));
        assert_eq!(decoded.errors, [], "{spelling}");
        decoded.units
    }

    #[test]
    fn strings_in_each_encoding() {
        assert_eq!(units(r#""a\n\0\x41\101\"""#), [97, 10, 0, 65, 65, 34]);
        assert_eq!(units("\"é\""), [0xc3, 0xa9]);
        assert_eq!(units(r#"u"\U0001f600""#), [0xd83d, 0xde00]);
        assert_eq!(units(r#"U"\u00e9""#), [0xe9]);
        assert_eq!(units(r#"L"é""#), [0xe9]);
        assert_eq!(units("R\"x(a\\n\r\n)\")x\""), [97, 92, 110, 10, 41, 34]);
    }

    #[test]
    fn locates_units_after_escapes() {
        let places = |spelling: &str| {
            let decoded = string(spelling, LitPrefix::None);
            (0..=decoded.units.len()).map(|unit| decoded.place_of(unit)).collect::<Vec<_>>()
        };
        assert_eq!(places(r#""a\n\x41g""#), [1, 2, 4, 8, 9]);
        assert_eq!(places(r#""\u00e9b""#), [1, 2, 7, 8]);
        assert_eq!(places("R\"x(a\r\nb)x\""), [4, 5, 7, 8]);
    }

    #[test]
    fn characters_are_signed_and_may_be_multi_character() {
        let value = |spelling| character(spelling).0.value;
        assert_eq!(value("'a'"), 97);
        assert_eq!(value(r"'\xff'"), -1);
        assert_eq!(value(r"'\''"), 39);
        assert_eq!(value("u8'a'"), 97);
        assert_eq!(value("L'é'"), 0xe9);
        assert_eq!(value("'ab'"), 0x6162);
        assert_eq!(value("'abcde'"), 0x6263_6465);
    }

    #[test]
    fn errors_have_their_place() {
        let faults = |spelling| {
            let (_, errors) = character(spelling);
            errors.into_iter().map(|e| (e.code, e.range)).collect::<Vec<_>>()
        };
        assert_eq!(faults("''"), [(Code::EmptyCharacter, 0..2)]);
        assert_eq!(faults(r"'\q'"), [(Code::UnknownEscape, 1..3)]);
        assert_eq!(faults(r"'\x'"), [(Code::InvalidEscape, 1..3)]);
        assert_eq!(faults(r"'\400'"), [(Code::EscapeOutOfRange, 1..5)]);
        assert_eq!(faults(r"'\u12'"), [(Code::InvalidEscape, 1..5)]);
        assert_eq!(faults(r"'\ud800'"), [(Code::InvalidEscape, 1..7)]);
        assert_eq!(faults("'ab'"), [(Code::MulticharConstant, 0..4)]);
        assert_eq!(faults("u'ab'"), [(Code::CharacterTooLarge, 0..5)]);
    }
}
