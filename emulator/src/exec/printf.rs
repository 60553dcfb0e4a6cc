//! Format strings of C (C17 7.21.6.1), as `vprintf` takes them.

use crate::memory::bytes::Width;

/// A part of a format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part<'f> {
    /// Text to print unchanged.
    Text(&'f [u8]),
    /// A conversion specification.
    Directive(Directive),
}

/// A conversion specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Directive {
    pub(super) is_left: bool,
    has_plus: bool,
    has_space: bool,
    is_alternate: bool,
    has_zeros: bool,
    pub(super) width: usize,
    pub(super) has_star_width: bool,
    pub(super) precision: Option<usize>,
    pub(super) has_star_precision: bool,
    /// The size of an integer in bytes.
    size: u32,
    /// The size of a pointer in bytes.
    word: u32,
    pub(super) conversion: u8,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// The bits of a number or pointer.
    Bits(u64),
    String(Vec<u8>),
}

/// The maximum output of one call in bytes: a limit of the emulator, so that a large width or precision does
/// not use up memory.
pub(super) const MAX_PRINTED: usize = 1 << 20;

/// No binary64 number has more digits after its point or in its significand; further digits are zero.
const MAX_DIGITS: usize = 1100;

/// The output of a call exceeds [`MAX_PRINTED`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Splits a format string. An invalid conversion specification is text. `long` and pointers have `word`
/// bytes.
pub(super) fn parts(format: &[u8], word: u32) -> Vec<Part<'_>> {
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < format.len() {
        let Some(percent) = memchr::memchr(b'%', &format[at..]) else {
            parts.push(Part::Text(&format[at..]));
            break;
        };
        let percent = at + percent;
        if percent > at {
            parts.push(Part::Text(&format[at..percent]));
        }
        match Directive::read(&format[percent + 1..], word) {
            Some((directive, len)) => {
                parts.push(Part::Directive(directive));
                at = percent + 1 + len;
            }
            None => {
                parts.push(Part::Text(b"%"));
                at = percent + if format.get(percent + 1) == Some(&b'%') { 2 } else { 1 };
            }
        }
    }
    parts
}

impl Directive {
    /// The conversion specification after a `%`, and its length.
    fn read(text: &[u8], word: u32) -> Option<(Directive, usize)> {
        let mut directive = Directive { size: 4, word, ..Directive::default() };
        let mut at = 0;
        while let Some(flag) = text.get(at).filter(|byte| b"-+ #0".contains(byte)) {
            match flag {
                b'-' => directive.is_left = true,
                b'+' => directive.has_plus = true,
                b' ' => directive.has_space = true,
                b'#' => directive.is_alternate = true,
                _ => directive.has_zeros = true,
            }
            at += 1;
        }
        let number = |at: &mut usize| {
            let mut value = 0_usize;
            while let Some(digit) = text.get(*at).filter(|byte| byte.is_ascii_digit()) {
                value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
                *at += 1;
            }
            value
        };
        if text.get(at) == Some(&b'*') {
            directive.has_star_width = true;
            at += 1;
        } else {
            directive.width = number(&mut at);
        }
        if text.get(at) == Some(&b'.') {
            at += 1;
            if text.get(at) == Some(&b'*') {
                directive.has_star_precision = true;
                at += 1;
            } else {
                directive.precision = Some(number(&mut at));
            }
        }
        let rest = &text[at..];
        let (size, len) = match rest {
            [b'h', b'h', ..] => (1, 2),
            [b'h', ..] => (2, 1),
            [b'l', b'l', ..] => (8, 2),
            [b'l' | b'z' | b't', ..] => (word, 1),
            [b'j' | b'L', ..] => (8, 1),
            _ => (4, 0),
        };
        directive.size = size;
        at += len;
        directive.conversion = *text.get(at).filter(|byte| b"diouxXcspfFeEgGaA".contains(byte))?;
        Some((directive, at + 1))
    }

    /// The width of the argument.
    pub(super) fn width_of_argument(&self) -> Width {
        match self.conversion {
            b's' | b'p' if self.word == 4 => Width::B4,
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' if self.size == 8 => Width::B8,
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' => Width::B4,
            _ => Width::B8,
        }
    }

    /// Appends the argument.
    ///
    /// # Errors
    ///
    /// If the output exceeds [`MAX_PRINTED`].
    pub(super) fn print(&self, argument: &Argument, out: &mut Vec<u8>) -> Result<(), TooLong> {
        // The precision of a string is a maximum; every other one is a minimum.
        let least = match argument {
            Argument::String(_) => self.width,
            Argument::Bits(_) => self.width.max(self.precision.unwrap_or(0)),
        };
        if least > MAX_PRINTED {
            return Err(TooLong);
        }
        self.print_bounded(argument, out);
        if out.len() > MAX_PRINTED { Err(TooLong) } else { Ok(()) }
    }

    fn print_bounded(&self, argument: &Argument, out: &mut Vec<u8>) {
        let bits = match argument {
            Argument::String(text) => {
                let len = self.precision.map_or(text.len(), |most| most.min(text.len()));
                self.pad("", "", &text[..len], false, out);
                return;
            }
            Argument::Bits(bits) => *bits,
        };
        match self.conversion {
            b'c' => self.pad("", "", &[bits as u8], false, out),
            // Like glibc: the host prints the output of kernels.
            b'p' if bits == 0 => self.pad("", "", b"(nil)", false, out),
            b'p' => self.integer(self.sign(false), "0x", format!("{bits:x}"), out),
            b'd' | b'i' => {
                let unused = 64 - 8 * self.size;
                let value = (bits << unused) as i64 >> unused;
                self.integer(self.sign(value < 0), "", value.unsigned_abs().to_string(), out);
            }
            b'u' | b'o' | b'x' | b'X' => {
                let value = bits & u64::MAX >> (64 - 8 * self.size);
                let (prefix, digits) = match self.conversion {
                    b'o' => ("", format!("{value:o}")),
                    b'x' => (if self.is_alternate && value != 0 { "0x" } else { "" }, format!("{value:x}")),
                    b'X' => (if self.is_alternate && value != 0 { "0X" } else { "" }, format!("{value:X}")),
                    _ => ("", value.to_string()),
                };
                self.integer("", prefix, digits, out);
            }
            _ => self.float(f64::from_bits(bits), out),
        }
    }

    fn sign(&self, is_negative: bool) -> &'static str {
        match (is_negative, self.has_plus, self.has_space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    fn integer(&self, sign: &str, prefix: &str, digits: String, out: &mut Vec<u8>) {
        // C17 7.21.6.1p6: the precision grows by one if that makes the first digit a zero.
        let has_zero = self.is_alternate && self.conversion == b'o';
        let digits = match self.precision {
            Some(0) if digits == "0" && !has_zero => String::new(),
            Some(least) => zeros(least.saturating_sub(digits.len())) + &digits,
            None => digits,
        };
        let digits = if has_zero && !digits.starts_with('0') { format!("0{digits}") } else { digits };
        self.pad(sign, prefix, digits.as_bytes(), self.precision.is_none(), out);
    }

    fn float(&self, value: f64, out: &mut Vec<u8>) {
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        if !magnitude.is_finite() {
            let text = if magnitude.is_nan() { "nan" } else { "inf" };
            let text =
                if self.conversion.is_ascii_uppercase() { text.to_uppercase() } else { text.to_owned() };
            self.pad(sign, "", text.as_bytes(), false, out);
            return;
        }
        let precision = self.precision.unwrap_or(6);
        let text = match self.conversion.to_ascii_lowercase() {
            b'f' => fixed(magnitude, precision, self.is_alternate),
            b'e' => scientific(magnitude, precision, self.is_alternate),
            b'g' => self.shortest(magnitude, precision.max(1)),
            _ => hexadecimal(magnitude, self.precision, self.is_alternate),
        };
        let text = if self.conversion.is_ascii_uppercase() { text.to_uppercase() } else { text };
        let (prefix, digits) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => (&text[..2], digits),
            None => ("", &text[..]),
        };
        self.pad(sign, prefix, digits.as_bytes(), true, out);
    }

    /// `%g`: scientific if the exponent is below -4 or not below the precision. Without `#`, trailing zeros
    /// are removed.
    fn shortest(&self, magnitude: f64, precision: usize) -> String {
        let exponent = scientific(magnitude, precision - 1, false);
        let exponent: i32 = exponent.rsplit('e').next().and_then(|digits| digits.parse().ok()).unwrap_or(0);
        let is_scientific = exponent < -4 || exponent >= precision as i32;
        let text = if is_scientific {
            scientific(magnitude, precision - 1, self.is_alternate)
        } else {
            let places = (precision as i32 - 1 - exponent).max(0) as usize;
            fixed(magnitude, places, self.is_alternate)
        };
        if self.is_alternate {
            return text;
        }
        let (digits, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
        let digits =
            if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
        format!("{digits}{exponent}")
    }

    /// Pads to the field width with blanks, or with zeros between the sign and the digits.
    fn pad(&self, sign: &str, prefix: &str, digits: &[u8], may_fill: bool, out: &mut Vec<u8>) {
        let len = sign.len() + prefix.len() + digits.len();
        let missing = self.width.saturating_sub(len);
        let fills = may_fill && self.has_zeros && !self.is_left;
        let fill = |out: &mut Vec<u8>, byte: u8, is_wanted: bool| {
            out.extend(std::iter::repeat_n(byte, if is_wanted { missing } else { 0 }));
        };
        fill(out, b' ', !self.is_left && !fills);
        out.extend_from_slice(sign.as_bytes());
        out.extend_from_slice(prefix.as_bytes());
        fill(out, b'0', fills);
        out.extend_from_slice(digits);
        fill(out, b' ', self.is_left);
    }
}

fn zeros(n: usize) -> String {
    "0".repeat(n)
}

/// `1500.0`
fn fixed(magnitude: f64, precision: usize, has_point: bool) -> String {
    let places = precision.min(MAX_DIGITS);
    let point = if precision == 0 && has_point { "." } else { "" };
    format!("{magnitude:.places$}{point}{}", zeros(precision - places))
}

/// `1.5e+03`
fn scientific(magnitude: f64, precision: usize, has_point: bool) -> String {
    let places = precision.min(MAX_DIGITS);
    let text = format!("{magnitude:.places$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    let point = if precision == 0 && has_point { "." } else { "" };
    format!("{digits}{point}{}e{sign}{exponent:0>2}", zeros(precision - places))
}

/// `0x1.8p+1`
fn hexadecimal(magnitude: f64, precision: Option<usize>, has_point: bool) -> String {
    let bits = magnitude.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
    let (lead, exponent) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, exponent - 1023),
    };
    let (lead, digits) = match precision {
        Some(places) if places < 13 => {
            let dropped = 52 - 4 * places as u32;
            let whole = u64::from(lead == 1) << 52 | fraction;
            let (kept, rest, half) = (whole >> dropped, whole & ((1 << dropped) - 1), 1 << (dropped - 1));
            let kept = kept + u64::from(rest > half || rest == half && kept & 1 != 0);
            let digits = kept & ((1 << (4 * places)) - 1);
            (kept >> (4 * places), if places == 0 { String::new() } else { format!("{digits:0places$x}") })
        }
        Some(places) => (lead, format!("{fraction:013x}") + &zeros(places - 13)),
        None => (lead, format!("{fraction:013x}").trim_end_matches('0').to_owned()),
    };
    let point = if digits.is_empty() && !has_point { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(format: &str, bits: u64) -> String {
        let mut out = Vec::new();
        for part in parts(format.as_bytes(), 8) {
            match part {
                Part::Text(text) => out.extend_from_slice(text),
                Part::Directive(directive) => {
                    directive.print(&Argument::Bits(bits), &mut out).expect("the output is short");
                }
            }
        }
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn integers_are_printed_as_in_c() {
        let minus = -5_i32 as u32 as u64;
        for (format, bits, expected) in [
            ("<%d>", minus, "<-5>"),
            ("<%6d>", minus, "<    -5>"),
            ("<%-6d>", minus, "<-5    >"),
            ("<%06d>", minus, "<-00005>"),
            ("<%+d>", 7, "<+7>"),
            ("<% d>", 7, "< 7>"),
            ("<%.4d>", 7, "<0007>"),
            ("<%06.3d>", 7, "<   007>"),
            ("<%.0d>", 0, "<>"),
            ("<%u>", minus, "<4294967291>"),
            ("<%hhu>", 0x1FF, "<255>"),
            ("<%hd>", 0xFFFF, "<-1>"),
            ("<%lld>", -9_i64 as u64, "<-9>"),
            ("<%#x %%>", 255, "<0xff %>"),
            ("<%#X>", 255, "<0XFF>"),
            ("<%#06x>", 255, "<0x00ff>"),
            ("<%#o>", 8, "<010>"),
            ("<%#.2o>", 1, "<01>"),
            ("<%#o %#.0o>", 0, "<0 0>"),
            ("<%c>", 65, "<A>"),
            ("<%p>", 255, "<0xff>"),
            ("<%7p>", 0, "<  (nil)>"),
            ("100%", 0, "100%"),
            ("%q", 0, "%q"),
        ] {
            assert_eq!(printed(format, bits), expected, "{format}");
        }
    }

    #[test]
    fn large_precisions_give_zeros() {
        let digits = |format: &str, bits: u64| {
            let text = printed(format, bits);
            (text.len(), text[..6].to_owned(), text[text.len() - 6..].to_owned())
        };
        let one = 1.0_f64.to_bits();
        for (format, bits, len, start, end) in [
            ("%.70000f", one, 70_002, "1.0000", "000000"),
            ("%.70000e", one, 70_006, "1.0000", "00e+00"),
            ("%.70000a", one, 70_007, "0x1.00", "000p+0"),
            ("%#.70000g", one, 70_001, "1.0000", "000000"),
            ("%.70000d", 42, 70_000, "000000", "000042"),
            ("%70000d", 42, 70_000, "      ", "    42"),
            ("%-70000x|", 42, 70_001, "2a    ", "     |"),
        ] {
            assert_eq!(digits(format, bits), (len, start.to_owned(), end.to_owned()), "{format}");
        }
        assert_eq!(printed("%.70000g", 1.5_f64.to_bits()), "1.5");
        assert!(printed("%.1200f", 5e-324_f64.to_bits()).ends_with(&format!("625{}", zeros(126))));
    }

    #[test]
    fn output_that_is_too_long_is_refused() {
        for format in [
            "%1048577d",
            "%.1048577f",
            "%.1048576f",
            "%.99999999999999999999g",
            "%-1048577s",
            "%.1048577a",
            "%.1048577e",
        ] {
            let Some(Part::Directive(directive)) = parts(format.as_bytes(), 8).pop() else {
                panic!("{format}")
            };
            let argument =
                if format.ends_with('s') { Argument::String(Vec::new()) } else { Argument::Bits(1) };
            assert_eq!(directive.print(&argument, &mut Vec::new()), Err(TooLong), "{format}");
        }
        let Some(Part::Directive(directive)) = parts(b"%.9999999s", 8).pop() else { panic!() };
        assert_eq!(directive.print(&Argument::String(b"text".to_vec()), &mut Vec::new()), Ok(()));
    }

    #[test]
    fn floating_numbers_are_printed_as_in_c() {
        for (format, value, expected) in [
            ("<%f>", 1.5, "<1.500000>"),
            ("<%.0f>", 2.5, "<2>"),
            ("<%#.0f>", 2.5, "<2.>"),
            ("<%8.2f>", -2.71875, "<   -2.72>"),
            ("<%08.2f>", -2.71875, "<-0002.72>"),
            ("<%e>", 12345.678, "<1.234568e+04>"),
            ("<%.2E>", 0.000123, "<1.23E-04>"),
            ("<%g>", 0.0001, "<0.0001>"),
            ("<%g>", 0.00001, "<1e-05>"),
            ("<%g>", 123456789.0, "<1.23457e+08>"),
            ("<%g>", 100000.0, "<100000>"),
            ("<%#g>", 1.0, "<1.00000>"),
            ("<%#.3g>", 100.0, "<100.>"),
            ("<%#G>", 123456.0, "<123456.>"),
            ("<%#.0g>", 7.0, "<7.>"),
            ("<%#.1g>", 1e-7, "<1.e-07>"),
            ("<%G>", 1e-10, "<1E-10>"),
            ("<%g>", 0.0, "<0>"),
            ("<%a>", 3.0, "<0x1.8p+1>"),
            ("<%#a>", 2.0, "<0x1.p+1>"),
            ("<%.1a>", 1.96875, "<0x2.0p+0>"),
            ("<%f>", f64::INFINITY, "<inf>"),
            ("<%F>", f64::NEG_INFINITY, "<-INF>"),
            ("<%5f>", f64::NAN, "<  nan>"),
        ] {
            assert_eq!(printed(format, value.to_bits()), expected, "{format}");
        }
    }
}
