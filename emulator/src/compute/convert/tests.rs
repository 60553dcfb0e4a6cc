//! Conversions to and from the formats of eight bits and less, every value there is; those to half precision with `.relu`
//! and `.satfinite`.

mod stochastic;

use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float as Reference, FloatConvert, Round};

use crate::compute::tests::{find, for_each};

const NEAREST: Round = Round::NearestTiesToEven;

/// The halves of a word for every one of them, another one in the upper half.
fn pairs() -> impl Iterator<Item = [u64; 1]> {
    (0..=0xFFFF_u64).map(|bits| [(bits.reverse_bits() >> 48) << 16 | bits])
}

/// `.f32`s: all upper halves, with some lower ones.
fn singles() -> impl Iterator<Item = u64> {
    (0..=0xFFFF_u64).flat_map(|high| [0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF].map(|low| high << 16 | low))
}

/// The same value in another format, which has to hold it or rounds.
fn converted<A: Reference + FloatConvert<B>, B: Reference>(value: A, rounding: Round) -> B {
    value.convert_r(rounding, &mut false).value
}

fn bits_of(value: impl Reference) -> u64 {
    value.to_bits() as u64
}

/// The bits of a conversion with `.relu` and `.satfinite`, which gives the greatest number in place of infinity, or of
/// what an overflow became.
fn finished<A: Reference, B: Reference>(from: A, made: B, is_relu: bool, is_finite: bool, nan: u64) -> u64 {
    if from.is_nan() {
        nan
    } else if is_relu && from.is_negative() {
        0
    } else if is_finite && !made.is_finite() {
        bits_of(if from.is_negative() { -B::largest() } else { B::largest() })
    } else {
        bits_of(made)
    }
}

fn check_to_small<B: Reference>(name: &str, is_relu: bool)
where
    Half: FloatConvert<B>,
    BFloat: FloatConvert<B>,
    Single: FloatConvert<B>,
{
    fn of<A: Reference + FloatConvert<B>, B: Reference>(bits: u64, is_relu: bool) -> u64 {
        let value = A::from_bits(bits.into());
        finished(value, converted::<A, B>(value, NEAREST), is_relu, true, 0x7F)
    }
    let relu = if is_relu { ".relu" } else { "" };
    let find = |from: &str| find(&format!("cvt.rn.satfinite{relu}.{name}.{from}"));
    for_each(&find("f16x2"), pairs(), |[bits], found| {
        let [low, high] = [bits & 0xFFFF, bits >> 16].map(|bits| of::<Half, B>(bits, is_relu));
        assert_eq!(found, [high << 8 | low], "{name} of halves {bits:#x}");
    });
    for_each(&find("bf16x2"), pairs(), |[bits], found| {
        let [low, high] = [bits & 0xFFFF, bits >> 16].map(|bits| of::<BFloat, B>(bits, is_relu));
        assert_eq!(found, [high << 8 | low], "{name} of upper halves {bits:#x}");
    });
    let one = of::<Single, B>(0x3F80_0000, false);
    for_each(&find("f32"), singles().map(|bits| [bits, 0x3F80_0000]), |[bits, _], found| {
        assert_eq!(found, [of::<Single, B>(bits, is_relu) << 8 | one], "{name} of {bits:#x}");
    });
}

#[test]
fn bytes_are_made_as_llvm_makes_them() {
    for is_relu in [false, true] {
        check_to_small::<Float8E4M3FN>("e4m3x2", is_relu);
        check_to_small::<Float8E5M2>("e5m2x2", is_relu);
    }
}

fn check_from_small<A: Reference + FloatConvert<Half> + FloatConvert<BFloat>>(name: &str) {
    fn of<A: Reference + FloatConvert<B>, B: Reference>(bits: u64, is_relu: bool, is_finite: bool) -> u64 {
        let value = A::from_bits(bits.into());
        finished(value, converted::<A, B>(value, NEAREST), is_relu, is_finite, 0x7FFF)
    }
    for (words, is_relu, is_finite) in
        [("", false, false), (".relu", true, false), (".satfinite", false, true)]
    {
        for_each(&find(&format!("cvt.rn{words}.bf16x2.{name}")), pairs(), |[bits], found| {
            let [low, high] =
                [bits & 0xFF, bits >> 8 & 0xFF].map(|bits| of::<A, BFloat>(bits, is_relu, is_finite));
            assert_eq!(found, [high << 16 | low], "{words} bf16x2 of {name} {bits:#x}");
        });
        if is_finite {
            continue;
        }
        for_each(&find(&format!("cvt.rn{words}.f16x2.{name}")), pairs(), |[bits], found| {
            let [low, high] = [bits & 0xFF, bits >> 8 & 0xFF].map(|bits| of::<A, Half>(bits, is_relu, false));
            assert_eq!(found, [high << 16 | low], "{words} f16x2 of {name} {bits:#x}");
        });
    }
}

#[test]
fn bytes_are_read_as_llvm_reads_them() {
    check_from_small::<Float8E4M3FN>("e4m3x2");
    check_from_small::<Float8E5M2>("e5m2x2");
}

/// A number by the power of two, rounded once.
fn by_factor(value: f64, exponent: u64, is_relu: bool, is_finite: bool) -> u64 {
    let factor = if exponent == 255 { f64::NAN } else { (exponent as f64 - 127.0).exp2() };
    let product = Double::from_bits((value * factor).to_bits().into());
    finished(product, converted::<Double, BFloat>(product, NEAREST), is_relu, is_finite, 0x7FFF)
}

#[test]
fn factors_multiply_the_operand() {
    fn byte<A: Reference + FloatConvert<Double>>(bits: u64) -> f64 {
        f64::from_bits(bits_of(converted::<A, Double>(A::from_bits(bits.into()), NEAREST)))
    }
    fn small(numbers: Vec<f64>) -> impl Fn(u64) -> f64 {
        move |bits| {
            let n_numbers = numbers.len() as u64;
            let number = numbers[(bits % n_numbers) as usize];
            if bits / n_numbers % 2 == 1 { -number } else { number }
        }
    }
    type Value = Box<dyn Fn(u64) -> f64>;
    let formats: [(&str, u32, Value); 6] = [
        ("e4m3x2", 8, Box::new(byte::<Float8E4M3FN>)),
        ("e5m2x2", 8, Box::new(byte::<Float8E5M2>)),
        ("e2m3x2", 6, Box::new(small(numbers(8, 0.125, 32)))),
        ("e3m2x2", 6, Box::new(small(numbers(4, 0.0625, 32)))),
        ("e2m1x2", 4, Box::new(small(numbers(2, 0.5, 8)))),
        ("s2f6x2", 8, Box::new(|bits| (bits as f64 - if bits > 127 { 256.0 } else { 0.0 }) / 64.0)),
    ];
    for (name, n_bits, value) in formats {
        let shift = if n_bits == 4 { 4 } else { 8 };
        for (words, is_relu, is_finite) in [
            ("", false, false),
            (".relu", true, false),
            (".satfinite", false, true),
            (".satfinite.relu", true, true),
        ] {
            let scaled = find(&format!("cvt.rn{words}.scaled::n2::ue8m0.bf16x2.{name}"));
            let all = (0..1_u64 << n_bits).flat_map(|bits| (0..256_u64).map(move |factor| (bits, factor)));
            let operands = all.map(|(bits, factor)| [bits << shift | bits, (255 - factor) << 8 | factor]);
            for_each(&scaled, operands, |[a, factors], found| {
                let [low, high] = [factors & 0xFF, factors >> 8]
                    .map(|factor| by_factor(value(a & ((1 << shift) - 1)), factor, is_relu, is_finite));
                assert_eq!(found, [high << 16 | low], "{words} {name} {a:#x} by {factors:#x}");
            });
            // One by itself is as by the factor one.
            let plain = find(&format!("cvt.rn{words}.bf16x2.{name}"));
            for_each(&plain, (0..1_u64 << n_bits).map(|bits| [bits]), |[a], found| {
                let [low, high] = [a, 0].map(|bits| by_factor(value(bits), 127, is_relu, is_finite));
                assert_eq!(found, [high << 16 | low], "{words} {name} {a:#x}");
            });
        }
    }
}

/// The numbers of a format without infinity, by their bits: those of the first two exponents are as far from one another as
/// the least is from zero, and with each further exponent twice as far.
fn numbers(n_fractions: usize, least: f64, n_numbers: usize) -> Vec<f64> {
    let mut numbers = vec![0.0];
    for idx in 1..n_numbers {
        let exponent = (idx - 1) / n_fractions;
        numbers.push(numbers[idx - 1] + least * (1 << exponent.saturating_sub(1)) as f64);
    }
    numbers
}

/// The number of the nearest, of two that are as near the even one.
fn nearest(numbers: &[f64], value: f64) -> u64 {
    // Beyond the greatest all are as far.
    let value = value.abs().min(1000.0);
    let distance = |idx: &usize| (numbers[*idx] - value).abs();
    let order = |a: &usize, b: &usize| distance(a).total_cmp(&distance(b)).then((a % 2).cmp(&(b % 2)));
    (0..numbers.len()).min_by(order).unwrap_or_default() as u64
}

fn half_of(bits: u64) -> f64 {
    let value: Double = converted(Half::from_bits(bits.into()), NEAREST);
    f64::from_bits(bits_of(value))
}

#[test]
fn six_and_four_bits_hold_the_nearest_number() {
    // The first numbers, and the greatest, are worked out by hand.
    let formats = [
        ("e2m1x2", numbers(2, 0.5, 8), 4),
        ("e2m3x2", numbers(8, 0.125, 32), 8),
        ("e3m2x2", numbers(4, 0.0625, 32), 8),
    ];
    let by_hand: [(&[f64], f64); 3] = [
        (&[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0], 6.0),
        (&[0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0, 1.125], 7.5),
        (&[0.0, 0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.625], 28.0),
    ];
    for ((name, numbers, width), (first, last)) in formats.into_iter().zip(by_hand) {
        assert_eq!((&numbers[..first.len()], numbers.last()), (first, Some(&last)), "{name}");
        let greatest = numbers.len() as u64 - 1;
        for (relu, is_relu) in [("", false), (".relu", true)] {
            let of = |value: f64| match () {
                () if value.is_nan() => greatest,
                () if is_relu && value.is_sign_negative() => 0,
                () => nearest(&numbers, value) | if value.is_sign_negative() { greatest + 1 } else { 0 },
            };
            let from = |ty: &str| find(&format!("cvt.rn.satfinite{relu}.{name}.{ty}"));
            for_each(&from("f32"), singles().map(|bits| [bits, 0x3F80_0000]), |[bits, _], found| {
                let value = f64::from(f32::from_bits(bits as u32));
                assert_eq!(found, [of(value) << width | of(1.0)], "{name} of {value}");
            });
            for_each(&from("f16x2"), pairs(), |[bits], found| {
                let [low, high] = [bits & 0xFFFF, bits >> 16].map(|bits| of(half_of(bits)));
                assert_eq!(found, [high << width | low], "{name} of halves {bits:#x}");
            });
            for_each(&from("bf16x2"), pairs(), |[bits], found| {
                let [low, high] =
                    [bits << 16, bits & 0xFFFF_0000].map(|bits| of(f32::from_bits(bits as u32).into()));
                assert_eq!(found, [high << width | low], "{name} of upper halves {bits:#x}");
            });
            let value = |bits: u64| {
                let value = numbers[(bits & greatest) as usize];
                match bits > greatest {
                    true if is_relu => 0.0,
                    true => -value,
                    false => value,
                }
            };
            let n_values = 2 * (greatest + 1);
            let all = (0..n_values).flat_map(|low| (0..n_values).map(move |high| [high << width | low]));
            for_each(&find(&format!("cvt.rn{relu}.f16x2.{name}")), all.clone(), |[bits], found| {
                let [low, high] = [found[0] & 0xFFFF, found[0] >> 16].map(half_of);
                let expected = [bits & ((1 << width) - 1), bits >> width].map(value);
                assert_eq!([low, high].map(f64::to_bits), expected.map(f64::to_bits), "{name} {bits:#x}");
            });
            for_each(&find(&format!("cvt.rn{relu}.satfinite.bf16x2.{name}")), all, |[bits], found| {
                let [low, high] = [found[0] << 16, found[0] & 0xFFFF_0000]
                    .map(|bits| f64::from(f32::from_bits(bits as u32)));
                let expected = [bits & ((1 << width) - 1), bits >> width].map(value);
                assert_eq!([low, high].map(f64::to_bits), expected.map(f64::to_bits), "{name} {bits:#x}");
            });
        }
    }
}

/// The number next to zero.
fn truncated(numbers: &[f64], value: f64) -> u64 {
    numbers.iter().rposition(|&number| number <= value.abs()).unwrap_or_default() as u64
}

#[test]
fn towards_zero_is_the_lesser_number() {
    let formats = [
        ("e4m3x2", numbers(8, 2_f64.powi(-9), 127), 8, 0x7F, 0x7F),
        ("e5m2x2", numbers(4, 2_f64.powi(-16), 124), 8, 0x7F, 0x7F),
        ("e2m3x2", numbers(8, 0.125, 32), 8, 0x1F, 0x1F),
        ("e3m2x2", numbers(4, 0.0625, 32), 8, 0x1F, 0x1F),
        ("e2m1x2", numbers(2, 0.5, 8), 4, 7, 7),
    ];
    for (name, numbers, width, nan, mask) in formats {
        for (relu, is_relu) in [("", false), (".relu", true)] {
            let of = |value: f64| match () {
                () if value.is_nan() => nan,
                () if is_relu && value.is_sign_negative() => 0,
                () => truncated(&numbers, value) | if value.is_sign_negative() { mask + 1 } else { 0 },
            };
            let from = |ty: &str| find(&format!("cvt.rz.satfinite{relu}.{name}.{ty}"));
            for_each(&from("f32"), singles().map(|bits| [bits, 0x3F80_0000]), |[bits, _], found| {
                let value = f64::from(f32::from_bits(bits as u32));
                assert_eq!(found, [of(value) << width | of(1.0)], "{name} of {value}");
            });
            for_each(&from("f16x2"), pairs(), |[bits], found| {
                let [low, high] = [bits & 0xFFFF, bits >> 16].map(|bits| of(half_of(bits)));
                assert_eq!(found, [high << width | low], "{name} of halves {bits:#x}");
            });
        }
    }
}

#[test]
fn magnitudes_have_no_sign_and_no_infinity() {
    // The greatest, and the number that would be next.
    let numbers = numbers(8, 2_f64.powi(-17), 257);
    assert_eq!(numbers[254..256], [114_688.0, 122_880.0]);
    for (rounding, is_finite) in ["rn", "rz", "rp"].into_iter().flat_map(|it| [(it, false), (it, true)]) {
        let of = |value: f64| {
            let value = value.abs();
            let made = match rounding {
                _ if value.is_nan() => return 255,
                _ if value.is_infinite() => 255,
                "rz" => truncated(&numbers[..255], value),
                "rp" => numbers[..255].iter().position(|&number| number >= value).unwrap_or(255) as u64,
                _ if value >= 122_880.0 => 255,
                _ => {
                    numbers.windows(2).position(|pair| value < (pair[0] + pair[1]) / 2.0).map_or(255, |at| {
                        at as u64 - u64::from(at % 2 == 1 && value == (numbers[at] + numbers[at - 1]) / 2.0)
                    })
                }
            };
            if is_finite { made.min(254) } else { made }
        };
        let words = if is_finite { ".satfinite" } else { "" };
        let from = |ty: &str| find(&format!("cvt.{rounding}{words}.ue5m3x2.{ty}"));
        for_each(&from("f32"), singles().map(|bits| [bits, 0x3F80_0000]), |[bits, _], found| {
            let value = f64::from(f32::from_bits(bits as u32));
            assert_eq!(found, [of(value) << 8 | of(1.0)], "{rounding}{words} of {value}");
        });
        for_each(&from("bf16x2"), pairs(), |[bits], found| {
            let [low, high] =
                [bits << 16, bits & 0xFFFF_0000].map(|bits| of(f32::from_bits(bits as u32).into()));
            assert_eq!(found, [high << 8 | low], "{rounding}{words} of upper halves {bits:#x}");
        });
    }
    for_each(&find("cvt.rn.bf16x2.ue5m3x2"), (0..255_u64).map(|bits| [bits << 8 | bits]), |[bits], found| {
        let values =
            [found[0] << 16, found[0] & 0xFFFF_0000].map(|bits| f64::from(f32::from_bits(bits as u32)));
        assert_eq!(values, [numbers[(bits & 0xFF) as usize]; 2], "{bits:#x}");
    });
    for_each(&find("cvt.rn.f16x2.ue5m3x2"), [[0xFFFE_u64], [0xF7F8]], |[bits], found| {
        // No number, infinity, the greatest half that there is here, and what is above all halves.
        let expected = if bits == 0xFFFE { 0x7FFF_7C00 } else { 0x7B80_7C00 };
        assert_eq!(found, [expected], "{bits:#x}");
    });
}

#[test]
fn exponents_are_those_of_the_magnitude() {
    for (rounding, is_up) in [("rz", false), ("rp", true)] {
        for (words, is_finite) in [("", false), (".satfinite", true)] {
            let expected = |value: f32| {
                let exponent = f64::from(value.abs()).log2();
                let exponent = (if is_up { exponent.ceil() } else { exponent.floor() }).max(-127.0);
                match exponent >= 128.0 {
                    _ if value.is_nan() => 255,
                    true => {
                        if is_finite {
                            254
                        } else {
                            255
                        }
                    }
                    false => (exponent + 127.0) as u64,
                }
            };
            let find = |from: &str| find(&format!("cvt.{rounding}{words}.ue8m0x2.{from}"));
            for_each(&find("f32"), singles().map(|bits| [bits, 0x3F80_0000]), |[bits, _], found| {
                let value = f32::from_bits(bits as u32);
                assert_eq!(found, [expected(value) << 8 | 127], "{rounding}{words} {value:e}");
            });
            for_each(&find("bf16x2"), pairs(), |[bits], found| {
                let [low, high] =
                    [bits << 16, bits & 0xFFFF_0000].map(|bits| expected(f32::from_bits(bits as u32)));
                assert_eq!(found, [high << 8 | low], "{rounding}{words} {bits:#x}");
            });
        }
    }
    for_each(&find("cvt.rn.bf16x2.ue8m0x2"), pairs().map(|[bits]| [bits & 0xFFFF]), |[bits], found| {
        let power = |exponent: u64| match exponent {
            255 => 0x7FFF,
            _ => u64::from(((exponent as f64 - 127.0).exp2() as f32).to_bits() >> 16),
        };
        assert_eq!(found, [power(bits >> 8) << 16 | power(bits & 0xFF)], "{bits:#x}");
    });
}

/// `.relu` and `.satfinite` of conversions to half precision.
#[test]
fn halves_are_made_as_llvm_makes_them() {
    fn check<B: Reference>(name: &str)
    where
        Single: FloatConvert<B>,
    {
        for (rounding, round) in [("rn", NEAREST), ("rz", Round::TowardZero)] {
            for words in ["", ".relu", ".satfinite", ".relu.satfinite"] {
                let expected = |bits: u64| {
                    let value = Single::from_bits(bits.into());
                    let (is_relu, is_finite) = (words.contains("relu"), words.contains("satfinite"));
                    finished(value, converted::<_, B>(value, round), is_relu, is_finite, 0x7FFF)
                };
                let one = find(&format!("cvt.{rounding}{words}.{name}.f32"));
                for_each(&one, singles().map(|bits| [bits]), |[bits], found| {
                    assert_eq!(found, [expected(bits)], "{name} {rounding}{words} {bits:#x}");
                });
                let two = find(&format!("cvt.{rounding}{words}.{name}x2.f32"));
                for_each(&two, singles().map(|bits| [bits, bits ^ 0x8000_0001]), |[high, low], found| {
                    let expected = expected(high) << 16 | expected(low);
                    assert_eq!(found, [expected], "{name}x2 {rounding}{words} {high:#x}");
                });
            }
        }
    }
    check::<Half>("f16");
    check::<BFloat>("bf16");
}

/// The upper 19 bits of a `.f32`, by its bits.
#[test]
fn short_singles_lose_their_lower_bits() {
    for rounding in ["rn", "rz", "rna"] {
        for words in ["", ".satfinite", ".relu", ".relu.satfinite"] {
            if rounding == "rna" && words.contains("relu") {
                continue;
            }
            let near = |bits: u64| [bits, bits | 0x1000, bits & !0x3FFF | 0x1000].map(|bits| [bits]);
            let operation = find(&format!("cvt.{rounding}{words}.tf32.f32"));
            for_each(&operation, singles().flat_map(near), |[bits], found| {
                let magnitude = bits & 0x7FFF_FFFF;
                let half = match rounding {
                    "rz" => 0,
                    "rna" => 0x1000,
                    _ => 0xFFF + (magnitude >> 13 & 1),
                };
                let expected = match (magnitude + half) & !0x1FFF {
                    _ if magnitude > 0x7F80_0000 => 0x7FFF_E000,
                    _ if bits >> 31 != 0 && words.contains("relu") => 0,
                    0x7F80_0000 if words.contains("satfinite") => 0x7F7F_E000 | bits & 0x8000_0000,
                    rounded => rounded | bits & 0x8000_0000,
                };
                assert_eq!(found, [expected], "{rounding}{words} {bits:#x}");
            });
        }
    }
}

/// As ptxas has it.
#[test]
fn rejects_misplaced_modifiers() {
    let is_known = |text: &str| {
        let words: Vec<&str> = text.split('.').collect();
        super::operation("cvt", &words).is_some()
    };
    for text in [
        "u8.s8",
        "sat.u8.s8",
        "rn.f16.s8",
        "rzi.ftz.sat.s32.f32",
        "bf16.f16",
        "rz.bf16.f16",
        "rni.f32.f32",
        "rs.f16x2.f32",
        "rs.relu.satfinite.bf16x2.f32",
        "rs.satfinite.relu.bf16x2.f32",
        "rs.satfinite.e2m1x4.f32",
        "rzi.s8.bf16",
    ] {
        assert!(is_known(text), "{text}");
    }
    for text in [
        "sat.u16.u8",
        "rn.u8.s8",
        "f16.s8",
        "rn.bf16.s8",
        "rn.sat.bf16.f32",
        "s32.f32",
        "rn.s32.f32",
        "rn.rzi.s32.f32",
        "rzi.rzi.s32.f32",
        "rni.rzi.s32.f32",
        "rzi.ftz.s32.f64",
        "rn.f64.f32",
        "f32.f64",
        "rna.f16.f32",
        "rn.f32.f32",
        "relu.f16.f32",
        "rp.relu.f16.f32",
        "rn.relu.sat.f16.f32",
        "rn.relu.f32.f64",
        "rn.NaN.f16.f32",
        "rn.e4m3x2.f32",
        "satfinite.e4m3x2.f32",
        "rn.satfinite.e4m3x2.f64",
        "rn.satfinite.f16x2.e4m3x2",
        "rn.ue8m0x2.f32",
        "rna.relu.tf32.f32",
        "rs.f16.f32",
        "rs.bf16.f32",
        "rs.tf32.f32",
        "rs.f16x2.f64",
        "rs.ftz.f16x2.f32",
        "rs.rn.f16x2.f32",
        "rs.e4m3x4.f32",
        "rs.relu.e4m3x4.f32",
        "rs.satfinite.e4m3x2.f32",
        "rs.satfinite.ue8m0x4.f32",
        "rs.satfinite.e4m3x4.f16",
        "rn.satfinite.e4m3x4.f32",
        "rp.f16x2.f32",
        "rn.relu.ue5m3x2.f32",
        "rn.satfinite.f16x2.ue5m3x2",
        "rp.satfinite.e4m3x2.f32",
    ] {
        assert!(!is_known(text), "{text}");
    }
}
