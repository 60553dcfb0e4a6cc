//! The exact values of mathematical functions: from a function's name and its arguments, MPFR computes the
//! results as real numbers with more digits than any type has. What C leaves unspecified (C17 7.12, F.10) is
//! unspecified here.
//!
//! Not here: rounding to a type and comparing ([`super::error`]), and CUDA's bounds ([`super::bound`]).

use std::fmt;

use rug::Float;
use rug::float::{Constant, Round, Special};
use rug::ops::Pow;

use super::special;

/// The minimum precision of results in bits: three times that of `double`; some functions here lose a dozen
/// bits.
pub(super) const PRECISION: u32 = 160;

/// The precision that the sum of a product of two `double`s and a third may need.
const WHOLE: u32 = 4400;

/// An argument.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A floating-point number.
    Real(Float),
    /// An integer.
    Int(i128),
    /// An array of numbers.
    Reals(Vec<Float>),
}

/// One result of a call.
#[derive(Clone, Debug)]
pub enum Exact {
    /// A number, an infinity, a signed zero, or NaN, to be rounded to the type.
    Real(Float),
    /// A zero of either sign.
    Zero,
    /// An integer.
    Int(i128),
    /// The low three bits of an integer's magnitude, and its sign: the quotient of `remquo` (C17
    /// 7.12.10.3p2).
    Octant(i128),
    /// Unspecified.
    Open,
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exact::Real(value) => write!(f, "{value:.25e}"),
            Exact::Zero => write!(f, "0"),
            Exact::Int(value) => write!(f, "{value}"),
            Exact::Octant(value) => write!(f, "{value} modulo 8"),
            Exact::Open => write!(f, "anything"),
        }
    }
}

/// The exact meaning of a function, and the rounding of its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Its C name without the parts for the type: `sin` for `__sinf`.
    pub stem: String,
    /// The rounding of the result.
    pub rounding: Round,
    /// Whether the result is converted to an integer.
    to_int: bool,
}

/// CUDA's own names, and the C functions that they correspond to.
const ALIASES: &[(&str, &str)] = &[
    ("abs", "fabs"),
    ("max", "fmax"),
    ("min", "fmin"),
    ("fdivide", "div"),
    ("scalbn", "ldexp"),
    ("scalbln", "ldexp"),
    ("nearbyint", "rint"),
    ("llrint", "lrint"),
    ("llround", "lround"),
    ("dadd", "add"),
    ("fadd", "add"),
    ("dsub", "sub"),
    ("fsub", "sub"),
    ("dmul", "mul"),
    ("fmul", "mul"),
    ("ddiv", "div"),
    ("fdiv", "div"),
    ("drcp", "rcp"),
    ("frcp", "rcp"),
    ("dsqrt", "sqrt"),
    ("fsqrt", "sqrt"),
    ("frsqrt", "rsqrt"),
    ("fmaf", "fma"),
    ("fmaf_ieee", "fma"),
    ("$0 / $1", "div"),
    ("1.0f / $0", "rcp"),
    ("1.0f / sqrtf($0)", "rsqrt"),
    ("-$0", "neg"),
    ("(float)$0", "convert"),
    ("(double)$0", "convert"),
];

impl Meaning {
    /// The meaning of a name or an expression, if it only depends on the values of its arguments.
    pub fn of(name: &str, is_single: bool) -> Option<Meaning> {
        if name.starts_with('(') && name != "(float)$0" && name != "(double)$0" {
            let converts = name == "(int)$0" || name == "(unsigned long long)$0";
            return converts.then(|| Meaning { stem: "convert".into(), rounding: Round::Zero, to_int: true });
        }
        let name = name.trim_start_matches("__builtin_").trim_start_matches("__");
        let roundings =
            [("_rn", Round::Nearest), ("_rz", Round::Zero), ("_ru", Round::Up), ("_rd", Round::Down)];
        let directed = roundings
            .iter()
            .find_map(|&(suffix, rounding)| name.strip_suffix(suffix).map(|name| (name, rounding)));
        let (name, rounding) = directed.unwrap_or((name, Round::Nearest));
        if let Some((from, to)) = name.split_once('2').filter(|_| directed.is_some()) {
            let numbers = ["float", "double", "int", "uint", "ll", "ull"];
            let known = numbers.contains(&from) && numbers.contains(&to);
            let to_int = !["float", "double"].contains(&to);
            return known.then(|| Meaning { stem: "convert".into(), rounding, to_int });
        }
        let alias = |name: &str| {
            ALIASES
                .iter()
                .find(|(alias, _)| *alias == name)
                .map_or(name.to_owned(), |(_, stem)| (*stem).to_owned())
        };
        let whole = alias(name);
        let stems = [Some(whole), name.strip_suffix('f').filter(|_| is_single).map(alias)];
        let stem = stems.into_iter().flatten().find(|stem| is_known(stem))?;
        Some(Meaning { stem, rounding, to_int: false })
    }

    /// The results of a call: the return value, and values written through pointers.
    pub fn results(&self, args: &[Arg]) -> Vec<Exact> {
        let stem = self.stem.as_str();
        match args {
            [Arg::Real(x)] if self.to_int => vec![integral(x, self.rounding)],
            [Arg::Int(n)] => vec![Exact::Real(Float::with_val(PRECISION, *n))],
            [Arg::Real(x)] if ["j0", "j1", "y0", "y1"].contains(&stem) => {
                let (family, order) =
                    if stem.starts_with('j') { ("jn", stem == "j1") } else { ("yn", stem == "y1") };
                vec![special::bessel(family, order.into(), x)]
            }
            [Arg::Real(x)] => special::pair(stem, x)
                .or_else(|| integer_of(stem, x).map(|exact| vec![exact]))
                .or_else(|| of_one(stem, x).map(|real| vec![Exact::Real(real)]))
                .unwrap_or_default(),
            [Arg::Real(x), Arg::Int(n)] => vec![Exact::Real(scaled(x, *n))],
            [Arg::Int(n), Arg::Real(x)] => vec![special::bessel(stem, *n, x)],
            [Arg::Int(n), Arg::Reals(all)] => {
                let n = usize::try_from(*n).unwrap_or(0).min(all.len());
                vec![Exact::Real(norm(stem, &all[..n]))]
            }
            [Arg::Real(x), Arg::Real(y)] => of_two(stem, x, y, self.rounding),
            [Arg::Real(a), Arg::Real(b), Arg::Real(c)] if stem == "fma" => {
                vec![Exact::Real(sum(&product(a, b), c, self.rounding))]
            }
            reals => {
                let reals = reals.iter().filter_map(|arg| match arg {
                    Arg::Real(x) => Some(x.clone()),
                    Arg::Int(_) | Arg::Reals(_) => None,
                });
                vec![Exact::Real(norm(stem, &reals.collect::<Vec<_>>()))]
            }
        }
    }
}

/// Whether one of the functions below handles it.
fn is_known(stem: &str) -> bool {
    const OTHERS: &[&str] = &[
        "add",
        "sub",
        "mul",
        "div",
        "atan2",
        "pow",
        "hypot",
        "rhypot",
        "fmod",
        "remainder",
        "remquo",
        "fdim",
        "fmax",
        "fmin",
        "copysign",
        "nextafter",
        "ldexp",
        "jn",
        "yn",
        "fma",
        "norm3d",
        "norm4d",
        "rnorm3d",
        "rnorm4d",
        "norm",
        "rnorm",
        "convert",
        "j0",
        "j1",
        "y0",
        "y1",
    ];
    let one = Float::with_val(PRECISION, 1);
    OTHERS.contains(&stem)
        || special::pair(stem, &one).is_some()
        || integer_of(stem, &one).is_some()
        || of_one(stem, &one).is_some()
}

fn nan() -> Float {
    Float::with_val(PRECISION, Special::Nan)
}

pub(super) fn infinity() -> Float {
    Float::with_val(PRECISION, Special::Infinity)
}

/// The sign of `of`, and the magnitude of the other.
pub(super) fn signed(magnitude: Float, of: &Float) -> Float {
    if magnitude.is_sign_negative() == of.is_sign_negative() { magnitude } else { -magnitude }
}

/// A unary function, correctly rounded to [`PRECISION`], or nearly so.
fn of_one(stem: &str, x: &Float) -> Option<Float> {
    let x = Float::with_val(PRECISION, x);
    Some(match stem {
        "fabs" => x.abs(),
        "neg" => -x,
        "convert" => x,
        // For NaN it is 0: cuda-math-api "__saturatef".
        "saturate" if x.is_nan() || x <= 0 => Float::new(PRECISION),
        "saturate" => x.clamp(&0, &1),
        "ceil" => x.ceil(),
        "floor" => x.floor(),
        "trunc" => x.trunc(),
        "round" => x.round(),
        "rint" => x.round_even(),
        "logb" if x.is_normal() => {
            let exponent = x.get_exp().unwrap_or(0);
            Float::with_val(PRECISION, exponent - 1)
        }
        "logb" if x.is_zero() => -infinity(),
        "logb" => x.abs(),
        "rcp" => x.recip(),
        "sqrt" => x.sqrt(),
        // MPFR's function ignores the sign of zero.
        "rsqrt" if x.is_zero() => x.recip(),
        "rsqrt" => x.recip_sqrt(),
        "cbrt" => x.cbrt(),
        "rcbrt" => x.cbrt().recip(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "exp10" => x.exp10(),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "sinpi" => x.sin_pi(),
        "sin2pi" => x.sin_u(1),
        "cos2pi" => x.cos_u(1),
        "cospi" => x.cos_pi(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "asinh" => x.asinh(),
        "acosh" => x.acosh(),
        "atanh" => x.atanh(),
        "erf" => x.erf(),
        "erfc" => x.erfc(),
        "lgamma" => special::lgamma(x),
        "tgamma" => special::tgamma(x),
        "erfcx" => special::erfcx(x),
        "erfinv" => special::erfinv(x),
        "erfcinv" => special::erfcinv(x),
        "normcdf" => special::normcdf(x),
        "normcdfinv" => special::normcdfinv(x),
        "cyl_bessel_i0" => special::modified_bessel(0, &x),
        "cyl_bessel_i1" => special::modified_bessel(1, &x),
        _ => return None,
    })
}

/// A unary function with an integer result.
fn integer_of(stem: &str, x: &Float) -> Option<Exact> {
    let yes = |holds: bool| Exact::Int(i128::from(holds));
    Some(match stem {
        "isnan" => yes(x.is_nan()),
        "isinf" => yes(x.is_infinite()),
        "isfinite" => yes(x.is_finite()),
        "signbit" if x.is_nan() => Exact::Open,
        "signbit" => yes(x.is_sign_negative()),
        // cuda-math-api "ilogb".
        "ilogb" => Exact::Int(match x.get_exp() {
            Some(exponent) => i128::from(exponent - 1),
            None if x.is_infinite() => i128::from(i32::MAX),
            None => i128::from(i32::MIN),
        }),
        "lrint" => integral(&x.clone().round_even(), Round::Zero),
        "lround" => integral(&x.clone().round(), Round::Zero),
        _ => return None,
    })
}

/// A number rounded to an integer; unspecified if it is NaN or infinite (C17 6.3.1.4p1).
fn integral(x: &Float, rounding: Round) -> Exact {
    let integer = x.to_integer_round(rounding).and_then(|(integer, _)| integer.to_i128());
    integer.map_or(Exact::Open, Exact::Int)
}

/// `x` times a power of two.
fn scaled(x: &Float, n: i128) -> Float {
    let n = i32::try_from(n.clamp(-1 << 20, 1 << 20)).unwrap_or(0);
    Float::with_val(PRECISION, x) << n
}

/// The exact sum. The later rounding determines the sign of a zero (IEEE 754-2019 6.3).
fn sum(a: &Float, b: &Float, rounding: Round) -> Float {
    Float::with_val_round(WHOLE, a + b, rounding).0
}

fn product(a: &Float, b: &Float) -> Float {
    Float::with_val(WHOLE, a * b)
}

fn of_two(stem: &str, x: &Float, y: &Float, rounding: Round) -> Vec<Exact> {
    let is_nan = x.is_nan() || y.is_nan();
    let wide = Float::with_val(PRECISION, x);
    vec![Exact::Real(match stem {
        "add" => sum(x, y, rounding),
        "sub" => sum(x, &-y.clone(), rounding),
        "mul" => product(x, y),
        "div" => wide / y,
        "atan2" => wide.atan2(y),
        "pow" => wide.pow(y),
        "hypot" | "rhypot" => norm(stem, &[x.clone(), y.clone()]),
        "fmod" => wide % y,
        "remainder" => wide.remainder(y),
        "remquo" => return remquo(&wide, y),
        "fdim" if is_nan => nan(),
        "fdim" if x > y => Float::with_val(WHOLE, x - y),
        "fdim" => Float::new(PRECISION),
        "fmax" | "fmin" if x.is_zero() && y.is_zero() && x.is_sign_negative() != y.is_sign_negative() => {
            return vec![Exact::Zero];
        }
        "fmax" if x.is_nan() || x < y => y.clone(),
        "fmin" if x.is_nan() || x > y => y.clone(),
        "fmax" | "fmin" => wide,
        // MPFR does not store the sign of NaN.
        "copysign" if y.is_nan() => return vec![Exact::Open],
        "copysign" => signed(wide, y),
        "nextafter" if is_nan => nan(),
        "nextafter" if x == y => y.clone(),
        "nextafter" if x.prec() == f32::MANTISSA_DIGITS => {
            let x = x.to_f32();
            Float::with_val(PRECISION, if *y > x { x.next_up() } else { x.next_down() })
        }
        "nextafter" => {
            let x = x.to_f64();
            Float::with_val(PRECISION, if *y > x { x.next_up() } else { x.next_down() })
        }
        _ => return Vec::new(),
    })]
}

/// The remainder, and the low bits of the quotient: from the remainder by eight divisors, which is exact.
fn remquo(x: &Float, y: &Float) -> Vec<Exact> {
    let remainder = x.clone().remainder(y);
    if !remainder.is_finite() || y.is_infinite() {
        let quotient = if remainder.is_finite() { Exact::Octant(0) } else { Exact::Open };
        return vec![Exact::Real(remainder), quotient];
    }
    let eight = Float::with_val(PRECISION, y * 8_u32);
    let quotient = (x.clone() % &eight - &remainder) / y;
    let quotient = quotient.to_integer().and_then(|it| it.to_i128()).unwrap_or(0);
    let octant = quotient.signum() * (quotient.abs() % 8);
    vec![Exact::Real(remainder), Exact::Octant(octant)]
}

/// The norm of a vector, or its reciprocal: infinite if a component is (C17 F.10.4.3).
fn norm(stem: &str, components: &[Float]) -> Float {
    let length = if components.iter().any(Float::is_infinite) {
        infinity()
    } else {
        let sum = components.iter().fold(Float::new(WHOLE), |sum, it| sum + product(it, it));
        Float::with_val(PRECISION, sum.sqrt())
    };
    if stem.starts_with('r') { length.recip() } else { length }
}

/// Pi.
pub(super) fn pi() -> Float {
    Float::with_val(PRECISION, Constant::Pi)
}
