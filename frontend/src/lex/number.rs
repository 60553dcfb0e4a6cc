//! The value of a preprocessing number (C17 6.4.4, with C++14's binary literals and separators).
//!
//! Floating constants are rounded once, to nearest even, straight to their type: a `float` never
//! passes through `double`.

use std::borrow::Cow;
use std::ops::Range;

use super::literal::LiteralError;
use crate::ast::{FloatLit, FloatSuffix, IntLength, IntLit};
use crate::diag::Code;
use crate::extended::Extended;

/// The value of a preprocessing number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(IntLit),
    Float(FloatLit),
}

/// Reads a number. The value may come with a warning.
///
/// # Errors
/// If the spelling is not a number, or is an integer that does not fit in 64 bits.
pub(crate) fn number(spelling: &str) -> Result<(Number, Option<LiteralError>), LiteralError> {
    let bytes = spelling.as_bytes();
    if let Some(value) = plain(bytes) {
        let literal = IntLit { value, is_decimal: true, is_unsigned: false, length: IntLength::None };
        return Ok((Number::Int(literal), None));
    }
    let radix = match bytes {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'b' | b'B', ..] => 2,
        _ => 10,
    };
    let digits_start = if radix == 10 { 0 } else { 2 };
    let digits_end = digits_start + count_digits(&bytes[digits_start..], radix);
    let is_float = match bytes.get(digits_end) {
        Some(b'.') => radix != 2,
        Some(b'e' | b'E') => radix == 10,
        Some(b'p' | b'P') => radix == 16,
        _ => false,
    };
    check_separators(bytes, radix)?;
    if is_float {
        float(spelling, radix == 16)
    } else {
        let digits = digits_start..digits_end;
        let radix = if radix == 10 && bytes[0] == b'0' { 8 } else { radix };
        Ok((Number::Int(int(spelling, digits, radix)?), None))
    }
}

/// The value of a few decimal digits, which most numbers are.
fn plain(bytes: &[u8]) -> Option<u64> {
    if bytes.len() > 9 || bytes.first() == Some(&b'0') {
        return None;
    }
    bytes.iter().try_fold(0, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then(|| 10 * value + u64::from(digit))
    })
}

/// How many bytes of digits, with separators, `bytes` begins with.
fn count_digits(bytes: &[u8], radix: u32) -> usize {
    let stays = |&b: &u8| b == b'\'' || char::from(b).is_digit(radix);
    bytes.iter().position(|b| !stays(b)).unwrap_or(bytes.len())
}

/// A separator is between two digits (C++17 5.13.2).
fn check_separators(bytes: &[u8], radix: u32) -> Result<(), LiteralError> {
    let is_digit = |at: usize| bytes.get(at).is_some_and(|&b| char::from(b).is_digit(radix));
    for (at, _) in bytes.iter().enumerate().filter(|&(_, &b)| b == b'\'') {
        if at == 0 || !is_digit(at - 1) || !is_digit(at + 1) {
            return Err(invalid(at..at + 1, "digit separator must be between digits"));
        }
    }
    Ok(())
}

fn invalid(range: Range<usize>, message: impl Into<String>) -> LiteralError {
    LiteralError { code: Code::InvalidNumber, range, message: message.into() }
}

fn int(spelling: &str, digits: Range<usize>, radix: u32) -> Result<IntLit, LiteralError> {
    let bytes = spelling.as_bytes();
    if digits.is_empty() {
        let what = if radix == 16 { "hexadecimal" } else { "binary" };
        // `0b2` and `0xg`: the letter that follows is no digit of this radix.
        return match bytes.get(digits.end) {
            Some(&b) if b.is_ascii_digit() => Err(invalid_digit(digits.end, b, what)),
            _ => Err(invalid(0..spelling.len(), format!("{what} constant has no digits"))),
        };
    }
    let mut value = Some(0_u64);
    for at in digits.clone() {
        let byte = bytes[at];
        if byte == b'\'' {
            continue;
        }
        let Some(digit) = char::from(byte).to_digit(radix) else {
            return Err(invalid_digit(at, byte, "octal"));
        };
        value = value.and_then(|v| v.checked_mul(radix.into())?.checked_add(digit.into()));
    }
    let suffix = digits.end..spelling.len();
    if radix == 2 && bytes.get(suffix.start).is_some_and(u8::is_ascii_digit) {
        return Err(invalid_digit(suffix.start, bytes[suffix.start], "binary"));
    }
    let Some((is_unsigned, length)) = int_suffix(&spelling[suffix.clone()]) else {
        let message = format!("invalid suffix `{}` on integer constant", &spelling[suffix.clone()]);
        return Err(invalid(suffix, message));
    };
    let Some(value) = value else {
        return Err(LiteralError {
            code: Code::IntegerTooLarge,
            range: 0..spelling.len(),
            message: "integer literal is too large to be represented in any integer type".into(),
        });
    };
    Ok(IntLit { value, is_decimal: radix == 10, is_unsigned, length })
}

fn invalid_digit(at: usize, digit: u8, what: &str) -> LiteralError {
    invalid(at..at + 1, format!("invalid digit `{}` in {what} constant", char::from(digit)))
}

fn int_suffix(suffix: &str) -> Option<(bool, IntLength)> {
    let without_u = suffix.strip_prefix(['u', 'U']).or_else(|| suffix.strip_suffix(['u', 'U']));
    let length = match without_u.unwrap_or(suffix) {
        "" => IntLength::None,
        "l" | "L" => IntLength::Long,
        "ll" | "LL" => IntLength::LongLong,
        _ => return None,
    };
    Some((without_u.is_some(), length))
}

fn float(spelling: &str, is_hex: bool) -> Result<(Number, Option<LiteralError>), LiteralError> {
    let bytes = spelling.as_bytes();
    let radix = if is_hex { 16 } else { 10 };
    let start = if is_hex { 2 } else { 0 };
    let point = start + count_digits(&bytes[start..], radix);
    let has_point = bytes.get(point) == Some(&b'.');
    let fraction = if has_point { point + 1 } else { point };
    let mantissa_end = fraction + count_digits(&bytes[fraction..], radix);
    if is_hex && start == point && fraction == mantissa_end {
        return Err(invalid(0..spelling.len(), "hexadecimal constant has no digits"));
    }
    let exponent_mark = match bytes.get(mantissa_end) {
        Some(b'p' | b'P') => is_hex,
        Some(b'e' | b'E') => !is_hex,
        _ => false,
    };
    let mut exponent_end = mantissa_end;
    if exponent_mark {
        let sign = usize::from(matches!(bytes.get(mantissa_end + 1), Some(b'+' | b'-')));
        let digits = mantissa_end + 1 + sign;
        exponent_end = digits + count_digits(&bytes[digits..], 10);
        if exponent_end == digits {
            return Err(invalid(mantissa_end..digits, "exponent has no digits"));
        }
    } else if is_hex {
        let message = "hexadecimal floating constant requires an exponent";
        return Err(invalid(0..spelling.len(), message));
    }
    let suffix = match &spelling[exponent_end..] {
        "" => FloatSuffix::None,
        "f" | "F" => FloatSuffix::F,
        "l" | "L" => FloatSuffix::Far,
        other => {
            let message = format!("invalid suffix `{other}` on floating constant");
            return Err(invalid(exponent_end..spelling.len(), message));
        }
    };
    let clean = |range: Range<usize>| without_separators(&spelling[range]);
    if suffix == FloatSuffix::Far {
        let exact = if is_hex {
            let exponent = parse_exponent(&clean(mantissa_end + 1..exponent_end));
            let bits = hex_bits(&clean(start..point), &clean(fraction..mantissa_end), exponent);
            Extended::of_binary(bits.0, bits.1, bits.2)
        } else {
            Extended::of_decimal(&clean(0..exponent_end))
        };
        let literal = match exact {
            Some(exact) => FloatLit { value: exact.nearest, suffix: FloatSuffix::L(exact.rest) },
            None => FloatLit { value: 0.0, suffix },
        };
        return Ok((Number::Float(literal), None));
    }
    let value = if is_hex {
        let exponent = parse_exponent(&clean(mantissa_end + 1..exponent_end));
        let (integer, fraction) = (clean(start..point), clean(fraction..mantissa_end));
        hex_float(&integer, &fraction, exponent, suffix == FloatSuffix::F)
    } else {
        let text = clean(0..exponent_end);
        let parsed = match suffix {
            FloatSuffix::F => text.parse::<f32>().map(f64::from),
            FloatSuffix::None | FloatSuffix::L(_) | FloatSuffix::Far => text.parse::<f64>(),
        };
        parsed.map_err(|_| invalid(0..spelling.len(), "invalid floating constant"))?
    };
    let ty = if suffix == FloatSuffix::F { "float" } else { "double" };
    let is_zero = |mantissa: Cow<'_, str>| mantissa.bytes().all(|b| matches!(b, b'0' | b'.'));
    let out_of_range = if value.is_infinite() {
        Some(format!("magnitude of floating-point constant too large for type `{ty}`; its value is infinity"))
    } else if value == 0.0 && !is_zero(clean(start..mantissa_end)) {
        Some(format!("magnitude of floating-point constant too small for type `{ty}`; its value is zero"))
    } else {
        None
    };
    let warning = out_of_range.map(|message| LiteralError {
        code: Code::FloatOutOfRange,
        range: 0..spelling.len(),
        message,
    });
    Ok((Number::Float(FloatLit { value, suffix }), warning))
}

fn without_separators(digits: &str) -> Cow<'_, str> {
    if digits.contains('\'') { digits.replace('\'', "").into() } else { digits.into() }
}

/// The exponent's digits with their sign; saturates to `i64`.
fn parse_exponent(text: &str) -> i64 {
    const FAR: i64 = i64::MAX / 4;
    text.parse().map_or(if text.starts_with('-') { -FAR } else { FAR }, |e: i64| e.clamp(-FAR, FAR))
}

/// `0x<integer>.<fraction>p<exponent>`, rounded to a `float` or a `double`.
fn hex_float(integer: &str, fraction: &str, exponent: i64, is_float: bool) -> f64 {
    let (mantissa, sticky, exponent) = hex_bits(integer, fraction, exponent);
    if is_float {
        round(mantissa, sticky, exponent, 24, -126, 127)
    } else {
        round(mantissa, sticky, exponent, 53, -1022, 1023)
    }
}

/// `0x<integer>.<fraction>p<exponent>` as an integer, whether it is a little more, and a power of two.
fn hex_bits(integer: &str, fraction: &str, exponent: i64) -> (u64, bool, i64) {
    let mut mantissa = 0_u64;
    // Digits that no longer fit: they count as places, and for rounding as "something".
    let (mut n_dropped, mut sticky) = (0_i64, false);
    for digit in integer.chars().chain(fraction.chars()).filter_map(|c| c.to_digit(16)) {
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | u64::from(digit);
        } else {
            n_dropped += 1;
            sticky |= digit != 0;
        }
    }
    (mantissa, sticky, exponent + 4 * (n_dropped - fraction.len() as i64))
}

/// `mantissa * 2^exponent`, plus a little where `sticky`, to the nearest number of `precision` bits
/// with exponents from `min` to `max` (IEEE 754-2008 4.3.1, ties to even).
fn round(mantissa: u64, sticky: bool, exponent: i64, precision: i64, min: i64, max: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let n_bits = 64 - i64::from(mantissa.leading_zeros());
    let leading = exponent + n_bits - 1;
    if leading > max {
        return f64::INFINITY;
    }
    if leading < min - precision {
        return 0.0;
    }
    // The exponent of the last bit that is kept.
    let last = (leading - (precision - 1)).max(min - (precision - 1));
    let shift = last - exponent;
    if shift <= 0 {
        return mantissa as f64 * pow2(exponent);
    }
    let wide = u128::from(mantissa);
    let (kept, rest, half) = (wide >> shift, wide & ((1 << shift) - 1), 1_u128 << (shift - 1));
    let rounds_up = rest > half || rest == half && (sticky || kept & 1 == 1);
    let value = (kept + u128::from(rounds_up)) as f64 * pow2(last);
    if value >= 2.0 * pow2(max) { f64::INFINITY } else { value }
}

/// `2^exponent` for the exponents of doubles.
fn pow2(exponent: i64) -> f64 {
    if exponent >= -1022 {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (exponent + 1074))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(spelling: &str) -> f64 {
        match number(spelling) {
            Ok((Number::Float(lit), _)) => lit.value,
            other => panic!("{spelling}: {other:?}"),
        }
    }

    fn int_value(spelling: &str) -> u64 {
        match number(spelling) {
            Ok((Number::Int(lit), None)) => lit.value,
            other => panic!("{spelling}: {other:?}"),
        }
    }

    fn message(spelling: &str) -> String {
        number(spelling).expect_err(spelling).message
    }

    #[test]
    fn integers_of_each_radix_and_suffix() {
        let cases =
            [("0", 0), ("42", 42), ("052", 42), ("0x2a", 42), ("0B101010", 42), ("1'000'000", 1_000_000)];
        for (spelling, expected) in cases {
            assert_eq!(int_value(spelling), expected, "{spelling}");
        }
        assert_eq!(int_value("18446744073709551615u"), u64::MAX);
        for (suffix, is_unsigned, length) in [
            ("", false, IntLength::None),
            ("u", true, IntLength::None),
            ("L", false, IntLength::Long),
            ("ull", true, IntLength::LongLong),
            ("LLU", true, IntLength::LongLong),
        ] {
            let expected = IntLit { value: 7, is_decimal: true, is_unsigned, length };
            assert_eq!(number(&format!("7{suffix}")), Ok((Number::Int(expected), None)));
        }
    }

    #[test]
    fn floats_round_once() {
        assert_eq!(value("1.5"), 1.5);
        assert_eq!(value(".5e+1"), 5.0);
        assert_eq!(value("09.5"), 9.5);
        assert_eq!(value("1'0.2'5"), 10.25);
        // Halfway between two floats but for a digit that a double cannot hold: rounding twice
        // would give 1.0.
        assert_eq!(value("1.00000005960464477540f"), f64::from(1.0_f32 + f32::EPSILON));
        assert_eq!(value("16777217.0f"), 16_777_216.0);
    }

    #[test]
    fn hexadecimal_floats_round_to_nearest_even() {
        assert_eq!(value("0x1.8p1"), 3.0);
        assert_eq!(value("0x.8p0"), 0.5);
        assert_eq!(value("0x1.000001p0f"), 1.0);
        assert_eq!(value("0x1.0000010000000000000001p0f"), f64::from(1.0_f32 + f32::EPSILON));
        assert_eq!(value("0x1.fffffffffffffp1023"), f64::MAX);
        assert_eq!(value("0x1p-1074"), f64::from_bits(1));
        assert_eq!(value("0x1p-1075"), 0.0);
        assert_eq!(value("0x1.8p-1075"), f64::from_bits(1));
        assert_eq!(value("0x1p-149f"), f64::from(f32::from_bits(1)));
        assert_eq!(value("0x0.0000000000000000000000000000001p120"), 0.0625);
        assert_eq!(value("0x1.ffffffp127f"), f64::INFINITY);
        assert_eq!(value("0x1p99999999999999999999"), f64::INFINITY);
        assert_eq!(value("0x1p-99999999999999999999"), 0.0);
    }

    #[test]
    fn rejects_integers_too_large_for_every_type() {
        assert_eq!(number("18446744073709551616").expect_err("large").code, Code::IntegerTooLarge);
        for spelling in ["1e400", "1e39f", "1e-400", "0x1p-200f"] {
            let (_, warning) = number(spelling).expect("a number");
            assert_eq!(warning.map(|w| w.code), Some(Code::FloatOutOfRange), "{spelling}");
        }
    }

    #[test]
    fn rejects_malformed_numbers() {
        assert_eq!(message("089"), "invalid digit `8` in octal constant");
        assert_eq!(message("0b12"), "invalid digit `2` in binary constant");
        assert_eq!(message("0x"), "hexadecimal constant has no digits");
        assert_eq!(message("12abc"), "invalid suffix `abc` on integer constant");
        assert_eq!(message("1lL"), "invalid suffix `lL` on integer constant");
        assert_eq!(message("1.0x"), "invalid suffix `x` on floating constant");
        assert_eq!(message("1e+"), "exponent has no digits");
        assert_eq!(message("0x1.8"), "hexadecimal floating constant requires an exponent");
        assert_eq!(message("1.2.3"), "invalid suffix `.3` on floating constant");
        assert_eq!(message("0x'1"), "digit separator must be between digits");
    }
}
