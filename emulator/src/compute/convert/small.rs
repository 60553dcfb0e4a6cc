//! Floating-point formats of eight bits and less (PTX ISA "Alternate Floating-Point Data Formats").
//!
//! They are so small that a value is found among all there are: what lies between two is compared with the middle.

use super::super::float::exact::Rounding;

/// A format with an exponent and a fraction, whose greatest exponent holds numbers too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compute) struct Small {
    /// Whether it has a sign above the exponent.
    is_signed: bool,
    /// How many bits the fraction has.
    fraction: u32,
    /// How many bits the exponent has.
    exponent: u32,
    /// The bits of the greatest number.
    greatest: u8,
    /// The bits of infinity.
    infinity: Option<u8>,
    /// What stands for no number; the others have none.
    nan: Option<u8>,
}

/// `.e4m3`: without infinity, and with one bit pattern that is a NaN.
pub(in crate::compute) const E4M3: Small =
    Small { is_signed: true, fraction: 3, exponent: 4, greatest: 0x7E, infinity: None, nan: Some(0x7F) };
/// `.e5m2`
pub(in crate::compute) const E5M2: Small = Small {
    is_signed: true,
    fraction: 2,
    exponent: 5,
    greatest: 0x7B,
    infinity: Some(0x7C),
    nan: Some(0x7F),
};
/// `.e2m3`
pub(in crate::compute) const E2M3: Small =
    Small { is_signed: true, fraction: 3, exponent: 2, greatest: 0x1F, infinity: None, nan: None };
/// `.e3m2`
pub(in crate::compute) const E3M2: Small =
    Small { is_signed: true, fraction: 2, exponent: 3, greatest: 0x1F, infinity: None, nan: None };
/// `.e2m1`
pub(in crate::compute) const E2M1: Small =
    Small { is_signed: true, fraction: 1, exponent: 2, greatest: 0x07, infinity: None, nan: None };
/// `.ue5m3`: of magnitudes alone, without infinity.
pub(in crate::compute) const UE5M3: Small =
    Small { is_signed: false, fraction: 3, exponent: 5, greatest: 0xFE, infinity: None, nan: Some(0xFF) };

impl Small {
    /// None of a format without a sign.
    fn sign_bit(self) -> u8 {
        if self.is_signed { 1 << (self.fraction + self.exponent) } else { 0 }
    }

    /// What the bits stand for.
    pub(in crate::compute) fn value(self, bits: u8) -> f64 {
        let magnitude = bits & self.sign_bit().wrapping_sub(1);
        let value = match magnitude {
            _ if magnitude <= self.greatest => self.magnitude(magnitude),
            _ if self.infinity == Some(magnitude) => f64::INFINITY,
            _ => return f64::NAN,
        };
        if bits & self.sign_bit() != 0 { -value } else { value }
    }

    fn magnitude(self, bits: u8) -> f64 {
        let bias = (1 << (self.exponent - 1)) - 1;
        let (exponent, fraction) =
            (i32::from(bits >> self.fraction), i32::from(bits & ((1 << self.fraction) - 1)));
        let one = 1 << self.fraction;
        let (mantissa, exponent) = if exponent == 0 { (fraction, 1) } else { (fraction | one, exponent) };
        f64::from(mantissa) * f64::from(exponent - bias - self.fraction as i32).exp2()
    }

    /// The nearest number, the even one of two, and the greatest of what is greater: `.rn.satfinite`.
    pub(in crate::compute) fn nearest(self, value: f64) -> u8 {
        self.rounded(value, |low, high, is_odd| {
            let middle = (low + high) / 2.0;
            value.abs() > middle || (value.abs() == middle && is_odd)
        })
    }

    /// The number next to zero of two: `.rz.satfinite`.
    pub(in crate::compute) fn truncated(self, value: f64) -> u8 {
        self.rounded(value, |_, _, _| false)
    }

    /// One of the two numbers that a value is between, or the greatest of what is greater. Of a NaN, what
    /// stands for that, or else the greatest number.
    ///
    /// The upper one is chosen by both magnitudes, and whether the lower one is odd.
    pub(in crate::compute) fn rounded(self, value: f64, is_up: impl Fn(f64, f64, bool) -> bool) -> u8 {
        if value.is_nan() {
            return self.nan.unwrap_or(self.greatest);
        }
        let (mut low, mut high) = (0, self.greatest);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.magnitude(middle) <= value.abs() { low = middle } else { high = middle - 1 }
        }
        let magnitude = if low == self.greatest {
            low
        } else {
            low + u8::from(is_up(self.magnitude(low), self.magnitude(low + 1), low % 2 == 1))
        };
        if value.is_sign_negative() { magnitude | self.sign_bit() } else { magnitude }
    }
}

/// A magnitude as `.ue5m3`, rounded to nearest, towards zero or up. What is above the greatest number is a NaN, but with
/// `.satfinite`; towards zero infinity alone is (as the software in NVIDIA's `cuda_fp8.hpp` has it, for GPUs without the instruction).
pub(in crate::compute) fn magnitude(value: f64, rounding: Rounding, is_finite: bool) -> u8 {
    const GREATEST: f64 = 114_688.0;
    const NEXT: f64 = 122_880.0;
    let value = value.abs();
    let is_above = match rounding {
        Rounding::Nearest => value > (GREATEST + NEXT) / 2.0,
        Rounding::Up => value > GREATEST,
        _ => value.is_infinite(),
    };
    match rounding {
        _ if is_above && is_finite => UE5M3.greatest,
        _ if is_above => 0xFF,
        Rounding::Nearest => UE5M3.nearest(value),
        Rounding::Up => UE5M3.rounded(value, |low, _, _| value > low),
        _ => UE5M3.truncated(value),
    }
}

/// The exponent of a magnitude, rounded towards zero or up, as `.ue8m0` has it: 2⁻¹²⁷ is 0. A NaN is 255, as
/// is what is too large, but with `.satfinite`.
pub(in crate::compute) fn exponent(value: f32, is_up: bool, is_finite: bool) -> u8 {
    const NAN: u8 = 0xFF;
    if value.is_nan() {
        return NAN;
    }
    let bits = value.abs().to_bits();
    let (exponent, fraction) = ((bits >> 23) as u8, bits & 0x7F_FFFF);
    // Of subnormal numbers, half the least normal one is 2⁻¹²⁷.
    let is_above = if exponent == 0 { fraction > 0x40_0000 } else { fraction != 0 };
    let rounded = if is_up && is_above { exponent + 1 } else { exponent };
    if rounded == NAN && is_finite { NAN - 1 } else { rounded }
}

/// What an exponent stands for: a power of two.
pub(in crate::compute) fn power(exponent: u8) -> f32 {
    match exponent {
        0xFF => f32::NAN,
        0 => f32::from_bits(0x40_0000),
        _ => f32::from_bits(u32::from(exponent) << 23),
    }
}
