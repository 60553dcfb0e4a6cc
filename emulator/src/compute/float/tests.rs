//! Every operation against LLVM's soft floating point, as `rustc_apfloat` has it.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float as Reference, FloatConvert, Round};

use super::exact::{BF16, F16, F32, F64, Format, Rounding, Value};
use crate::compute::tests::Random;

const MODES: [(Rounding, Round); 5] = [
    (Rounding::Nearest, Round::NearestTiesToEven),
    (Rounding::NearestAway, Round::NearestTiesToAway),
    (Rounding::Zero, Round::TowardZero),
    (Rounding::Down, Round::TowardNegative),
    (Rounding::Up, Round::TowardPositive),
];

impl Random {
    /// Bits of a format: any, or with an exponent near that of one, or near an edge.
    fn bits(&mut self, format: Format) -> u64 {
        let width = 1 + format.fraction + format.exponent;
        let mask = u64::MAX >> (64 - width);
        let any = self.next() & mask;
        let edges = edges(format);
        match self.next() % 4 {
            0 => any,
            1 => edges[(any % edges.len() as u64) as usize],
            2 => {
                let exponent = (1 << (format.exponent - 1)) - 4 + self.next() % 8;
                any & !(((1 << format.exponent) - 1) << format.fraction) | exponent << format.fraction
            }
            // Few bits set, so that there are ties.
            _ => any & (mask << (format.fraction - self.next() as u32 % 4)) & mask,
        }
    }
}

/// Zeros, ones, the least and the greatest numbers, infinities, a NaN, and their neighbours.
fn edges(format: Format) -> Vec<u64> {
    let infinity = ((1_u64 << format.exponent) - 1) << format.fraction;
    let one = ((1_u64 << (format.exponent - 1)) - 1) << format.fraction;
    let normal = 1_u64 << format.fraction;
    let sign = 1_u64 << (format.fraction + format.exponent);
    let magnitudes = [
        0,
        1,
        2,
        3,
        normal - 1,
        normal,
        normal + 1,
        one - 1,
        one,
        one + 1,
        infinity - 1,
        infinity,
        format.nan(),
    ];
    magnitudes.iter().flat_map(|&bits| [bits, bits | sign]).collect()
}

/// NaNs are compared as such: PTX has one alone.
fn same<R: Reference>(found: u64, expected: R, format: Format) -> bool {
    if expected.is_nan() { found == format.nan() } else { u128::from(found) == expected.to_bits() }
}

fn check_arithmetic<R: Reference + std::fmt::Display>(format: Format, n: usize) {
    let mut random = Random(u64::from(format.fraction));
    let edges = edges(format);
    let pairs = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b))).collect::<Vec<_>>();
    for idx in 0..n {
        let (a, b) = pairs.get(idx).copied().unwrap_or_else(|| (random.bits(format), random.bits(format)));
        let c = random.bits(format);
        let (x, y, z) = (format.value(a), format.value(b), format.value(c));
        let [ra, rb, rc] = [a, b, c].map(|bits| R::from_bits(u128::from(bits)));
        for (mode, round) in MODES {
            let cases = [
                ("+", x.plus(y, mode), ra.add_r(rb, round).value),
                ("-", x.plus(y.negated(), mode), ra.sub_r(rb, round).value),
                ("*", x.times(y), ra.mul_r(rb, round).value),
                ("/", x.over(y), ra.div_r(rb, round).value),
                ("fma", x.times(y).plus(z, mode), ra.mul_add_r(rb, rc, round).value),
            ];
            for (name, value, expected) in cases {
                let found = format.round(value, mode);
                assert!(
                    same(found, expected, format),
                    "{ra} {name} {rb}, {rc} ({a:#x}, {b:#x}, {c:#x}) {mode:?}: {found:#x}, not {:#x}",
                    expected.to_bits()
                );
            }
        }
    }
}

#[test]
fn halves_are_rounded_as_llvm_does_it() {
    check_arithmetic::<Half>(F16, 60_000);
}

#[test]
fn upper_halves_are_rounded_as_llvm_does_it() {
    check_arithmetic::<BFloat>(BF16, 60_000);
}

#[test]
fn single_numbers_are_rounded_as_llvm_does_it() {
    check_arithmetic::<Single>(F32, 60_000);
}

#[test]
fn double_numbers_are_rounded_as_llvm_does_it() {
    check_arithmetic::<Double>(F64, 60_000);
}

/// `value * value` is at most the square, and that of the next number is not.
#[test]
fn roots_are_the_nearest() {
    let mut random = Random(1);
    for _ in 0..40_000 {
        let a = random.bits(F64);
        let x = f64::from_bits(a);
        let found = F64.round(F64.value(a).sqrt(), Rounding::Nearest);
        let root = x.sqrt().to_bits();
        // Of bits, since an optimiser takes one NaN for another.
        let expected = if F64.is_nan(root) { F64.nan() } else { root };
        assert_eq!(found, expected, "{x}");
        if x > 0.0 && x.is_finite() {
            let [down, up] = [Rounding::Down, Rounding::Up].map(|mode| F64.round(F64.value(a).sqrt(), mode));
            assert!(up - down <= 1 && (found == down || found == up), "{x}");
            let square = |bits: u64| F64.value(bits).times(F64.value(bits));
            assert!(square(down).compare(F64.value(a)).is_some_and(|order| order.is_le()), "{x}");
            assert!(square(up).compare(F64.value(a)).is_some_and(|order| order.is_ge()), "{x}");
        }
    }
}

#[test]
fn formats_are_converted_as_llvm_does_it() {
    let mut random = Random(2);
    let mut lost = false;
    for _ in 0..60_000 {
        let bits = random.bits(F64);
        let reference = Double::from_bits(u128::from(bits));
        let value = F64.value(bits);
        for (mode, round) in MODES {
            let single: Single = reference.convert_r(round, &mut lost).value;
            let half: Half = reference.convert_r(round, &mut lost).value;
            let upper: BFloat = reference.convert_r(round, &mut lost).value;
            assert!(same(F32.round(value, mode), single, F32), "{reference} {mode:?}");
            assert!(same(F16.round(value, mode), half, F16), "{reference} {mode:?}");
            assert!(same(BF16.round(value, mode), upper, BF16), "{reference} {mode:?}");
        }
    }
}

#[test]
fn integers_are_those_of_llvm() {
    let mut random = Random(3);
    for _ in 0..60_000 {
        let bits = random.bits(F64);
        let reference = Double::from_bits(u128::from(bits));
        let Some(_) = F64.value(bits).to_integer(Rounding::Zero) else { continue };
        for (mode, round) in MODES {
            let mut is_exact = false;
            let expected = reference.to_i128_r(100, round, &mut is_exact).value;
            let limit = 1_i128 << 99;
            let found = F64.value(bits).to_integer(mode).map(|(integer, _)| integer.clamp(-limit, limit - 1));
            assert_eq!(found, Some(expected), "{reference} {mode:?}");
        }
    }
    for (value, mode, expected) in
        [(i128::from(u64::MAX), Rounding::Zero, 0x5F7F_FFFF), (16_777_217, Rounding::Up, 0x4B80_0001)]
    {
        assert_eq!(F32.round(Value::integer(value), mode), expected);
    }
}
