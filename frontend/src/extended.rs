//! Constants of `long double`: 64 bits of precision, as on the host (x87), in which nvcc evaluates constant
//! expressions. At run time device code computes with `double`.
//!
//! In: literals, integers and doubles. Out: the result of an operator, rounded once to 64 bits, ties to even.
//! Values outside the range of `double` have no [`Extended`]: device code could not represent them.

use std::cmp::Ordering;

use crate::ir::Exact;

mod decimal;

/// A constant of `long double`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extended {
    /// The nearest double, which device code uses.
    pub(crate) nearest: f64,
    /// The difference, in units of half a last bit: 2⁻⁶⁴ times the leading power of two of `nearest`.
    pub(crate) rest: i16,
}

/// A finite number that is not zero: `mantissa * 2^exponent`.
#[derive(Clone, Copy)]
struct Parts {
    is_negative: bool,
    /// The highest bit is set.
    mantissa: u64,
    exponent: i32,
}

/// A number before it is rounded: `mantissa * 2^exponent`, and a little more where `sticky`.
#[derive(Clone, Copy, Default)]
struct Unrounded {
    is_negative: bool,
    /// At least 66 bits where `sticky`.
    mantissa: u128,
    exponent: i32,
    sticky: bool,
}

impl From<f64> for Extended {
    fn from(nearest: f64) -> Self {
        Extended { nearest, rest: 0 }
    }
}

impl Extended {
    /// A decimal literal without its suffix, such as `12.5e-3`; `None` if it is out of range.
    pub(crate) fn of_decimal(text: &str) -> Option<Extended> {
        decimal::parse(text)?.round()
    }

    /// `mantissa * 2^exponent`, and a little more where `sticky`: a hexadecimal literal.
    pub(crate) fn of_binary(mantissa: u64, sticky: bool, exponent: i64) -> Option<Extended> {
        let Ok(exponent) = i32::try_from(exponent) else { return (mantissa == 0).then(|| 0.0.into()) };
        let mantissa = u128::from(mantissa) << 62;
        Unrounded { is_negative: false, mantissa, exponent: exponent.checked_sub(62)?, sticky }.round()
    }

    /// The nearest one to an integer.
    pub(crate) fn of_int(value: Exact) -> Option<Extended> {
        let (is_negative, mantissa) = value.sign_and_magnitude();
        Unrounded { is_negative, mantissa, exponent: 0, sticky: false }.round()
    }

    pub(crate) fn to_f32(self) -> f32 {
        let Some(parts) = self.parts() else { return self.nearest as f32 };
        // Of the two doubles around it, the one with the odd last bit, if it is not a double itself: rounding to it loses nothing
        // that rounding to 24 bits looks at.
        let truncated = parts.mantissa >> 11;
        let odd = truncated | u64::from(parts.mantissa & 0x7ff != 0);
        let value = scaled(odd, parts.exponent + 11);
        (if parts.is_negative { -value } else { value }) as f32
    }

    /// The integer towards zero, unless it has more than 128 bits.
    pub(crate) fn truncated(self) -> Option<Exact> {
        let Some(parts) = self.parts() else { return Exact::truncated(self.nearest) };
        let magnitude = match parts.exponent {
            ..=-64 => 0,
            -63..0 => u128::from(parts.mantissa >> -parts.exponent),
            0..=64 => u128::from(parts.mantissa) << parts.exponent,
            _ => return None,
        };
        Some(Exact::signed(parts.is_negative, magnitude))
    }

    pub(crate) fn add(self, other: Extended) -> Option<Extended> {
        let (Some(a), Some(b)) = (self.parts(), other.parts()) else {
            return match (self.nearest == 0.0, other.nearest == 0.0) {
                (true, false) => Some(other),
                (false, true) => Some(self),
                (true, true) | (false, false) => Some((self.nearest + other.nearest).into()),
            };
        };
        let (large, small) =
            if (a.exponent, a.mantissa) >= (b.exponent, b.mantissa) { (a, b) } else { (b, a) };
        let distance = large.exponent.abs_diff(small.exponent);
        let (left, right) = (u128::from(large.mantissa) << 62, u128::from(small.mantissa) << 62);
        let moved = right.checked_shr(distance).unwrap_or(0);
        let sticky = distance >= 128 || moved << distance != right;
        let mantissa = match large.is_negative == small.is_negative {
            true => left + moved,
            // The truncated bits are subtracted, too.
            false => left - moved - u128::from(sticky),
        };
        let is_negative = large.is_negative && mantissa != 0;
        Unrounded { is_negative, mantissa, exponent: large.exponent - 62, sticky }.round()
    }

    pub(crate) fn mul(self, other: Extended) -> Option<Extended> {
        let (Some(a), Some(b)) = (self.parts(), other.parts()) else {
            return Some((self.nearest * other.nearest).into());
        };
        let mantissa = u128::from(a.mantissa) * u128::from(b.mantissa);
        let is_negative = a.is_negative != b.is_negative;
        Unrounded { is_negative, mantissa, exponent: a.exponent + b.exponent, sticky: false }.round()
    }

    pub(crate) fn div(self, other: Extended) -> Option<Extended> {
        let (Some(a), Some(b)) = (self.parts(), other.parts()) else {
            return Some((self.nearest / other.nearest).into());
        };
        let divisor = u128::from(b.mantissa);
        let dividend = u128::from(a.mantissa) << 64;
        let (quotient, rest) = (dividend / divisor, (dividend % divisor) << 2);
        let mantissa = (quotient << 2) | (rest / divisor);
        let is_negative = a.is_negative != b.is_negative;
        let exponent = a.exponent - b.exponent - 66;
        Unrounded { is_negative, mantissa, exponent, sticky: rest % divisor != 0 }.round()
    }

    pub(crate) fn neg(self) -> Extended {
        Extended { nearest: -self.nearest, rest: -self.rest }
    }

    pub(crate) fn compare(self, other: Extended) -> Option<Ordering> {
        Some(self.nearest.partial_cmp(&other.nearest)?.then(self.rest.cmp(&other.rest)))
    }

    /// `None` for zero and non-finite values.
    fn parts(self) -> Option<Parts> {
        if self.nearest == 0.0 || !self.nearest.is_finite() {
            return None;
        }
        let bits = self.nearest.abs().to_bits();
        let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let (mantissa, exponent) = match exponent {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, exponent - 1075),
        };
        let is_negative = self.nearest < 0.0;
        let rest = i128::from(if is_negative { -self.rest } else { self.rest });
        // In units of half a last bit, normalized.
        let wide = (i128::from(mantissa) << 12) + rest;
        let shift = 64 - (128 - wide.leading_zeros() as i32);
        let mantissa = if shift >= 0 { (wide << shift) as u64 } else { (wide >> -shift) as u64 };
        Some(Parts { is_negative, mantissa, exponent: exponent - 12 - shift })
    }
}

impl Unrounded {
    /// The nearest 64-bit number; `None` outside the range of `double`.
    fn round(self) -> Option<Extended> {
        let signed = |value: f64| if self.is_negative { -value } else { value };
        if self.mantissa == 0 {
            return Some(signed(0.0).into());
        }
        let (mantissa, exponent) = self.rounded()?;
        // To the nearest double.
        let (high, low) = (mantissa >> 11, mantissa & 0x7ff);
        let rounds_up = low > 0x400 || low == 0x400 && high & 1 == 1;
        let high = high + u64::from(rounds_up);
        let carries = high >> 53 != 0;
        let leading = exponent + 63 + i32::from(carries);
        if !(-1022..=1023).contains(&leading) {
            return None;
        }
        let rest = low as i16 - (i16::from(rounds_up) << 11);
        let rest = if carries { rest } else { 2 * rest };
        let rest = if self.is_negative { -rest } else { rest };
        Some(Extended { nearest: signed(scaled(high, exponent + 11)), rest })
    }

    /// A mantissa of 64 bits, and its exponent.
    fn rounded(self) -> Option<(u64, i32)> {
        let shift = 64 - self.mantissa.leading_zeros() as i32;
        let exponent = self.exponent.checked_add(shift)?;
        if shift <= 0 {
            return Some(((self.mantissa << -shift) as u64, exponent));
        }
        let kept = (self.mantissa >> shift) as u64;
        let (cut, half) = (self.mantissa & ((1 << shift) - 1), 1_u128 << (shift - 1));
        let rounds_up = cut > half || cut == half && (self.sticky || kept & 1 == 1);
        Some(match kept.checked_add(u64::from(rounds_up)) {
            Some(kept) => (kept, exponent),
            None => (1 << 63, exponent + 1),
        })
    }
}

/// `mantissa * 2^exponent`, of at most 53 bits and in the range of `double`.
fn scaled(mantissa: u64, exponent: i32) -> f64 {
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << 52);
    let first = exponent.clamp(-1000, 900);
    mantissa as f64 * power(first) * power((exponent - first).clamp(-1022, 1023))
}

#[cfg(test)]
mod tests;
