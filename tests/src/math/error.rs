//! The error of a result: in units in the last place, as CUDA's guide counts them ("Mathematical Functions":
//! the distance to the correctly rounded result), and as a number.

use rug::Float;
use rug::float::Round;

use super::exact::{Exact, PRECISION};

/// The error in units in the last place of a result of another kind: a number instead of a NaN, or the other
/// way round.
pub const OTHER_KIND: u64 = u64::MAX;

/// The error of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Error {
    /// The distance to the correctly rounded result, in representable numbers.
    pub ulps: u64,
    /// The difference from the exact result.
    pub absolute: f64,
    /// The difference relative to the exact result.
    pub relative: f64,
}

impl Error {
    const NONE: Error = Error { ulps: 0, absolute: 0.0, relative: 0.0 };
    const KIND: Error = Error { ulps: OTHER_KIND, absolute: f64::INFINITY, relative: f64::INFINITY };
}

/// The type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `float`
    Single,
    /// `double`
    Double,
    /// An integer type, by its minimum and maximum.
    Integer(i128, i128),
}

impl Format {
    /// The format of the type with this name.
    pub fn of(ty: &str) -> Format {
        match ty {
            "float" => Format::Single,
            "double" => Format::Double,
            "bool" => Format::Integer(0, 1),
            "int" => Format::Integer(i32::MIN.into(), i32::MAX.into()),
            "unsigned int" => Format::Integer(0, u32::MAX.into()),
            "unsigned long long" => Format::Integer(0, u64::MAX.into()),
            _ => Format::Integer(i64::MIN.into(), i64::MAX.into()),
        }
    }

    /// The number that a word of the type represents.
    pub fn number(self, word: u64) -> Float {
        match self {
            // Conversion preserves NaN.
            Format::Single => Float::with_val(24, f32::from_bits(word as u32)),
            Format::Double => Float::with_val(53, f64::from_bits(word)),
            Format::Integer(..) => Float::with_val(64, self.integer(word)),
        }
    }

    /// The integer that a word of the type represents.
    pub fn integer(self, word: u64) -> i128 {
        match self {
            Format::Integer(least, _) if least < 0 => i128::from(word as i64),
            _ => i128::from(word),
        }
    }

    /// The word's rank among the numbers of the type; both zeros have the same.
    fn place(self, word: u64) -> i128 {
        let sign = match self {
            Format::Single => 1 << 31,
            _ => 1 << 63,
        };
        let size = i128::from(word & (sign - 1));
        if word & sign == 0 { size } else { -size }
    }

    /// A value rounded to the type, as a word. (MPFR's own conversions round subnormal numbers twice.)
    fn rounded(self, value: &Float, rounding: Round) -> u64 {
        let (digits, least, unit, greatest) = match self {
            Format::Single => (24, f32::MIN_EXP, f64::from(f32::from_bits(1)), f64::from(f32::MAX)),
            _ => (53, f64::MIN_EXP, f64::from_bits(1), f64::MAX),
        };
        let nearest = match value.get_exp() {
            None => value.to_f64(),
            Some(exponent) => {
                // The last digit of a subnormal number is fixed.
                let n_digits = (digits - (least - exponent).max(0)).max(1) as u32;
                let rounded = Float::with_val_round(n_digits, value, rounding).0;
                let sign = if value.is_sign_negative() { -1.0 } else { 1.0 };
                let away = rounding == Round::Up && sign > 0.0 || rounding == Round::Down && sign < 0.0;
                let size = value.clone().abs();
                if size < unit {
                    let is_more_than_half =
                        rounding == Round::Nearest && Float::with_val(PRECISION, &size * 2_u32) > unit;
                    if away || is_more_than_half { sign * unit } else { sign * 0.0 }
                } else if rounded.clone().abs() > greatest {
                    if away || rounding == Round::Nearest { sign * f64::INFINITY } else { sign * greatest }
                } else {
                    rounded.to_f64()
                }
            }
        };
        match self {
            Format::Single => u64::from((nearest as f32).to_bits()),
            _ => nearest.to_bits(),
        }
    }

    /// Whether it is smaller than all normal numbers of the type.
    pub fn is_tiny(self, value: &Float) -> bool {
        let least = if self == Format::Single { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
        !value.is_zero() && !value.is_nan() && value.clone().abs() < least
    }
}

/// The error of a word. With `flushes`, zero is correct for each subnormal `float`.
pub fn error(word: u64, exact: &Exact, format: Format, rounding: Round, flushes: bool) -> Error {
    match exact {
        Exact::Open => Error::NONE,
        Exact::Int(_) | Exact::Octant(_) => {
            let Format::Integer(least, greatest) = format else { return Error::KIND };
            let found = format.integer(word);
            let is_right = match *exact {
                // Saturated: cuda-math-api "Type Casting Intrinsics".
                Exact::Int(value) => found == value.clamp(least, greatest),
                Exact::Octant(octant) => {
                    found.abs() % 8 == octant.abs() && (octant == 0 || found.signum() == octant.signum())
                }
                Exact::Real(_) | Exact::Zero | Exact::Open => false,
            };
            if is_right { Error::NONE } else { Error::KIND }
        }
        Exact::Zero => {
            if format.place(word) == 0 {
                Error::NONE
            } else {
                Error::KIND
            }
        }
        Exact::Real(value) => {
            let found = format.number(word);
            if value.is_nan() || found.is_nan() {
                return if value.is_nan() && found.is_nan() { Error::NONE } else { Error::KIND };
            }
            let right = format.rounded(value, rounding);
            let flushes = flushes && format == Format::Single;
            let is_zero = value.is_zero() || (flushes && format.is_tiny(value));
            if is_zero && found.is_zero() {
                let same_sign = value.is_sign_negative() == found.is_sign_negative();
                return if same_sign { Error::NONE } else { Error::KIND };
            }
            let ulps = u64::try_from((format.place(word) - format.place(right)).abs()).unwrap_or(OTHER_KIND);
            if ulps == 0 {
                // The sign of zero matters.
                let is_same = word == right || format.place(word) != 0;
                return if is_same { Error { ulps, ..differences(&found, value) } } else { Error::KIND };
            }
            Error { ulps, ..differences(&found, value) }
        }
    }
}

fn differences(found: &Float, exact: &Float) -> Error {
    if found.is_infinite() && exact.is_infinite() {
        return Error::NONE;
    }
    let absolute = Float::with_val(PRECISION, found - exact).abs();
    let relative =
        if absolute.is_zero() { 0.0 } else { Float::with_val(PRECISION, &absolute / exact).abs().to_f64() };
    Error { ulps: 0, absolute: absolute.to_f64(), relative }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(word: f32, exact: f64) -> Error {
        let exact = Exact::Real(Float::with_val(PRECISION, exact));
        error(word.to_bits().into(), &exact, Format::Single, Round::Nearest, false)
    }

    #[test]
    fn a_unit_is_the_distance_to_the_next_number() {
        assert_eq!(of(1.0, 1.0).ulps, 0);
        assert_eq!(of(1.0_f32.next_up(), 1.0).ulps, 1);
        assert_eq!(of(1.0_f32.next_down(), 1.0 + 2.0_f64.powi(-25)).ulps, 1);
        assert_eq!(of(f32::MAX, 1e39).ulps, 1);
        assert_eq!(of(f32::from_bits(1), -1e-45).ulps, 2);
    }

    #[test]
    fn rounding_is_that_of_the_processor() {
        for bits in [
            0x3690_0000_0000_0000_u64,
            0x3690_0000_0000_0001,
            0x3685_5555_5555_5555,
            0x47ef_ffff_efff_ffff,
            0x47ef_ffff_f000_0000,
            0x3801_2345_6789_abcd,
            0x380f_ffff_ffff_ffff,
            0x3ff0_0000_1000_0000,
            0x36a8_0000_0000_0000,
        ] {
            for value in [f64::from_bits(bits), -f64::from_bits(bits)] {
                let exact = Float::with_val(PRECISION, value);
                let word = Format::Single.rounded(&exact, Round::Nearest);
                assert_eq!(word, u64::from((value as f32).to_bits()), "{value:e}");
                assert_eq!(Format::Double.rounded(&exact, Round::Zero), value.to_bits());
            }
        }
        let single = |value: f64, rounding| {
            f32::from_bits(Format::Single.rounded(&Float::with_val(PRECISION, value), rounding) as u32)
        };
        assert_eq!([single(1e39, Round::Zero), single(-1e39, Round::Up)], [f32::MAX, f32::MIN]);
        assert_eq!([single(1e39, Round::Up), single(-1e39, Round::Down)], [f32::INFINITY, f32::NEG_INFINITY]);
        assert_eq!([single(1e-50, Round::Up), single(1e-50, Round::Down)], [f32::from_bits(1), 0.0]);
        assert_eq!([single(1.2e-45, Round::Down), single(2.0e-45, Round::Zero)], [0.0, f32::from_bits(1)]);
    }

    #[test]
    fn other_kinds_and_signs_of_zeros_count() {
        assert_eq!(of(f32::NAN, 1.0).ulps, OTHER_KIND);
        assert_eq!(of(0.0, -0.0).ulps, OTHER_KIND);
        assert_eq!(of(0.0, f64::NAN).ulps, OTHER_KIND);
        assert_eq!(of(f32::NAN, f64::NAN).ulps, 0);
    }

    #[test]
    fn flushed_values_are_zero() {
        let exact = Exact::Real(Float::with_val(PRECISION, -1e-40));
        let flushed =
            |word: f32| error(word.to_bits().into(), &exact, Format::Single, Round::Nearest, true).ulps;
        assert_eq!(flushed(-0.0), 0);
        assert_eq!(flushed(-1e-40), 0);
        assert_eq!(flushed(0.0), OTHER_KIND);
    }

    #[test]
    fn integers_saturate() {
        let int =
            |word: u64, value| error(word, &Exact::Int(value), Format::of("int"), Round::Zero, false).ulps;
        assert_eq!(int(i32::MAX as u64, 1 << 40), 0);
        assert_eq!(int(i64::from(-5_i32) as u64, -5), 0);
        assert_eq!(int(4, 5), OTHER_KIND);
    }
}
