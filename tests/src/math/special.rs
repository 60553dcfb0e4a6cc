//! Functions that MPFR lacks, computed with those that it has, and special cases in which C or CUDA differ
//! from it.

use std::cmp::Ordering;

use rug::Float;
use rug::float::Special;

use super::exact::{Exact, PRECISION, infinity, pi, signed};

fn real(value: f64) -> Float {
    Float::with_val(PRECISION, value)
}

fn nan() -> Float {
    Float::with_val(PRECISION, Special::Nan)
}

/// A unary function with two results.
pub(super) fn pair(stem: &str, x: &Float) -> Option<Vec<Exact>> {
    let x = Float::with_val(PRECISION, x);
    let reals = |a: Float, b: Float| Some(vec![Exact::Real(a), Exact::Real(b)]);
    match stem {
        "sincos" => reals(x.clone().sin(), x.cos()),
        "sincos2pi" => reals(x.clone().sin_u(1), x.cos_u(1)),
        "sincospi" => reals(x.clone().sin_pi(), x.cos_pi()),
        // C17 7.12.6.12: the integral part has the argument's sign, too.
        "modf" if x.is_infinite() => reals(signed(Float::new(PRECISION), &x), x),
        "modf" => {
            let whole = x.clone().trunc();
            let fraction = Float::with_val(PRECISION, &x - &whole).abs();
            reals(signed(fraction, &x), whole)
        }
        // C17 7.12.6.4
        "frexp" => Some(match x.get_exp() {
            Some(exponent) => vec![Exact::Real(x >> exponent), Exact::Int(i128::from(exponent))],
            None if x.is_zero() => vec![Exact::Real(x), Exact::Int(0)],
            None => vec![Exact::Real(x), Exact::Open],
        }),
        _ => None,
    }
}

/// A Bessel function of an integer order; NaN for a negative order (cuda-math-api "jn", "yn").
pub(super) fn bessel(stem: &str, order: i128, x: &Float) -> Exact {
    let Some(order) = i32::try_from(order).ok().filter(|order| *order >= 0) else {
        return Exact::Real(nan());
    };
    if x.is_infinite() && (stem == "jn" || x.is_sign_positive()) {
        return Exact::Zero;
    }
    let x = Float::with_val(PRECISION, x);
    Exact::Real(if stem == "jn" { x.jn(order) } else { x.yn(order) })
}

pub(super) fn lgamma(x: Float) -> Float {
    x.ln_abs_gamma().0
}

pub(super) fn tgamma(x: Float) -> Float {
    // Too small for any type, and slow to compute.
    if x < -2000 && x.is_finite() && !x.is_integer() {
        let below = x.floor().to_integer().unwrap_or_default();
        return if below.is_odd() { real(-0.0) } else { real(0.0) };
    }
    x.gamma()
}

/// `exp(x * x) * erfc(x)`
pub(super) fn erfcx(x: Float) -> Float {
    if x.is_nan() || x.is_infinite() {
        return if x.is_nan() {
            x
        } else if x.is_sign_negative() {
            infinity()
        } else {
            real(0.0)
        };
    }
    let square = Float::with_val(PRECISION, x.square_ref());
    // Above this, the exponential function overflows even in MPFR.
    if x < 2e4 {
        return if x < -2e4 { infinity() } else { square.exp() * x.erfc() };
    }
    // Abramowitz and Stegun 7.1.23: (1 - s + 3 s^2 - 15 s^3 + ...) / (x sqrt(pi)), s = 1 / (2 x^2).
    let s = (square * 2_u32).recip();
    let mut sum = real(1.0);
    let mut term = real(1.0);
    for n in 0..8_u32 {
        term = -term * &s * (2 * n + 1);
        sum += &term;
    }
    sum / (x * pi().sqrt())
}

/// The `x` for which `erf(x)` is the argument.
pub(super) fn erfinv(x: Float) -> Float {
    let size = x.clone().abs();
    if x.is_zero() || x.is_nan() {
        return x;
    }
    if size >= 0.5 {
        return signed(erfcinv(Float::with_val(PRECISION, 1 - size)), &x);
    }
    // Newton's method, starting with the first term of the series.
    let slope = pi().sqrt() / 2_u32;
    let mut y = Float::with_val(PRECISION, &x * &slope);
    for _ in 0..64 {
        let error = y.clone().erf() - &x;
        let square = Float::with_val(PRECISION, y.square_ref());
        let step = error * &slope * square.exp();
        y -= &step;
        if is_negligible(&step, &y) {
            break;
        }
    }
    y
}

/// The `x` for which `erfc(x)` is `q`.
pub(super) fn erfcinv(q: Float) -> Float {
    match (q.partial_cmp(&0), q.partial_cmp(&2)) {
        (Some(Ordering::Equal), _) => return infinity(),
        (_, Some(Ordering::Equal)) => return -infinity(),
        (Some(Ordering::Greater), Some(Ordering::Less)) => {}
        _ => return nan(),
    }
    if q > 1 {
        return -erfcinv(Float::with_val(PRECISION, 2 - q));
    }
    if q > 0.5 {
        return erfinv(Float::with_val(PRECISION, 1 - q));
    }
    // Newton's method on logarithms: log(erfc) is concave, so that each step stays on one side.
    let target = Float::with_val(PRECISION, q.ln_ref());
    let mut y = Float::with_val(PRECISION, -&target).sqrt();
    let factor = pi().sqrt() / 2_u32;
    for _ in 0..200 {
        let erfc = Float::with_val(PRECISION, y.erfc_ref());
        let error = Float::with_val(PRECISION, erfc.ln_ref()) - &target;
        let square = Float::with_val(PRECISION, y.square_ref());
        let step = error * &factor * square.exp() * erfc;
        y += &step;
        if is_negligible(&step, &y) {
            break;
        }
    }
    y
}

/// Whether a step changes no relevant digit: the next one would be the square of it.
fn is_negligible(step: &Float, of: &Float) -> bool {
    match (step.get_exp(), of.get_exp()) {
        (Some(step), Some(of)) => of - step > PRECISION as i32 / 2 + 8,
        _ => true,
    }
}

/// The cumulative distribution function of the normal distribution.
pub(super) fn normcdf(x: Float) -> Float {
    let root = real(2.0).sqrt();
    (-x / root).erfc() / 2_u32
}

/// The inverse of the normal distribution's cumulative distribution function.
pub(super) fn normcdfinv(p: Float) -> Float {
    let root = real(2.0).sqrt();
    if p == 0.5 {
        return real(0.0);
    }
    -erfcinv(p * 2_u32) * root
}

/// The modified Bessel function of the first kind, by its series, whose terms are all positive.
pub(super) fn modified_bessel(order: u32, x: &Float) -> Float {
    let x = Float::with_val(PRECISION, x);
    if x.is_nan() {
        return x;
    }
    let size = x.clone().abs();
    // Greater than all numbers of any type.
    if size > 800 {
        return if order == 1 { signed(infinity(), &x) } else { infinity() };
    }
    let quarter = Float::with_val(PRECISION, x.square_ref()) / 4_u32;
    let mut term = if order == 1 { x / 2_u32 } else { real(1.0) };
    let mut sum = term.clone();
    for k in 1..10_000_u32 {
        term = term * &quarter / (k * (k + order));
        sum += &term;
        match (term.get_exp(), sum.get_exp()) {
            (Some(term), Some(sum)) if sum - term <= PRECISION as i32 => {}
            _ => break,
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Float, b: f64) {
        assert!((a.to_f64() - b).abs() <= b.abs() * 1e-15, "{a} is not {b}");
    }

    // The values are from Abramowitz and Stegun's tables, and from identities.
    #[test]
    fn functions_made_of_others_have_the_values_of_tables() {
        near(erfcx(real(1.0)), 0.427_583_576_155_807);
        near(erfcx(real(1e7)), 5.641_895_835_477_534e-8);
        near(modified_bessel(0, &real(1.0)), 1.266_065_877_752_008_4);
        near(modified_bessel(1, &real(1.0)), 0.565_159_103_992_485);
        near(normcdf(real(1.0)), 0.841_344_746_068_542_9);
        near(normcdfinv(real(0.975)), 1.959_963_984_540_054);
        near(erfcx(real(19_999.999)) / erfcx(real(20_000.001)), 1.000_000_100_000_004_8);
    }

    #[test]
    fn inverses_invert() {
        for q in [1e-300, 1e-20, 1e-3, 0.3, 0.5, 0.7, 1.0 - 1e-16, 1.0, 1.5, 1.999, 2.0 - 1e-15] {
            let back = erfcinv(real(q)).erfc();
            let error = (Float::with_val(PRECISION, &back / q) - 1_u32).abs();
            assert!(error < 1e-40, "erfc(erfcinv({q})) is {back}");
        }
        for x in [1e-300, 1e-8, 0.2, 0.49, 0.5, 0.8, 1.0 - 1e-16, -0.3] {
            let back = erfinv(real(x)).erf();
            let error = (Float::with_val(PRECISION, &back / x) - 1_u32).abs();
            assert!(error < 1e-40, "erf(erfinv({x})) is {back}");
        }
    }

    #[test]
    fn functions_of_infinities_and_of_nothing() {
        assert_eq!(erfcinv(real(0.0)), infinity());
        assert!(erfcinv(real(2.5)).is_nan() && erfcinv(nan()).is_nan());
        assert_eq!(erfcx(-infinity()), infinity());
        assert_eq!(modified_bessel(1, &-infinity()), -infinity());
        assert_eq!(modified_bessel(0, &real(0.0)), 1);
    }
}
