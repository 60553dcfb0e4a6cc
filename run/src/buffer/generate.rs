//! Contents that are the same on every machine.
//!
//! Random numbers are SplitMix64's (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014), so
//! that any program can make them again: element `i` comes from the bits
//!
//! ```text
//! z = seed + (i + 1) * 0x9E3779B97F4A7C15
//! z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
//! z = (z ^ (z >> 27)) * 0x94D049BB133111EB
//! bits = z ^ (z >> 31)
//! ```
//!
//! modulo 2⁶⁴. A floating-point type of `p` digits takes the upper `p` bits divided by 2ᵖ, which is in [0, 1); with
//! bounds, `low + (high - low) * that`, computed in double precision and rounded once. An integer type of `n` bits takes
//! the upper `n`; with bounds, `low + bits * (high - low) / 2⁶⁴`, rounded down.

use super::Buffer;
use crate::element::{ElementType, Number, NumberKind};

/// The contents that a buffer is filled with.
#[derive(Clone, Debug, PartialEq)]
pub enum Contents {
    /// Zeros.
    Zeros,
    /// Ones.
    Ones,
    /// 0, 1, 2, …; an integer type wraps to zero.
    Iota,
    /// One value.
    Fill(Number),
    /// Random numbers.
    Random {
        /// The seed; by default that of the launch.
        seed: Option<u64>,
        /// The lower bound, and the exclusive upper bound; by default floating-point numbers are in [0, 1),
        /// and integers cover their type.
        range: Option<(Number, Number)>,
    },
    /// Explicit elements.
    List(Vec<Number>),
}

/// Why a buffer cannot have these contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenerateError {
    /// The type cannot represent a number; its index in the list.
    NotOfType(usize),
    /// The list has another length than the shape requires.
    WrongCount {
        /// The required number.
        wanted: usize,
        /// The actual number.
        found: usize,
    },
    /// The range is empty, or not within the type.
    BadRange,
}

/// Generates a buffer. `seed` is for random contents without a seed.
///
/// # Errors
///
/// If the contents do not fit the type or the shape.
pub fn generate(
    ty: ElementType,
    shape: &[usize],
    contents: &Contents,
    default_seed: u64,
) -> Result<Buffer, GenerateError> {
    let mut buffer = Buffer::zeros(ty, shape);
    let n_elements = buffer.len();
    let each = |buffer: &mut Buffer, make: &mut dyn FnMut(usize) -> Option<Vec<u8>>| {
        for (idx, place) in buffer.bytes_mut().chunks_exact_mut(ty.size()).enumerate() {
            place.copy_from_slice(&make(idx).ok_or(GenerateError::NotOfType(idx))?);
        }
        Ok(())
    };
    match contents {
        Contents::Zeros => {}
        Contents::Ones => each(&mut buffer, &mut |_| ty.bytes(Number::Int(1)))?,
        Contents::Iota if ty.kind() == NumberKind::Float => {
            each(&mut buffer, &mut |idx| ty.bytes(Number::Int(idx as i128)))?;
        }
        Contents::Iota => {
            each(&mut buffer, &mut |idx| Some((idx as u64).to_le_bytes()[..ty.size()].to_vec()))?
        }
        Contents::Fill(number) => {
            // Report a number that the type cannot represent even if there is nothing to fill.
            let bytes = ty.bytes(*number).ok_or(GenerateError::NotOfType(0))?;
            each(&mut buffer, &mut |_| Some(bytes.clone()))?;
        }
        Contents::List(numbers) if numbers.len() != n_elements => {
            return Err(GenerateError::WrongCount { wanted: n_elements, found: numbers.len() });
        }
        Contents::List(numbers) => each(&mut buffer, &mut |idx| ty.bytes(numbers[idx]))?,
        Contents::Random { seed, range } => {
            check_range(ty, *range)?;
            let seed = seed.unwrap_or(default_seed);
            each(&mut buffer, &mut |idx| Some(random(ty, *range, bits(seed, idx as u64))))?;
        }
    }
    Ok(buffer)
}

fn check_range(ty: ElementType, range: Option<(Number, Number)>) -> Result<(), GenerateError> {
    let Some((low, high)) = range else { return Ok(()) };
    let is_sound = match (ty.kind(), low, high) {
        (NumberKind::Float, ..) => low.as_f64() < high.as_f64() && (high.as_f64() - low.as_f64()).is_finite(),
        (_, Number::Int(low), Number::Int(high)) => {
            let (least, greatest) = ty.range();
            least <= low && low < high && high <= greatest + 1
        }
        _ => false,
    };
    if is_sound { Ok(()) } else { Err(GenerateError::BadRange) }
}

/// The random bits of an element.
pub fn bits(seed: u64, index: u64) -> u64 {
    let z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn random(ty: ElementType, range: Option<(Number, Number)>, bits: u64) -> Vec<u8> {
    let number = match (ty.kind(), range) {
        (NumberKind::Float, range) => {
            let precision = ty.precision();
            let unit = (bits >> (64 - precision)) as f64 / (1_u64 << precision) as f64;
            let (low, high) = range.map_or((0.0, 1.0), |(low, high)| (low.as_f64(), high.as_f64()));
            Number::Float(low + (high - low) * unit)
        }
        (_, Some((Number::Int(low), Number::Int(high)))) => {
            let width = (high - low) as u128;
            Number::Int(low + ((u128::from(bits) * width) >> 64) as i128)
        }
        _ => {
            let upper = bits >> (64 - 8 * ty.size());
            return upper.to_le_bytes()[..ty.size()].to_vec();
        }
    };
    ty.bytes(number).unwrap_or_else(|| vec![0; ty.size()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(ty: ElementType, n: usize, contents: Contents) -> Buffer {
        generate(ty, &[n], &contents, 0).expect("it fits")
    }

    #[test]
    fn the_random_bits_are_those_of_split_mix() {
        // The first outputs for the seed 1234567, as Vigna's reference program prints them.
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([0, 1, 2].map(|index| bits(1_234_567, index)), expected);
    }

    #[test]
    fn random_numbers_are_in_their_range() {
        let random = |range| Contents::Random { seed: Some(7), range };
        let floats = made(ElementType::F32, 1000, random(None)).to_vec::<f32>();
        assert!(floats.iter().all(|x| (0.0..1.0).contains(x)));
        let mean = floats.iter().sum::<f32>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.05, "{mean}");
        let range = Some((Number::Int(-3), Number::Int(4)));
        let small = made(ElementType::I8, 1000, random(range)).to_vec::<i8>();
        assert_eq!(small.iter().min().zip(small.iter().max()), Some((&-3, &3)));
        let all = made(ElementType::U8, 10_000, random(None)).to_vec::<u8>();
        assert_eq!(all.iter().min().zip(all.iter().max()), Some((&0, &255)));
        let empty = Contents::Random { seed: None, range: Some((Number::Int(4), Number::Int(4))) };
        assert_eq!(generate(ElementType::I8, &[1], &empty, 0), Err(GenerateError::BadRange));
    }

    #[test]
    fn generators_match_their_names() {
        assert_eq!(made(ElementType::F32, 3, Contents::Iota).to_vec::<f32>(), [0.0, 1.0, 2.0]);
        assert_eq!(made(ElementType::U8, 258, Contents::Iota).to_vec::<u8>()[255..], [255, 0, 1]);
        assert_eq!(made(ElementType::I32, 2, Contents::Ones).to_vec::<i32>(), [1, 1]);
        assert_eq!(made(ElementType::I16, 2, Contents::Fill(Number::Int(-7))).to_vec::<i16>(), [-7, -7]);
        let list = Contents::List(vec![Number::Int(1), Number::Int(300)]);
        assert_eq!(generate(ElementType::U8, &[2], &list, 0), Err(GenerateError::NotOfType(1)));
        let other = Err(GenerateError::WrongCount { wanted: 3, found: 2 });
        assert_eq!(generate(ElementType::U8, &[3], &list, 0), other);
    }
}
