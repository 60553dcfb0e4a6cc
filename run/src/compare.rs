//! Compares results with expected values.

use std::fmt;

use crate::buffer::Buffer;
use crate::element::{ElementType, Number, NumberKind, few_digits};

/// The number of differences that are kept and shown.
const N_SHOWN: usize = 10;

/// The tolerance of a comparison. A number is correct if it satisfies any of the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Relative to the expected value.
    pub relative: f64,
    /// Absolute; added to the relative one, as in NumPy's `allclose`.
    pub absolute: f64,
    /// In units in the last place: the number of steps between representable numbers.
    pub ulps: u64,
}

/// The outcome of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The number of elements.
    pub n_elements: usize,
    /// The number of wrong elements.
    pub n_different: usize,
    /// The first wrong elements.
    pub differences: Vec<Difference>,
    /// The largest absolute difference, including correct elements.
    pub greatest: f64,
    /// The largest difference in units in the last place, including correct elements.
    pub greatest_ulps: u64,
}

/// A wrong element.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Its index: `[3,1]`.
    pub index: String,
    /// Its value.
    pub found: String,
    /// The expected value.
    pub wanted: String,
    /// The absolute difference; `None` for values without one, such as a NaN.
    pub distance: Option<f64>,
    /// The difference in units in the last place.
    pub ulps: Option<u64>,
}

/// Compares a result with expected values, which may have another type.
///
/// # Errors
///
/// If the numbers of elements differ, or the result's type cannot represent an expected value.
pub fn compare(found: &Buffer, wanted: &Buffer, tolerance: Tolerance) -> Result<Comparison, String> {
    if found.len() != wanted.len() {
        return Err(format!("the result is {}, expected {}", found.signature(), wanted.signature()));
    }
    let ty = found.ty();
    let wanted = wanted.converted(ty).ok_or_else(|| {
        format!("the result is {}, which cannot represent the expected values", found.signature())
    })?;
    let mut comparison = Comparison {
        n_elements: found.len(),
        n_different: 0,
        differences: Vec::new(),
        greatest: 0.0,
        greatest_ulps: 0,
    };
    for index in 0..found.len() {
        if found.element(index) == wanted.element(index) {
            continue;
        }
        let (a, b) = (found.number(index), wanted.number(index));
        let ulps = ulps_between(ty, found.element(index), wanted.element(index));
        let distance = distance(a, b);
        if let (Some(ulps), Some(distance)) = (ulps, distance) {
            comparison.greatest = comparison.greatest.max(distance);
            comparison.greatest_ulps = comparison.greatest_ulps.max(ulps);
        }
        if is_right(a, b, distance, ulps, tolerance) {
            continue;
        }
        comparison.n_different += 1;
        if comparison.differences.len() < N_SHOWN {
            comparison.differences.push(Difference {
                index: found.index_text(index),
                found: found.text(index),
                wanted: wanted.text(index),
                distance,
                ulps,
            });
        }
    }
    Ok(comparison)
}

fn is_right(
    found: Number,
    wanted: Number,
    distance: Option<f64>,
    ulps: Option<u64>,
    tolerance: Tolerance,
) -> bool {
    if found.as_f64().is_nan() || wanted.as_f64().is_nan() {
        return found.as_f64().is_nan() && wanted.as_f64().is_nan();
    }
    // Infinities have no distance, and the two zeros are equal.
    let is_near = distance
        .is_some_and(|distance| distance <= tolerance.absolute + tolerance.relative * wanted.as_f64().abs());
    is_near || ulps.is_some_and(|ulps| ulps <= tolerance.ulps)
}

/// The absolute difference: exact for integers, except for rounding the result.
fn distance(a: Number, b: Number) -> Option<f64> {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Some(a.abs_diff(b) as f64),
        _ => Some((a.as_f64() - b.as_f64()).abs()).filter(|distance| distance.is_finite()),
    }
}

/// The number of steps between two representable numbers; the two zeros count as one. `None` if one of them
/// is a NaN or infinite.
fn ulps_between(ty: ElementType, a: &[u8], b: &[u8]) -> Option<u64> {
    let (x, y) = (ty.number(a), ty.number(b));
    if let (Number::Int(x), Number::Int(y)) = (x, y) {
        return u64::try_from(x.abs_diff(y)).ok();
    }
    if ty.kind() != NumberKind::Float || !x.as_f64().is_finite() || !y.as_f64().is_finite() {
        return None;
    }
    let place = |bytes: &[u8]| {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let sign = 1 << (8 * ty.size() - 1);
        let bits = u64::from_le_bytes(wide);
        let magnitude = i128::from(bits & (sign - 1));
        if bits & sign != 0 { -magnitude } else { magnitude }
    };
    u64::try_from(place(a).abs_diff(place(b))).ok()
}

impl Comparison {
    /// Whether all elements are correct.
    pub fn is_equal(&self) -> bool {
        self.n_different == 0
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_equal() {
            return write!(f, "as expected");
        }
        write!(f, "{} of {} elements differ", self.n_different, self.n_elements)?;
        let widths = |text: fn(&Difference) -> &str| {
            self.differences.iter().map(|difference| text(difference).len()).max().unwrap_or(0)
        };
        let (index, found) = (widths(|d| &d.index), widths(|d| &d.found));
        let wanted = widths(|d| &d.wanted);
        for difference in &self.differences {
            write!(
                f,
                "\n  {:<index$}  is {:>found$}, expected {:>wanted$}",
                difference.index, difference.found, difference.wanted
            )?;
            if let (Some(distance), Some(ulps)) = (difference.distance, difference.ulps) {
                write!(f, "  (off by {}, {ulps} ulp)", few_digits(distance, 4))?;
            }
        }
        match self.n_different - self.differences.len() {
            0 => Ok(()),
            rest => write!(f, "\n  and {rest} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differing(found: &[f32], wanted: &[f32], tolerance: Tolerance) -> usize {
        compare(&Buffer::new(found), &Buffer::new(wanted), tolerance).expect("as many elements").n_different
    }

    #[test]
    fn each_bound_lets_its_numbers_through() {
        let exact = Tolerance::default();
        assert_eq!(differing(&[0.0, f32::NAN, f32::INFINITY], &[-0.0, f32::NAN, f32::INFINITY], exact), 0);
        assert_eq!(differing(&[1.0, 2.0], &[1.0, 2.0_f32.next_up()], exact), 1);
        let ulps = Tolerance { ulps: 2, ..exact };
        assert_eq!(differing(&[2.0_f32.next_up().next_up()], &[2.0], ulps), 0);
        assert_eq!(differing(&[2.0_f32.next_up().next_up().next_up()], &[2.0], ulps), 1);
        assert_eq!(differing(&[0.0_f32.next_down()], &[0.0_f32.next_up()], ulps), 0);
        let near = Tolerance { absolute: 0.5, ..exact };
        assert_eq!(differing(&[1.5, 1.6, f32::INFINITY, f32::NAN], &[1.0; 4], near), 3);
        let relative = Tolerance { relative: 0.01, ..exact };
        assert_eq!(differing(&[100.9, 101.1], &[100.0, 100.0], relative), 1);
        assert_eq!(differing(&[f32::INFINITY], &[f32::NEG_INFINITY], relative), 1);
        let wide = (Buffer::new(&[u64::MAX]), Buffer::new(&[u64::MAX - 1]));
        assert!(!compare(&wide.0, &wide.1, exact).expect("one each").is_equal());
    }

    #[test]
    fn differences_are_shown_where_they_are() {
        let found = Buffer::new(&[1_i32, 2, 3, 40]).reshaped([2, 2]).expect("four");
        let wanted = Buffer::new(&[1_i64, 2, 3, 4]);
        let comparison = compare(&found, &wanted, Tolerance::default()).expect("as many elements");
        let expected = "1 of 4 elements differ\n  [1,1]  is 40, expected 4  (off by 36, 36 ulp)";
        assert_eq!(comparison.to_string(), expected);
        let other = compare(&found, &Buffer::new(&[1_i32]), Tolerance::default());
        assert_eq!(other, Err("the result is i32[2,2], expected i32[1]".to_owned()));
    }

    #[test]
    fn many_differences_are_counted() {
        let comparison =
            compare(&Buffer::new(&[1_u8; 300]), &Buffer::new(&[0_u8; 300]), Tolerance::default());
        let text = comparison.expect("as many elements").to_string();
        assert!(text.starts_with("300 of 300 elements differ\n  [0]"), "{text}");
        assert!(text.ends_with("and 290 more"), "{text}");
    }
}
