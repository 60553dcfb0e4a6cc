//! Rounding by random bits, which are added to the bits of the `.f32` as an integer, or below the least normal number to
//! the multiple of the least number.

use super::{pairs, singles};
use crate::compute::tests::{Random, find, for_each};

/// A format: how many bits its fraction and its exponent have, and how many random bits each value gets.
#[derive(Clone, Copy)]
struct Format {
    fraction: u32,
    exponent: u32,
    n_random: u32,
    /// What is greatest, and what stands for no number.
    greatest: u64,
    nan: u64,
}

impl Format {
    /// The bits of a `.f32` in the format.
    fn of(self, bits: u64, random: u64, is_relu: bool) -> u64 {
        let Format { fraction, exponent, n_random, greatest, nan } = self;
        let (magnitude, is_negative) = (bits & 0x7FFF_FFFF, bits >> 31 != 0);
        if magnitude > 0x7F80_0000 {
            return nan;
        }
        if is_relu && is_negative {
            return 0;
        }
        let bias = (1 << (exponent - 1)) - 1;
        let rounded = if (magnitude >> 23) as i32 - 127 >= 1 - bias {
            let n_dropped = 23 - fraction;
            let sum = magnitude + (random << (n_dropped - n_random));
            (sum >> n_dropped) - ((127 - bias as u64) << fraction)
        } else {
            let least = f64::from(1 - bias - fraction as i32).exp2();
            let multiple = f64::from(f32::from_bits(magnitude as u32)) / least;
            (multiple + random as f64 / f64::from(n_random).exp2()).floor() as u64
        };
        rounded.min(greatest) | u64::from(is_negative) << (fraction + exponent)
    }
}

/// Random bits: none, all, and any.
fn randoms() -> impl Iterator<Item = u64> {
    let mut random = Random(11);
    std::iter::from_fn(move || {
        let any = random.next();
        Some(match any % 8 {
            0 => 0,
            1 => 0xFFFF_FFFF,
            _ => any >> 32,
        })
    })
}

#[test]
fn halves_are_rounded_by_their_own_bits() {
    let half = Format { fraction: 10, exponent: 5, n_random: 13, greatest: 0x7C00, nan: 0x7FFF };
    let upper = Format { fraction: 7, exponent: 8, n_random: 16, greatest: 0x7F80, nan: 0x7FFF };
    for (name, format) in [("f16x2", half), ("bf16x2", upper)] {
        for words in ["", ".relu", ".satfinite", ".relu.satfinite"] {
            let is_relu = words.contains("relu");
            let last = u64::from(words.contains("satfinite"));
            let format = Format { greatest: format.greatest - last, ..format };
            let mask = (1 << format.n_random) - 1;
            let operation = find(&format!("cvt.rs{words}.{name}.f32"));
            let operands = singles().zip(randoms()).map(|(bits, random)| [bits, bits ^ 0x8012_3456, random]);
            for_each(&operation, operands, |[high, low, random], found| {
                let [first, second] = [(high, random >> 16), (low, random)]
                    .map(|(bits, random)| format.of(bits, random & mask, is_relu));
                assert_eq!(found, [first << 16 | second], "{words}.{name} {high:#x} {low:#x} {random:#x}");
            });
        }
    }
}

/// The 16 bits of each of four values, the highest first, as they were measured.
fn shares(random: u64, is_e2m1: bool) -> [u64; 4] {
    let taken = |places: Vec<u32>| places.iter().fold(0, |bits, place| bits << 1 | random >> place & 1);
    let all = if is_e2m1 {
        [
            (8..16).chain(24..32).collect(),
            (24..32).rev().chain((8..16).rev()).collect(),
            (0..8).chain(16..24).collect(),
            (16..24).rev().chain((0..8).rev()).collect(),
        ]
    } else {
        [(16..32).collect(), (16..32).rev().collect(), (0..16).collect(), (0..16).rev().collect::<Vec<u32>>()]
    };
    all.map(taken)
}

#[test]
fn four_values_share_random_bits() {
    let format =
        |fraction, exponent, greatest, nan| Format { fraction, exponent, n_random: 16, greatest, nan };
    for (name, format) in [
        ("e4m3x4", format(3, 4, 0x7E, 0x7F)),
        ("e5m2x4", format(2, 5, 0x7B, 0x7F)),
        ("e2m3x4", format(3, 2, 0x1F, 0x1F)),
        ("e3m2x4", format(2, 3, 0x1F, 0x1F)),
        ("e2m1x4", format(1, 2, 0x07, 0x07)),
    ] {
        let width = if name == "e2m1x4" { 4 } else { 8 };
        for (relu, is_relu) in [("", false), (".relu", true)] {
            let operation = find(&format!("cvt.rs{relu}.satfinite.{name}.f32"));
            // Most `.f32`s are far beyond the numbers of these formats: the others are around one.
            let around_one = pairs().map(|[bits]| 0x3780_0000 + (bits & 0xFFFF) * 0xA73 % 0xC00_0000);
            let operands = singles()
                .chain(around_one)
                .zip(randoms())
                .map(|(bits, random)| [bits, bits ^ 0x8000_1234, bits ^ 0x0008_8888, 0x3FC1_2345, random]);
            for_each(&operation, operands, |[a, b, e, f, random], found| {
                let values = [a, b, e, f].into_iter().zip(shares(random, name == "e2m1x4"));
                let expected =
                    values.fold(0, |whole, (bits, random)| whole << width | format.of(bits, random, is_relu));
                assert_eq!(found, [expected], "{relu}{name} {a:#x} {b:#x} {e:#x} {random:#x}");
            });
        }
    }
}

/// Of all random bits, as many round up as the value is nearer to the number above.
#[test]
fn as_many_are_rounded_up_as_the_value_is_near() {
    let up = |instruction: &str, bits: u64, n_random: u32, low: u64| {
        let operation = find(instruction);
        let mut n_up = 0;
        for_each(&operation, (0..1 << n_random).map(|random| [bits, bits, random]), |_, found| {
            let value = found[0] & 0xFFFF;
            assert!(value == low || value == low + 1, "{instruction} {bits:#x}: {value:#x}");
            n_up += value - low;
        });
        n_up
    };
    // A quarter of the way from 1 to the next number, and from zero to the least one.
    assert_eq!(up("cvt.rs.bf16x2.f32", 0x3F80_4000, 16, 0x3F80), 1 << 14);
    assert_eq!(up("cvt.rs.f16x2.f32", 0x3F80_0800, 13, 0x3C00), 1 << 11);
    assert_eq!(up("cvt.rs.f16x2.f32", 0x3280_0000, 13, 0), 1 << 11);
    assert_eq!(up("cvt.rs.f16x2.f32", 0x3F80_0000, 13, 0x3C00), 0);
}
