//! Exact results, and their rounding to a format in any of PTX's modes (PTX ISA "Rounding Modifiers").
//!
//! What the host's arithmetic rounds to nearest is computed exactly here, but for bits far below the last one of any
//! format, of which only is known whether they are all zero: no rounding needs more.

use std::cmp::Ordering;

/// A floating-point format: binary, with a sign, an exponent and a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// How many bits the fraction has.
    pub fraction: u32,
    /// How many bits the exponent has.
    pub exponent: u32,
}

/// IEEE 754 binary16.
pub const F16: Format = Format { fraction: 10, exponent: 5 };
/// The upper half of a binary32.
pub const BF16: Format = Format { fraction: 7, exponent: 8 };
/// IEEE 754 binary32.
pub const F32: Format = Format { fraction: 23, exponent: 8 };
/// IEEE 754 binary64.
pub const F64: Format = Format { fraction: 52, exponent: 11 };

/// A rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// `.rn`: to nearest, to even where two are as near.
    Nearest,
    /// `.rna`: to nearest, away from zero where two are as near.
    NearestAway,
    /// `.rz`
    Zero,
    /// `.rm`
    Down,
    /// `.rp`
    Up,
}

impl Rounding {
    /// The mode that a modifier names.
    pub fn named(name: &str) -> Option<Rounding> {
        Some(match name {
            "rn" => Rounding::Nearest,
            "rna" => Rounding::NearestAway,
            "rz" => Rounding::Zero,
            "rm" => Rounding::Down,
            "rp" => Rounding::Up,
            _ => return None,
        })
    }

    /// Whether a magnitude is rounded up, by what is below the bits that are kept: a half, and more than that.
    fn is_up(self, sign: bool, is_odd: bool, half: bool, below: bool) -> bool {
        match self {
            Rounding::Nearest => half && (below || is_odd),
            Rounding::NearestAway => half,
            Rounding::Zero => false,
            Rounding::Down => sign && (half || below),
            Rounding::Up => !sign && (half || below),
        }
    }
}

/// A value before it is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A NaN.
    Nan,
    /// Infinity; true for the negative one.
    Infinity(bool),
    /// `(-1)^sign * mantissa * 2^exponent`, and with `rest` a little more in magnitude.
    Finite {
        /// It is negative.
        sign: bool,
        /// Below 2^127.
        mantissa: u128,
        /// Of the last bit of the mantissa.
        exponent: i32,
        /// There are bits below the last one that are not zero.
        rest: bool,
    },
}

impl Format {
    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the last bit of the least number.
    fn least(self) -> i32 {
        1 - self.bias() - self.fraction as i32
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    fn sign_bit(self) -> u64 {
        1 << (self.fraction + self.exponent)
    }

    /// What PTX makes of an operation that gives no number: all ones but the sign.
    pub fn nan(self) -> u64 {
        self.sign_bit() - 1
    }

    /// Whether the bits stand for no number.
    pub fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign_bit() - 1) > self.infinity()
    }

    /// Whether the bits are those of a number below the least normal one, and not zero.
    pub fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = bits & (self.sign_bit() - 1);
        magnitude != 0 && magnitude >> self.fraction == 0
    }

    /// A zero of the same sign in place of a subnormal number: `.ftz`.
    pub fn flushed(self, bits: u64) -> u64 {
        if self.is_subnormal(bits) { bits & self.sign_bit() } else { bits }
    }

    /// What the bits stand for.
    pub fn value(self, bits: u64) -> Value {
        let sign = bits & self.sign_bit() != 0;
        let fraction = bits & ((1 << self.fraction) - 1);
        let exponent = bits >> self.fraction & ((1 << self.exponent) - 1);
        if exponent == (1 << self.exponent) - 1 {
            return if fraction == 0 { Value::Infinity(sign) } else { Value::Nan };
        }
        let (mantissa, exponent) = match exponent {
            0 => (fraction, self.least()),
            _ => (fraction | 1 << self.fraction, exponent as i32 - self.bias() - self.fraction as i32),
        };
        Value::Finite { sign, mantissa: u128::from(mantissa), exponent, rest: false }
    }

    /// The bits of a value, rounded.
    pub fn round(self, value: Value, rounding: Rounding) -> u64 {
        let signed = |sign: bool, magnitude: u64| magnitude | if sign { self.sign_bit() } else { 0 };
        let (sign, mantissa, exponent, rest) = match value {
            Value::Nan => return self.nan(),
            Value::Infinity(sign) => return signed(sign, self.infinity()),
            Value::Finite { sign, mantissa: 0, rest: false, .. } => return signed(sign, 0),
            Value::Finite { sign, mantissa, exponent, rest } => (sign, mantissa, exponent, rest),
        };
        // The exponent of the last bit that the format keeps.
        let n_bits = (128 - mantissa.leading_zeros()) as i32;
        let last = (exponent + n_bits - 1 - self.fraction as i32).max(self.least());
        let shift = last - exponent;
        let (kept, half, below) = if shift <= 0 {
            debug_assert!(!rest, "a rest lies below all that a format keeps");
            ((mantissa << -shift) as u64, false, rest)
        } else if shift > 127 {
            (0, false, true)
        } else {
            let kept = (mantissa >> shift) as u64;
            let half = mantissa >> (shift - 1) & 1 != 0;
            (kept, half, rest || mantissa & ((1 << (shift - 1)) - 1) != 0)
        };
        let is_up = rounding.is_up(sign, kept & 1 != 0, half, below);
        let kept = kept + u64::from(is_up);
        // A carry into the exponent is what it should be.
        let biased = if kept >> self.fraction == 0 { 0 } else { (last - self.least() + 1) as u64 };
        let magnitude = match biased {
            0 => kept,
            _ => ((biased - 1) << self.fraction) + kept,
        };
        if magnitude < self.infinity() {
            return signed(sign, magnitude);
        }
        let stays_finite = match rounding {
            Rounding::Nearest | Rounding::NearestAway => false,
            Rounding::Zero => true,
            Rounding::Down => !sign,
            Rounding::Up => sign,
        };
        signed(sign, self.infinity() - u64::from(stays_finite))
    }
}

impl Value {
    /// An integer.
    pub fn integer(value: i128) -> Value {
        Value::Finite { sign: value < 0, mantissa: value.unsigned_abs(), exponent: 0, rest: false }
    }

    fn is_zero(self) -> bool {
        matches!(self, Value::Finite { mantissa: 0, rest: false, .. })
    }

    fn sign(self) -> bool {
        match self {
            Value::Nan => false,
            Value::Infinity(sign) | Value::Finite { sign, .. } => sign,
        }
    }

    /// The same with the other sign.
    pub fn negated(self) -> Value {
        match self {
            Value::Nan => Value::Nan,
            Value::Infinity(sign) => Value::Infinity(!sign),
            Value::Finite { sign, mantissa, exponent, rest } => {
                Value::Finite { sign: !sign, mantissa, exponent, rest }
            }
        }
    }

    /// The product, exact for mantissas of up to 63 bits.
    pub fn times(self, other: Value) -> Value {
        let sign = self.sign() != other.sign();
        match (self, other) {
            (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
            (Value::Infinity(_), other) | (other, Value::Infinity(_)) => {
                if other.is_zero() {
                    Value::Nan
                } else {
                    Value::Infinity(sign)
                }
            }
            (
                Value::Finite { mantissa: a, exponent: ea, .. },
                Value::Finite { mantissa: b, exponent: eb, .. },
            ) => Value::Finite { sign, mantissa: a * b, exponent: ea + eb, rest: false },
        }
    }

    /// The sum. The sign of an exact zero depends on the rounding (IEEE 754 6.3).
    pub fn plus(self, other: Value, rounding: Rounding) -> Value {
        match (self, other) {
            (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
            (Value::Infinity(a), Value::Infinity(b)) if a != b => Value::Nan,
            (Value::Infinity(sign), _) | (_, Value::Infinity(sign)) => Value::Infinity(sign),
            (Value::Finite { .. }, Value::Finite { .. }) => self.plus_finite(other, rounding),
        }
    }

    fn plus_finite(self, other: Value, rounding: Rounding) -> Value {
        let zero = |sign| Value::Finite { sign, mantissa: 0, exponent: 0, rest: false };
        match (self.is_zero(), other.is_zero()) {
            (true, true) if self.sign() == other.sign() => return zero(self.sign()),
            (true, true) => return zero(rounding == Rounding::Down),
            (true, false) => return other,
            (false, true) => return self,
            (false, false) => {}
        }
        let (Some((sa, a, ea)), Some((sb, b, eb))) = (self.normal(), other.normal()) else {
            return Value::Nan;
        };
        let ((sa, a, ea), (sb, b, eb)) =
            if (ea, a) >= (eb, b) { ((sa, a, ea), (sb, b, eb)) } else { ((sb, b, eb), (sa, a, ea)) };
        let distance = (ea - eb) as u32;
        let (moved, lost) =
            if distance > 126 { (0, true) } else { (b >> distance, b & ((1 << distance) - 1) != 0) };
        if sa == sb {
            return Value::Finite { sign: sa, mantissa: a + moved, exponent: ea, rest: lost };
        }
        // What was lost makes the difference a little less: one bit less, and a rest.
        let difference = a - moved - u128::from(lost);
        if difference == 0 && !lost {
            return zero(rounding == Rounding::Down);
        }
        Value::Finite { sign: sa, mantissa: difference, exponent: ea, rest: lost }
    }

    /// With the highest bit of the mantissa at place 125, so that a sum has room.
    fn normal(self) -> Option<(bool, u128, i32)> {
        let Value::Finite { sign, mantissa, exponent, .. } = self else { return None };
        let shift = mantissa.leading_zeros().checked_sub(2)?;
        Some((sign, mantissa << shift, exponent - shift as i32))
    }

    /// The quotient, of mantissas of up to 53 bits.
    pub fn over(self, other: Value) -> Value {
        let sign = self.sign() != other.sign();
        match (self, other) {
            (Value::Nan, _) | (_, Value::Nan) | (Value::Infinity(_), Value::Infinity(_)) => Value::Nan,
            (Value::Infinity(_), _) => Value::Infinity(sign),
            (_, Value::Infinity(_)) => Value::Finite { sign, mantissa: 0, exponent: 0, rest: false },
            (a, b) if a.is_zero() && b.is_zero() => Value::Nan,
            (_, b) if b.is_zero() => Value::Infinity(sign),
            (
                Value::Finite { mantissa: a, exponent: ea, .. },
                Value::Finite { mantissa: b, exponent: eb, .. },
            ) => {
                // At least 64 bits of the quotient.
                let shift = a.leading_zeros().saturating_sub(1);
                let (quotient, remainder) = ((a << shift) / b, (a << shift) % b);
                Value::Finite {
                    sign,
                    mantissa: quotient,
                    exponent: ea - eb - shift as i32,
                    rest: remainder != 0,
                }
            }
        }
    }

    /// The square root, of a mantissa of up to 53 bits.
    pub fn sqrt(self) -> Value {
        match self {
            Value::Nan => Value::Nan,
            value if value.is_zero() => value,
            Value::Infinity(false) => self,
            Value::Infinity(true) | Value::Finite { sign: true, .. } => Value::Nan,
            Value::Finite { mantissa, exponent, .. } => {
                let shift = mantissa.leading_zeros() - 2;
                let shift = if (exponent - shift as i32) % 2 == 0 { shift } else { shift - 1 };
                let wide = mantissa << shift;
                let root = wide.isqrt();
                let exponent = (exponent - shift as i32) / 2;
                Value::Finite { sign: false, mantissa: root, exponent, rest: root * root != wide }
            }
        }
    }

    /// Compares; none where one is a NaN.
    pub fn compare(self, other: Value) -> Option<Ordering> {
        match self.plus(other.negated(), Rounding::Nearest) {
            _ if self == Value::Nan || other == Value::Nan => None,
            // Of infinities of one sign.
            Value::Nan => Some(Ordering::Equal),
            difference if difference.is_zero() => Some(Ordering::Equal),
            difference if difference.sign() => Some(Ordering::Less),
            _ => Some(Ordering::Greater),
        }
    }

    /// The nearest integer by a mode, and whether it is the value; none for a NaN or an infinity.
    pub fn to_integer(self, rounding: Rounding) -> Option<(i128, bool)> {
        let Value::Finite { sign, mantissa, exponent, rest } = self else { return None };
        if exponent >= 0 {
            let fits = mantissa == 0 || exponent < mantissa.leading_zeros() as i32 - 1;
            let magnitude = if fits { (mantissa << exponent.min(126)) as i128 } else { i128::MAX };
            return Some((if sign { -magnitude } else { magnitude }, !rest));
        }
        let shift = exponent.unsigned_abs();
        let (kept, half, below) = if shift > 127 {
            (0, false, mantissa != 0 || rest)
        } else {
            let below = mantissa & ((1 << (shift - 1)) - 1) != 0 || rest;
            (mantissa.checked_shr(shift).unwrap_or(0), mantissa >> (shift - 1) & 1 != 0, below)
        };
        let is_up = rounding.is_up(sign, kept & 1 != 0, half, below);
        let magnitude = (kept + u128::from(is_up)) as i128;
        Some((if sign { -magnitude } else { magnitude }, !half && !below))
    }
}
