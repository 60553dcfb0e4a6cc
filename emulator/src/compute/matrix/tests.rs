//! Numbers and sums. What products are made of whole matrices, `exec/tests/matrix` shows.

use super::fragment::Element;
use super::numbers::{integer, number, rounded_sum};

#[test]
fn elements_have_their_values() {
    let cases = [
        (Element::F16, 0x3C00, 1.0),
        (Element::F16, 0x0001, 2.0_f64.powi(-24)),
        (Element::F16, 0xFBFF, -65504.0),
        (Element::F16, 0xFC00, f64::NEG_INFINITY),
        (Element::Bf16, 0x0001, 2.0_f64.powi(-133)),
        (Element::Bf16, 0xC0A0, -5.0),
        // The lower bits of `.tf32` do not count.
        (Element::Tf32, 0x3F80_1FFF, 1.0),
        (Element::Tf32, 0x3F80_2000, 1.0 + 2.0_f64.powi(-10)),
        (Element::E4m3, 0x7E, 448.0),
        (Element::E4m3, 0x81, -(2.0_f64.powi(-9))),
        (Element::E5m2, 0x7B, 57344.0),
        (Element::E5m2, 0x01, 2.0_f64.powi(-16)),
        (Element::E5m2, 0x7C, f64::INFINITY),
    ];
    for (element, bits, expected) in cases {
        assert_eq!(number(element, bits).to_bits(), expected.to_bits(), "{element:?} {bits:#x}");
    }
    let nans =
        [(Element::F16, 0x7C01), (Element::Bf16, 0x7FFF), (Element::E4m3, 0xFF), (Element::E5m2, 0x7D)];
    assert!(nans.iter().all(|&(element, bits)| number(element, bits).is_nan()));
    let integers = [(Element::S8, 0x80), (Element::U8, 0x80), (Element::S4, 0xF), (Element::U4, 0xF)];
    assert_eq!(integers.map(|(element, bits)| integer(element, bits)), [-128, 128, -1, 15]);
}

fn sum(element: Element, terms: &[f64]) -> u64 {
    rounded_sum(element, terms.iter().copied())
}

fn f32_sum(terms: &[f64]) -> f32 {
    f32::from_bits(sum(Element::F32, terms) as u32)
}

#[test]
fn sums_are_exact_and_rounded_once() {
    let two = |exponent: i32| 2.0_f64.powi(exponent);
    // What goes away and comes back.
    assert_eq!(f32_sum(&[two(250), 1.0, -two(250), two(-200)]), 1.0);
    assert_eq!(f32_sum(&[two(250), -two(-140), -two(250)]), -(two(-140) as f32));
    // Half of the last bit of 1, to even; and more than half by very little, which `f64` would lose.
    assert_eq!(f32_sum(&[1.0, two(-24)]), 1.0);
    assert_eq!(f32_sum(&[1.0, two(-24), two(-200)]), 1.0 + f32::EPSILON);
    assert_eq!(f32_sum(&[-1.0, -two(-24), two(-260)]), -1.0);
    assert_eq!(f32_sum(&[-1.0, -two(-24), -two(-260)]), -1.0 - f32::EPSILON);
    // Rounded to `.f32` before, it would be another number in `.f16`.
    assert_eq!(sum(Element::F16, &[1.0, two(-11), two(-40)]), 0x3C01);
    assert_eq!(sum(Element::F16, &[1.0, two(-11)]), 0x3C00);
    assert_eq!(f32_sum(&[two(200), two(150)]), f32::INFINITY);
    assert_eq!(f32_sum(&[two(-272); 4]), 0.0);
    assert_eq!(f32_sum(&[two(-149), two(-150)]), 2.0 * f32::from_bits(1));
    assert_eq!(sum(Element::F16, &[65504.0, 16.0]), 0x7C00);
}

#[test]
fn nans_stay_nans() {
    let infinity = f64::INFINITY;
    assert_eq!(sum(Element::F32, &[infinity, 1.0, -infinity]), 0x7FFF_FFFF);
    assert_eq!(sum(Element::F16, &[f64::NAN, 1.0]), 0x7FFF);
    assert_eq!(f32_sum(&[1.0, -infinity, 2.0_f64.powi(-200)]), f32::NEG_INFINITY);
    // Zeros have signs: IEEE 754 6.3.
    assert_eq!(sum(Element::F32, &[-0.0, -0.0]), 0x8000_0000);
    assert_eq!(sum(Element::F32, &[-0.0, 0.0]), 0);
    assert_eq!(sum(Element::F32, &[2.0_f64.powi(200), 1.0, -1.0, -(2.0_f64.powi(200))]), 0);
}
