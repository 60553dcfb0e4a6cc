//! What elements stand for, and exact sums.

use super::fragment::Element;
use super::scale::ScaleFormat;
use crate::compute::float::exact::{self, Format, Rounding, Value};

/// A floating-point number of any of the small formats, exactly.
pub(super) fn number(element: Element, bits: u64) -> f64 {
    match element {
        Element::F16 => small(exact::F16, bits),
        // The formats of one byte and of 16 bits are the upper bits of others.
        Element::Bf16 => f64::from(f32::from_bits((bits as u32) << 16)),
        Element::Tf32 => f64::from(f32::from_bits(bits as u32 & !0x1FFF)),
        Element::F32 => f64::from(f32::from_bits(bits as u32)),
        Element::E5m2 => small(exact::F16, bits << 8),
        Element::E4m3 if bits & 0x7F == 0x7F => f64::NAN,
        Element::E4m3 => finite(Format { fraction: 3, exponent: 4 }, bits),
        Element::E2m3 => finite(Format { fraction: 3, exponent: 2 }, bits),
        Element::E3m2 => finite(Format { fraction: 2, exponent: 3 }, bits),
        Element::E2m1 => finite(Format { fraction: 1, exponent: 2 }, bits),
        Element::E2m1Byte => finite(Format { fraction: 1, exponent: 2 }, bits >> 2),
        Element::F64 => f64::from_bits(bits),
        Element::S8 | Element::U8 | Element::S4 | Element::U4 | Element::B1 | Element::S32 => {
            integer(element, bits) as f64
        }
    }
}

fn small(format: Format, bits: u64) -> f64 {
    let greatest = (1 << format.exponent) - 1;
    if bits >> format.fraction & greatest != greatest {
        return finite(format, bits);
    }
    let is_negative = bits >> (format.fraction + format.exponent) != 0;
    match (bits & ((1 << format.fraction) - 1), is_negative) {
        (0, false) => f64::INFINITY,
        (0, true) => f64::NEG_INFINITY,
        _ => f64::NAN,
    }
}

/// A number of a format that is smaller than `f64`.
fn finite(format: Format, bits: u64) -> f64 {
    let Format { fraction: n_fraction, exponent: n_exponent } = format;
    let (fraction, exponent) =
        (bits & ((1 << n_fraction) - 1), (bits >> n_fraction) & ((1 << n_exponent) - 1));
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << n_fraction };
    let bias = (1 << (n_exponent - 1)) - 1;
    let scale = exponent.max(1) as i32 - bias - n_fraction as i32;
    let magnitude = mantissa as f64 * f64::from_bits(((1023 + scale) as u64) << 52);
    if bits >> (n_fraction + n_exponent) & 1 != 0 { -magnitude } else { magnitude }
}

/// A factor of a block: never negative.
pub(super) fn scale(format: ScaleFormat, bits: u64) -> f64 {
    match (format, bits) {
        (ScaleFormat::Ue8m0, 0xFF) | (ScaleFormat::Ue4m3, 0x7F) => f64::NAN,
        (ScaleFormat::Ue8m0, exponent) => f64::from_bits((1023 - 127 + exponent) << 52),
        (ScaleFormat::Ue4m3, bits) => finite(Format { fraction: 3, exponent: 4 }, bits),
    }
}

/// An integer.
pub(super) fn integer(element: Element, bits: u64) -> i64 {
    match element {
        Element::S8 => i64::from(bits as i8),
        Element::S4 => (bits << 60) as i64 >> 60,
        Element::S32 => i64::from(bits as i32),
        _ => bits as i64,
    }
}

/// `a * b + c` of `.f64`.
pub(super) fn fused(a: u64, b: u64, c: u64, rounding: Rounding) -> u64 {
    let [a, b, c] = [a, b, c].map(|bits| exact::F64.value(bits));
    exact::F64.round(a.times(b).plus(c, rounding), rounding)
}

/// The sum of numbers, rounded once to nearest. Products of two elements are exact in `f64`: none has more than 11 bits and an
/// exponent beyond that of `.f32`; and so are those of two small ones and their scales.
pub(super) fn rounded_sum(element: Element, terms: impl Iterator<Item = f64> + Clone) -> u64 {
    let (mut sum, mut is_exact) = (0.0, true);
    for (idx, term) in terms.clone().enumerate() {
        if idx == 0 {
            sum = term;
            continue;
        }
        // What a sum in `f64` loses (Knuth, "The Art of Computer Programming", 4.2.2).
        let next: f64 = sum + term;
        let back = next - sum;
        is_exact &= (sum - (next - back)) + (term - back) == 0.0;
        sum = next;
    }
    let value = match is_exact || !sum.is_finite() {
        true => exact::F64.value(sum.to_bits()),
        false => {
            let mut exact = ExactSum::default();
            terms.for_each(|term| exact.add(term));
            exact.value()
        }
    };
    let format = if element == Element::F16 { exact::F16 } else { exact::F32 };
    format.round(value, Rounding::Nearest)
}

/// How many words an [`ExactSum`] has.
const N_WORDS: usize = 12;

/// The exponent of the last bit of an [`ExactSum`]: below that of the least product, 2^-272 of two subnormal numbers, or 2^-286
/// of two of `.e5m2` with their scales.
const LEAST: i32 = -320;

/// A sum of numbers in two's complement, the low words first: from 2^-320 to 2^448, where the greatest product is below 2^256, or 2^288 with
/// scales.
#[derive(Default)]
struct ExactSum {
    words: [u64; N_WORDS],
}

impl ExactSum {
    fn add(&mut self, term: f64) {
        let Value::Finite { sign, mantissa, exponent, .. } = exact::F64.value(term.to_bits()) else { return };
        if mantissa == 0 {
            return;
        }
        // Zeros at the end, which the exponent of a `f64` has room for, are not below the last bit.
        let n_zeros = mantissa.trailing_zeros();
        let at = (exponent + n_zeros as i32 - LEAST) as usize;
        let wide = (mantissa >> n_zeros) << (at % 64);
        let mut added = [0; N_WORDS];
        (added[at / 64], added[at / 64 + 1]) = (wide as u64, (wide >> 64) as u64);
        if sign {
            added = negated(added);
        }
        let mut carry = false;
        for (word, added) in self.words.iter_mut().zip(added) {
            let (sum, over) = word.overflowing_add(added);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, over || over_again);
        }
    }

    fn value(&self) -> Value {
        let sign = self.words[N_WORDS - 1] >> 63 != 0;
        let words = if sign { negated(self.words) } else { self.words };
        let Some(top) = words.iter().rposition(|&word| word != 0) else { return Value::integer(0) };
        // The two highest words hold more than 64 bits of it, or all.
        let below = top.saturating_sub(1);
        let mantissa = (below..=top).rev().fold(0, |mantissa, idx| mantissa << 64 | u128::from(words[idx]));
        let rest = words[..below].iter().any(|&word| word != 0);
        let exponent = LEAST + 64 * below as i32;
        // One bit less, since a value has no more than 127.
        Value::Finite {
            sign,
            mantissa: mantissa >> 1,
            exponent: exponent + 1,
            rest: rest || mantissa & 1 != 0,
        }
    }
}

fn negated(mut words: [u64; N_WORDS]) -> [u64; N_WORDS] {
    let mut carry = true;
    for word in &mut words {
        (*word, carry) = (!*word).overflowing_add(u64::from(carry));
    }
    words
}
