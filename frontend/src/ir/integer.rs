//! Constants of the integer types.
//!
//! In the IR a constant is an `i128`: its value or, for `unsigned __int128`, whose upper half does not fit in
//! `i128`, the `i128` with the same bits. Operations that depend on more than the bits are here, with the
//! type: the mathematical value, comparisons, operators.

use std::cmp::Ordering;
use std::fmt;

use super::{BinaryOp, CompareOp, IntTy, UnaryOp};
use crate::layout;

/// A mathematical integer: any value of any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// False for zero.
    is_negative: bool,
    magnitude: u128,
}

/// The result of an operator on constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The constant of the result's type, modulo its width.
    pub value: i128,
    /// The mathematical result is not a value of the type.
    pub overflows: bool,
    /// The mathematical result, if it fits in 128 bits.
    pub exact: Option<Exact>,
}

impl Exact {
    /// Zero.
    pub const ZERO: Exact = Exact { is_negative: false, magnitude: 0 };

    /// The value of a constant of the type.
    pub fn of(int: IntTy, constant: i128) -> Exact {
        match int {
            IntTy::UInt128 => Exact { is_negative: false, magnitude: constant as u128 },
            IntTy::Bool
            | IntTy::Char
            | IntTy::SChar
            | IntTy::UChar
            | IntTy::WChar
            | IntTy::Char16
            | IntTy::Char32
            | IntTy::Short
            | IntTy::UShort
            | IntTy::Int
            | IntTy::UInt
            | IntTy::Long
            | IntTy::ULong
            | IntTy::Long32
            | IntTy::ULong32
            | IntTy::LongLong
            | IntTy::ULongLong
            | IntTy::Int128 => constant.into(),
        }
    }

    /// The integer towards zero from a floating value, unless it has more than 128 bits.
    pub fn truncated(value: f64) -> Option<Exact> {
        let whole = value.trunc();
        // 2^128; the cast saturates from there on.
        let fits = whole.abs() < 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
        fits.then(|| Exact::signed(whole < 0.0, whole.abs() as u128))
    }

    /// Whether it is negative, and its absolute value.
    pub(crate) fn sign_and_magnitude(self) -> (bool, u128) {
        (self.is_negative, self.magnitude)
    }

    pub(crate) fn signed(is_negative: bool, magnitude: u128) -> Exact {
        Exact { is_negative: is_negative && magnitude != 0, magnitude }
    }

    /// The least and the greatest value of a type.
    pub fn range(int: IntTy) -> (Exact, Exact) {
        let bits = if int == IntTy::Bool { 1 } else { int.bits() };
        if int.is_signed() {
            let half = 1_u128 << (bits - 1);
            (Exact::signed(true, half), Exact::signed(false, half - 1))
        } else {
            (Exact::ZERO, Exact::signed(false, u128::MAX >> (128 - bits)))
        }
    }

    /// Whether it is one of the type's values.
    pub fn fits(self, int: IntTy) -> bool {
        let (min, max) = Exact::range(int);
        (min..=max).contains(&self)
    }

    /// The constant of the type, modulo its width; `bool` is not for this.
    pub fn wrapped(self, int: IntTy) -> i128 {
        let bits = self.magnitude as i128;
        int.wrap(if self.is_negative { bits.wrapping_neg() } else { bits })
    }

    /// One more.
    #[must_use]
    pub fn successor(self) -> Exact {
        match self.is_negative {
            true => Exact::signed(true, self.magnitude - 1),
            false => Exact::signed(false, self.magnitude.saturating_add(1)),
        }
    }

    /// The nearest `float`.
    pub fn to_f32(self) -> f32 {
        let magnitude = self.magnitude as f32;
        if self.is_negative { -magnitude } else { magnitude }
    }

    /// The nearest `double`.
    pub fn to_f64(self) -> f64 {
        let magnitude = self.magnitude as f64;
        if self.is_negative { -magnitude } else { magnitude }
    }
}

impl TryFrom<Exact> for u64 {
    type Error = Exact;

    fn try_from(value: Exact) -> Result<u64, Exact> {
        u64::try_from(value.magnitude).ok().filter(|_| !value.is_negative).ok_or(value)
    }
}

impl TryFrom<Exact> for u32 {
    type Error = Exact;

    fn try_from(value: Exact) -> Result<u32, Exact> {
        u64::try_from(value)?.try_into().map_err(|_| value)
    }
}

impl From<i128> for Exact {
    fn from(value: i128) -> Exact {
        Exact::signed(value < 0, value.unsigned_abs())
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Exact) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(!self.is_negative, "", &self.magnitude.to_string())
    }
}

impl IntTy {
    /// The width in bits as it is stored.
    pub fn bits(self) -> u32 {
        layout::int_layout(self).size as u32 * 8
    }

    /// The constant of the type with the low bits of `bits`; `bool` is not for this.
    pub fn wrap(self, bits: i128) -> i128 {
        let above = 128 - self.bits();
        if self.is_signed() || above == 0 {
            bits << above >> above
        } else {
            ((bits as u128) << above >> above) as i128
        }
    }

    /// Whether the constant is one of the type's.
    pub fn has_constant(self, constant: i128) -> bool {
        // All types but `bool` have these.
        let is_small = (0..=0x7f).contains(&constant) && self != IntTy::Bool;
        is_small || Exact::of(self, constant).fits(self)
    }

    /// An operator on a constant of the type.
    pub fn unary(self, op: UnaryOp, operand: i128) -> Computed {
        match op {
            UnaryOp::Neg => self.computed(operand.overflowing_neg()),
            UnaryOp::BitNot => self.computed((!operand, false)),
        }
    }

    /// An operator on two constants of the type; of a shift, the right one is of any type.
    ///
    /// # Errors
    /// If there is no result, the reason.
    pub fn binary(self, op: BinaryOp, a: i128, b: i128) -> Result<Computed, &'static str> {
        let is_unsigned_128 = self == IntTy::UInt128;
        let (ua, ub) = (a as u128, b as u128);
        let zero = if b == 0 { Err("division by zero") } else { Ok(()) };
        let shift = || match u32::try_from(b) {
            Ok(count) if count < self.bits() => Ok(count),
            Ok(_) | Err(_) => Err("the shift count is negative or too large"),
        };
        let exact = |value| Ok(self.computed((value, false)));
        match op {
            BinaryOp::Add => Ok(self.computed(a.overflowing_add(b))),
            BinaryOp::Sub => Ok(self.computed(a.overflowing_sub(b))),
            BinaryOp::Mul => Ok(self.computed(a.overflowing_mul(b))),
            BinaryOp::Div if is_unsigned_128 => zero.and_then(|()| exact((ua / ub) as i128)),
            BinaryOp::Rem if is_unsigned_128 => zero.and_then(|()| exact((ua % ub) as i128)),
            BinaryOp::Div => zero.map(|()| self.computed(a.overflowing_div(b))),
            // If the quotient is not a value of the type, the remainder is undefined (C++17 8.6p4).
            BinaryOp::Rem => zero.map(|()| Computed {
                overflows: self.computed(a.overflowing_div(b)).overflows,
                ..self.computed((a.wrapping_rem(b), false))
            }),
            BinaryOp::And => exact(a & b),
            BinaryOp::Or => exact(a | b),
            BinaryOp::Xor => exact(a ^ b),
            // Shifting out of a signed type is defined by C++20, and by every compiler before it.
            BinaryOp::Shl => shift().and_then(|count| exact(self.wrap(a << count))),
            BinaryOp::Shr if is_unsigned_128 => shift().and_then(|count| exact((ua >> count) as i128)),
            BinaryOp::Shr => shift().and_then(|count| exact(a >> count)),
        }
    }

    /// Compares two constants of the type.
    pub fn compare(self, op: CompareOp, a: i128, b: i128) -> bool {
        let ordering = Exact::of(self, a).cmp(&Exact::of(self, b));
        match op {
            CompareOp::Eq => ordering.is_eq(),
            CompareOp::Ne => ordering.is_ne(),
            CompareOp::Lt => ordering.is_lt(),
            CompareOp::Le => ordering.is_le(),
            CompareOp::Gt => ordering.is_gt(),
            CompareOp::Ge => ordering.is_ge(),
        }
    }

    /// The result from 128 bits, and whether they are not all of it. Only of the types of 128 bits,
    /// and of products of unsigned ones of 64, are they not.
    fn computed(self, (bits, is_cut): (i128, bool)) -> Computed {
        let value = self.wrap(bits);
        let exact = (!is_cut).then(|| Exact::from(bits));
        Computed { value, overflows: is_cut || value != bits, exact }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_wrap_to_their_type() {
        assert_eq!(IntTy::Int.wrap(0x8000_0000), -0x8000_0000);
        assert_eq!(IntTy::UInt.wrap(-1), 0xffff_ffff);
        assert_eq!(IntTy::Char.wrap(300), 44);
        assert_eq!(IntTy::ULongLong.wrap(-1), i128::from(u64::MAX));
        assert_eq!(IntTy::UInt128.wrap(-1), -1);
        assert_eq!(Exact::of(IntTy::UInt128, -1), Exact::range(IntTy::UInt128).1);
    }

    #[test]
    fn ranges_are_exact() {
        let shown = |int| {
            let (min, max) = Exact::range(int);
            format!("{min} {max}")
        };
        assert_eq!(shown(IntTy::Bool), "0 1");
        assert_eq!(shown(IntTy::Short), "-32768 32767");
        assert_eq!(
            shown(IntTy::Int128),
            "-170141183460469231731687303715884105728 170141183460469231731687303715884105727"
        );
        assert_eq!(shown(IntTy::UInt128), "0 340282366920938463463374607431768211455");
        assert!(Exact::truncated(1.7e38).is_some_and(|e| e.fits(IntTy::Int128)));
        assert!(Exact::truncated(-3.0).is_some_and(|e| !e.fits(IntTy::UInt128)));
        assert_eq!(Exact::truncated(3.5e38), None);
        assert_eq!(Exact::truncated(f64::NAN), None);
    }

    #[test]
    fn arithmetic_of_128_bits() {
        let wide = |op, a, b| IntTy::UInt128.binary(op, a, b).map(|c| c.value);
        assert_eq!(wide(BinaryOp::Div, -1, 2), Ok(i128::MAX));
        assert_eq!(wide(BinaryOp::Rem, -1, 10), Ok(5));
        assert_eq!(wide(BinaryOp::Shr, -1, 127), Ok(1));
        assert_eq!(wide(BinaryOp::Mul, -1, -1), Ok(1));
        assert!(IntTy::UInt128.compare(CompareOp::Gt, -1, 1));
        assert!(IntTy::Int128.compare(CompareOp::Lt, -1, 1));
        let overflows = |int: IntTy, op, a, b| int.binary(op, a, b).map(|c| c.overflows);
        assert_eq!(overflows(IntTy::Int128, BinaryOp::Add, i128::MAX, 1), Ok(true));
        assert_eq!(overflows(IntTy::Int128, BinaryOp::Div, i128::MIN, -1), Ok(true));
        assert_eq!(overflows(IntTy::Int, BinaryOp::Rem, i128::from(i32::MIN), -1), Ok(true));
        assert_eq!(overflows(IntTy::Int128, BinaryOp::Mul, 1 << 63, 1 << 63), Ok(false));
        assert!(IntTy::Int128.unary(UnaryOp::Neg, i128::MIN).overflows);
    }

    #[test]
    fn products_of_64_bits_wrap() {
        let max = i128::from(u64::MAX);
        assert_eq!(IntTy::ULong.binary(BinaryOp::Mul, max, max).map(|c| c.value), Ok(1));
    }
}
