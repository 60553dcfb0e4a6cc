//! Directives of a format: a `%` and what belongs to it (C17 7.21.6.1p4), with the lengths of GNU's C library.

use std::ops::Range;

use crate::ir::IntTy;
use crate::layout::DataModel;

/// A directive, and where it stands in the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    pub(super) range: Range<usize>,
    /// The arguments have numbers: `%1$d`.
    pub(super) is_numbered: bool,
    /// The characters among `-+ #0'`.
    pub(super) flags: Vec<u8>,
    pub(super) width: Amount,
    pub(super) precision: Amount,
    pub(super) length: Length,
    /// Where length and conversion stand.
    pub(super) letters: Range<usize>,
    /// The letter of the conversion, of one that is none the first byte; none where the format ends before it.
    pub(super) conversion: Option<u8>,
}

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    None,
    Number,
    /// `*`
    Argument,
}

/// What stands before the letter of the conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    None,
    /// `hh`
    Char,
    /// `h`
    Short,
    /// `l`
    Long,
    /// `ll`, and `q`
    LongLong,
    /// `j`
    Max,
    /// `z`
    Size,
    /// `t`
    Difference,
    /// `L`
    LongDouble,
}

impl Length {
    const ALL: [(&'static str, Length); 9] = [
        ("hh", Length::Char),
        ("h", Length::Short),
        ("ll", Length::LongLong),
        ("l", Length::Long),
        ("q", Length::LongLong),
        ("j", Length::Max),
        ("z", Length::Size),
        ("t", Length::Difference),
        ("L", Length::LongDouble),
    ];

    pub(super) fn spelling(self) -> &'static str {
        Self::ALL.iter().find(|(_, length)| *length == self).map_or("", |(spelling, _)| spelling)
    }

    /// The length of a format for a promoted integer.
    pub(super) fn of(int: IntTy) -> Length {
        match int {
            IntTy::Long | IntTy::ULong | IntTy::Long32 | IntTy::ULong32 => Length::Long,
            IntTy::LongLong | IntTy::ULongLong => Length::LongLong,
            _ => Length::None,
        }
    }

    /// The signed integer type of that length, as C spells it.
    pub(super) fn signed(self) -> &'static str {
        match self {
            Length::None => "int",
            Length::Char => "signed char",
            Length::Short => "short",
            Length::Long => "long",
            Length::LongLong | Length::LongDouble => "long long",
            Length::Max => "intmax_t",
            Length::Size => "ssize_t",
            Length::Difference => "ptrdiff_t",
        }
    }

    /// The unsigned one.
    pub(super) fn unsigned(self) -> &'static str {
        match self {
            Length::None => "unsigned int",
            Length::Char => "unsigned char",
            Length::Short => "unsigned short",
            Length::Long => "unsigned long",
            Length::LongLong | Length::LongDouble => "unsigned long long",
            Length::Max => "uintmax_t",
            Length::Size => "size_t",
            Length::Difference => "unsigned ptrdiff_t",
        }
    }

    /// Whether an integer, as it was before promotion, goes with that length, whatever its sign: an `int` may be meant as
    /// a smaller one.
    pub(super) fn takes(self, int: IntTy, model: DataModel) -> bool {
        use IntTy::{Bool, Char, SChar, Short, UChar, UShort};
        let is_word = |length: Length| Length::of(int) == length;
        match (self, model) {
            (Length::Char, _) => {
                is_word(Length::None) && !matches!(int, Short | UShort)
                    || matches!(int, Bool | Char | SChar | UChar)
            }
            (Length::None | Length::Short, _) => is_word(Length::None),
            (Length::Long, _) => is_word(Length::Long),
            (Length::LongLong | Length::LongDouble, _) => is_word(Length::LongLong),
            (Length::Max | Length::Size | Length::Difference, DataModel::Lp64) => is_word(Length::Long),
            (Length::Max, DataModel::Ilp32) => is_word(Length::LongLong),
            (Length::Size | Length::Difference, DataModel::Ilp32) => is_word(Length::None),
        }
    }
}

/// The directives of a format up to a zero, which ends it, and that zero's place.
pub(super) fn directives(format: &[u8]) -> (Vec<Directive>, Option<usize>) {
    let end = format.iter().position(|&byte| byte == 0);
    let text = &format[..end.unwrap_or(format.len())];
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(next) = memchr::memchr(b'%', &text[at..]) {
        let directive = read(text, at + next);
        at = directive.range.end;
        found.push(directive);
    }
    (found, end)
}

fn read(text: &[u8], start: usize) -> Directive {
    let mut at = start + 1;
    let is_numbered = numbered(text, &mut at);
    let mut flags = Vec::new();
    while let Some(&flag) = text.get(at).filter(|byte| b"-+ #0'".contains(byte)) {
        flags.push(flag);
        at += 1;
    }
    let width = amount(text, &mut at);
    let precision = match text.get(at) {
        Some(b'.') => {
            at += 1;
            match amount(text, &mut at) {
                Amount::None => Amount::Number,
                amount => amount,
            }
        }
        _ => Amount::None,
    };
    let letters = at;
    let length = Length::ALL.iter().find(|(spelling, _)| text[at..].starts_with(spelling.as_bytes()));
    at += length.map_or(0, |(spelling, _)| spelling.len());
    let conversion = text.get(at).copied();
    at += usize::from(conversion.is_some());
    // A letter of UTF-8 has more than one byte.
    if conversion.is_some_and(|byte| !byte.is_ascii()) {
        at += text[at..].iter().take_while(|&&byte| byte & 0xc0 == 0x80).count();
    }
    Directive {
        range: start..at,
        is_numbered,
        flags,
        width,
        precision,
        length: length.map_or(Length::None, |&(_, length)| length),
        letters: letters..at,
        conversion,
    }
}

/// `1$`
fn numbered(text: &[u8], at: &mut usize) -> bool {
    let n_digits = text[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_numbered = n_digits > 0 && text.get(*at + n_digits) == Some(&b'$');
    *at += if is_numbered { n_digits + 1 } else { 0 };
    is_numbered
}

fn amount(text: &[u8], at: &mut usize) -> Amount {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        // The number of an argument: `*1$`
        numbered(text, at);
        return Amount::Argument;
    }
    let n_digits = text[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    *at += n_digits;
    if n_digits > 0 { Amount::Number } else { Amount::None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_directives() {
        let (found, end) = directives(b"a %-+5.*lldb%% %*.3s%\0%d");
        assert_eq!(end, Some(21));
        let parts: Vec<_> =
            found.iter().map(|d| (d.range.clone(), d.width, d.precision, d.conversion)).collect();
        assert_eq!(
            parts,
            [
                (2..11, Amount::Number, Amount::Argument, Some(b'd')),
                (12..14, Amount::None, Amount::None, Some(b'%')),
                (15..20, Amount::Argument, Amount::Number, Some(b's')),
                (20..21, Amount::None, Amount::None, None),
            ]
        );
        assert_eq!((found[0].length, found[0].letters.clone()), (Length::LongLong, 8..11));
        assert_eq!(found[0].flags, b"-+");
        assert!(directives(b"%2$*1$d").0[0].is_numbered);
        let letters = directives("%lé%d".as_bytes()).0;
        assert_eq!((letters[0].range.clone(), letters[0].letters.clone()), (0..4, 1..4));
        assert_eq!(letters[1].range, 4..6);
    }

    #[test]
    fn integers_match_length_modifiers() {
        let goes = |length: Length, int| length.takes(int, DataModel::Lp64);
        assert!(goes(Length::None, IntTy::UInt) && goes(Length::None, IntTy::Bool));
        assert!(goes(Length::Char, IntTy::Int) && !goes(Length::Char, IntTy::Short));
        assert!(goes(Length::Size, IntTy::Long) && !goes(Length::Size, IntTy::LongLong));
        assert!(goes(Length::LongLong, IntTy::ULongLong) && !goes(Length::LongLong, IntTy::Long));
        assert!(Length::Size.takes(IntTy::UInt, DataModel::Ilp32));
    }
}
