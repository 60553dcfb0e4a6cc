//! CUDA's error bounds: the figures of "Mathematical Functions" in the CUDA C++ Programming Guide 13.0, its
//! tables 17 and 18 for functions, 21 and 22 for intrinsics, and 20 for what `-use_fast_math` replaces.

use std::fmt;

/// The options that bounds depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// `-use_fast_math`: some functions use fewer instructions.
    pub is_fast: bool,
    /// `-ftz=true`
    pub flushes: bool,
    /// `-prec-div=true`
    pub divides_precisely: bool,
    /// `-prec-sqrt=true`
    pub takes_roots_precisely: bool,
    /// `-fmad=true`
    pub fuses: bool,
}

impl Options {
    /// The options of a command line.
    pub fn of(text: &str) -> Options {
        let has = |option: &str| text.split_whitespace().any(|it| it == option);
        let is_fast = has("-use_fast_math");
        Options {
            is_fast,
            flushes: has("-ftz=true") || (is_fast && !has("-ftz=false")),
            divides_precisely: has("-prec-div=true") || !(is_fast || has("-prec-div=false")),
            takes_roots_precisely: has("-prec-sqrt=true") || !(is_fast || has("-prec-sqrt=false")),
            fuses: !has("-fmad=false"),
        }
    }
}

/// The bound for one call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// This many units in the last place.
    Ulps(u64),
    /// An absolute error.
    Absolute(f64),
    /// A relative error.
    Relative(f64),
    /// The guide specifies none.
    None,
}

/// The bounds of a function by argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Everywhere.
    Everywhere(Bound),
    /// One bound if the first argument's absolute value is in a closed interval, and another elsewhere.
    Between(f64, f64, Bound, Bound),
    /// The same for the second argument.
    SecondBetween(f64, f64, Bound, Bound),
    /// A bound outside an interval of the first argument.
    Outside(f64, f64, Bound),
    /// This many units, plus one for each multiple of a step in the first argument's absolute value.
    Growing(u64, f64),
    /// For Bessel functions of order 128 only.
    OfOrder128(Bound),
    /// `ynf`: a number of units that grows with the order if the argument is less than the order; otherwise
    /// another bound.
    BelowOrder(Bound),
    /// `yn`: if the argument is more than one and a half times the order.
    AboveOrder(Bound),
}

impl Rule {
    /// The bound of a call with these numbers.
    pub fn of(self, args: &[f64]) -> Bound {
        let arg = |idx: usize| args.get(idx).map_or(f64::NAN, |it| it.abs());
        match self {
            Rule::Everywhere(bound) => bound,
            Rule::Between(low, high, inside, outside) => {
                if (low..=high).contains(&arg(0)) {
                    inside
                } else {
                    outside
                }
            }
            Rule::SecondBetween(low, high, inside, outside) => {
                if (low..=high).contains(&arg(1)) {
                    inside
                } else {
                    outside
                }
            }
            Rule::Outside(low, high, bound) => {
                let is_inside = args.first().is_some_and(|it| (low..=high).contains(it));
                if is_inside { Bound::None } else { bound }
            }
            // The result for an infinity is exact.
            Rule::Growing(ulps, factor) => {
                Bound::Ulps(ulps.saturating_add((factor * arg(0)).floor().min(1e18) as u64))
            }
            Rule::OfOrder128(bound) => {
                if arg(0) == 128.0 {
                    bound
                } else {
                    Bound::None
                }
            }
            Rule::BelowOrder(above) => {
                if arg(1) < arg(0) {
                    Bound::Ulps((2.0 + 2.5 * arg(0)).ceil() as u64)
                } else {
                    above
                }
            }
            Rule::AboveOrder(bound) => {
                if arg(1) > 1.5 * arg(0) {
                    bound
                } else {
                    Bound::None
                }
            }
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Ulps(ulps) => write!(f, "{ulps}"),
            Bound::Absolute(bound) => write!(f, "{bound:.1e} absolute"),
            Bound::Relative(bound) => write!(f, "{bound:.1e} relative"),
            Bound::None => write!(f, "none"),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short =
            |value: f64| if value == 0.0 { "0".into() } else { format!("2^{}", value.log2().round()) };
        match self {
            Rule::Everywhere(bound) => write!(f, "{bound}"),
            Rule::Between(low, high, inside, outside) if *low == 0.0 && *high > 7.9 => {
                write!(f, "{inside} if abs(x) < 8, else {outside}")
            }
            Rule::Between(low, high, inside, outside) if *low == 0.0 => {
                write!(f, "{inside} if abs(x) <= {high:.4}, else {outside}")
            }
            Rule::Between(low, high, inside, outside) => {
                write!(f, "{inside} if {low} <= x <= {high}, else {outside}")
            }
            Rule::SecondBetween(low, high, inside, outside) => {
                write!(f, "{inside} if {} <= abs(y) <= {}, else {outside}", short(*low), short(*high))
            }
            Rule::Outside(low, high, bound) => write!(f, "{bound} outside {low} … {high}"),
            Rule::Growing(ulps, factor) => write!(f, "{ulps} + floor({factor} abs(x))"),
            Rule::OfOrder128(bound) => write!(f, "{bound} if n = 128"),
            Rule::BelowOrder(above) => write!(f, "ceil(2 + 2.5 n) if abs(x) < n, else {above}"),
            Rule::AboveOrder(bound) => write!(f, "{bound} if abs(x) > 1.5 n"),
        }
    }
}

/// Functions with one bound for all arguments: for `float`, and for `double`.
const PLAIN: &[(&str, u64, u64)] = &[
    ("cbrt", 1, 1),
    ("rcbrt", 1, 1),
    ("hypot", 3, 2),
    ("rhypot", 2, 1),
    ("norm3d", 3, 2),
    ("rnorm3d", 2, 1),
    ("norm4d", 3, 2),
    ("rnorm4d", 2, 1),
    ("rsqrt", 2, 1),
    ("exp", 2, 1),
    ("exp2", 2, 1),
    ("exp10", 2, 1),
    ("expm1", 1, 1),
    ("log", 1, 1),
    ("log2", 1, 1),
    ("log10", 2, 1),
    ("log1p", 1, 1),
    ("sin", 2, 2),
    ("cos", 2, 2),
    ("tan", 4, 2),
    ("sincos", 2, 2),
    ("sinpi", 1, 2),
    ("cospi", 1, 2),
    ("sincospi", 1, 2),
    ("asin", 2, 2),
    ("acos", 2, 2),
    ("atan", 2, 2),
    ("atan2", 3, 2),
    ("sinh", 3, 2),
    ("cosh", 2, 1),
    ("tanh", 2, 1),
    ("asinh", 3, 3),
    ("acosh", 4, 3),
    ("atanh", 3, 2),
    ("pow", 4, 2),
    ("erf", 2, 2),
    ("erfc", 4, 5),
    ("erfinv", 2, 5),
    ("erfcinv", 4, 6),
    ("erfcx", 4, 4),
    ("normcdf", 5, 5),
    ("normcdfinv", 5, 8),
    ("tgamma", 5, 10),
    ("cyl_bessel_i0", 6, 6),
    ("cyl_bessel_i1", 6, 6),
];

/// 2^-21.41
const SINE: f64 = 3.588_787_907e-7;
/// 2^-21.19
const COSINE: f64 = 4.179_981_810e-7;

/// The rule for a function's result; `is_second` selects the second result of `sincos`. `stem` is the name
/// without its type.
pub fn rule(name: &str, stem: &str, is_single: bool, is_second: bool, options: Options) -> Rule {
    const PI: f64 = std::f64::consts::PI;
    let name = name.trim_start_matches("__builtin_");
    // Table 20.
    let replaced = ["sin", "cos", "tan", "sincos", "log", "log2", "log10", "exp", "exp10", "pow", "tanh"];
    let is_intrinsic = is_single && (name.starts_with("__") || (options.is_fast && replaced.contains(&stem)));
    let everywhere = |ulps| Rule::Everywhere(Bound::Ulps(ulps));
    // Table 21.
    if is_intrinsic && replaced.contains(&stem) {
        let logarithm = |near, ulps| Rule::Between(0.5, 2.0, Bound::Absolute(near), Bound::Ulps(ulps));
        return match stem {
            "exp" => Rule::Growing(2, 1.173),
            "exp10" => Rule::Growing(2, 2.97),
            "log" => logarithm(SINE, 3),
            "log2" => logarithm(2.0_f64.powi(-22), 2),
            "log10" => logarithm(2.0_f64.powi(-24), 3),
            "cos" => Rule::Between(0.0, PI, Bound::Absolute(COSINE), Bound::None),
            "sincos" if is_second => Rule::Between(0.0, PI, Bound::Absolute(COSINE), Bound::None),
            "sin" | "sincos" => Rule::Between(0.0, PI, Bound::Absolute(SINE), Bound::None),
            "tanh" => Rule::Everywhere(Bound::Relative(2.0_f64.powi(-11))),
            _ => Rule::Everywhere(Bound::None),
        };
    }
    let far = Bound::Absolute(if is_single { 2.2e-6 } else { 5e-12 });
    let near = Bound::Ulps(if is_single { 9 } else { 7 });
    match stem {
        "div" if name.starts_with("__fdividef") => {
            Rule::SecondBetween(2.0_f64.powi(-126), 2.0_f64.powi(126), Bound::Ulps(2), Bound::None)
        }
        // `fdividef` is division, or `__fdividef` with -use_fast_math; so is the operator with
        // -use_fast_math.
        "div" if is_single && !name.starts_with("__") && options.is_fast && !options.divides_precisely => {
            Rule::SecondBetween(2.0_f64.powi(-126), 2.0_f64.powi(126), Bound::Ulps(2), Bound::None)
        }
        "div" if is_single && !name.starts_with("__") && !options.divides_precisely => everywhere(2),
        "rcp" if is_single && !name.starts_with("__") && !options.divides_precisely => everywhere(1),
        "sqrt" if is_single && !name.starts_with("__") && !options.takes_roots_precisely => everywhere(1),
        "rsqrt" if name.starts_with("__") => everywhere(0),
        // Two operations, unless the compiler fuses them.
        "rsqrt" if name.starts_with("1.0f") && options.divides_precisely => Rule::Everywhere(Bound::None),
        "j0" | "j1" | "y0" | "y1" => Rule::Between(0.0, 8.0_f64.next_down(), near, far),
        "jn" => Rule::OfOrder128(far),
        "yn" if is_single => Rule::BelowOrder(far),
        "yn" => Rule::AboveOrder(far),
        "lgamma" if is_single => Rule::Outside(-10.001, -2.264, Bound::Ulps(6)),
        "lgamma" => Rule::Outside(-23.0001, -2.2637, Bound::Ulps(4)),
        // Newer than the guide.
        "sin2pi" | "cos2pi" | "sincos2pi" => Rule::Everywhere(Bound::None),
        "norm" | "rnorm" => Rule::Everywhere(Bound::None),
        _ => {
            let row = PLAIN.iter().find(|(name, ..)| *name == stem);
            everywhere(row.map_or(0, |&(_, single, double)| if is_single { single } else { double }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_options_replace_functions() {
        let fast = Options::of("-use_fast_math");
        let plain = Options::of("");
        assert_eq!(rule("sinf", "sin", true, false, plain), Rule::Everywhere(Bound::Ulps(2)));
        assert_eq!(rule("sinf", "sin", true, false, fast).of(&[1.0]), Bound::Absolute(SINE));
        assert_eq!(rule("sinf", "sin", true, false, fast).of(&[4.0]), Bound::None);
        assert_eq!(rule("__expf", "exp", true, false, plain).of(&[-10.0]), Bound::Ulps(13));
        assert_eq!(rule("sin", "sin", false, false, fast), Rule::Everywhere(Bound::Ulps(2)));
        assert!((SINE.log2() + 21.41).abs() < 1e-3 && (COSINE.log2() + 21.19).abs() < 1e-3);
    }

    #[test]
    fn later_options_overrule_fast_ones() {
        let options = Options::of("-use_fast_math -ftz=false -prec-div=true");
        assert!(options.is_fast && !options.flushes && options.divides_precisely);
        assert!(!options.takes_roots_precisely && options.fuses);
    }

    #[test]
    fn bounds_end_where_the_guide_ends_them() {
        let lgamma = rule("lgamma", "lgamma", false, false, Options::of(""));
        assert_eq!([lgamma.of(&[-3.5]), lgamma.of(&[3.5])], [Bound::None, Bound::Ulps(4)]);
        let ynf = rule("ynf", "yn", true, false, Options::of(""));
        assert_eq!([ynf.of(&[3.0, 2.0]), ynf.of(&[3.0, 4.0])], [Bound::Ulps(10), Bound::Absolute(2.2e-6)]);
    }
}
