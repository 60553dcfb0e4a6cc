//! Products of matrices, which the threads of a warp hold together (PTX ISA "Warp Level Matrix Multiply-Accumulate
//! Instructions").
//!
//! - [`fragment`]: which elements of a matrix a thread holds in which register
//! - `numbers`: what elements stand for, and exact sums of products
//! - [`sparse`]: of which elements of A the others are zero
//! - [`scale`]: factors of blocks of rows and columns
//!
//! What the PTX ISA leaves open is decided here: products are exact, and so is the sum of all products of an instruction
//! for an element and the accumulator, which is rounded once, to nearest. A GPU may come to other last bits. Products of
//! `.f64` are added one after the other, each sum rounded, as by `fma`.

pub(crate) mod fragment;

pub(crate) mod scale;
pub(crate) mod sparse;

mod numbers;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use self::fragment::Fragment;
pub(crate) use self::fragment::{Arrangement, Element, Role, Shape};
use self::scale::{Factors, Scale};
use self::sparse::Sparse;
use super::float::exact::Rounding;
use super::{Compute, Lanes, WARP_SIZE};

/// What an instruction makes of its matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Multiply {
    pub(crate) a: Fragment,
    pub(crate) b: Fragment,
    pub(crate) c: Fragment,
    pub(crate) d: Fragment,
    pub(crate) rule: Rule,
    /// A has half of the elements of its rows, packed, and a register more says which.
    pub(crate) sparse: Option<Sparse>,
    /// A and B have factors: for each three registers more, the data and the two selectors.
    pub(crate) scale: Option<Scale>,
}

/// What is wrong with what an instruction on matrices is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// Indices of a sparse matrix are equal, are not in order where they have to be, or are none of those for `.tf32`.
    Indices,
    /// A selector of factors is not in its range, or is not the same in all threads.
    Selector,
    /// A factor of `.ue4m3` has the upper bit.
    Scale,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misuse::Indices => "invalid indices in the metadata of a sparse matrix",
            Misuse::Selector => "the scale selector is out of range or differs between threads",
            Misuse::Scale => "the upper bit of a `.ue4m3` scale is set",
        })
    }
}

/// How elements are multiplied and added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Floating-point numbers, rounded once.
    Float,
    /// `.f64`, rounded after each step.
    Double(Rounding),
    /// Integers; with `.satfinite` the sum stays in the range of `.s32`, and otherwise it goes around.
    Integer { is_saturated: bool },
    /// How many bits are one in both: `.and.popc`.
    And,
    /// How many bits differ: `.xor.popc`.
    Xor,
}

impl Multiply {
    /// How many registers it takes.
    pub(crate) fn n_operands(&self) -> usize {
        let n_registers: usize = [self.a, self.b, self.c].iter().map(Fragment::n_registers).sum();
        n_registers + self.n_extras()
    }

    /// The registers behind those of the matrices: the metadata, and the factors of A and B.
    fn extras<'r>(&self, operands: &[&'r Lanes]) -> (Option<&'r Lanes>, Option<[Factors<'r>; 2]>) {
        let extras = &operands[self.n_operands() - self.n_extras()..];
        let (metadata, factors) = extras.split_at(usize::from(self.sparse.is_some()));
        let factors = self.scale.map(|_| [Factors::of(&factors[..3]), Factors::of(&factors[3..])]);
        (metadata.first().copied(), factors)
    }

    fn n_extras(&self) -> usize {
        usize::from(self.sparse.is_some()) + if self.scale.is_some() { 6 } else { 0 }
    }

    /// What of the operands has no meaning, and in which thread.
    pub(crate) fn misuse(&self, operands: &[&Lanes]) -> Option<(Misuse, usize)> {
        let (metadata, factors) = self.extras(operands);
        if let (Some(sparse), Some(metadata)) = (self.sparse, metadata)
            && let Some(lane) = sparse.wrong_lane(&self.a, metadata)
        {
            return Some((Misuse::Indices, lane));
        }
        let (scale, factors) = (self.scale?, factors?);
        let selectors = &operands[operands.len() - 6..];
        for (is_a, first) in [(true, 0), (false, 3)] {
            if !scale.has_selectors(is_a, selectors[first + 1], selectors[first + 2]) {
                return Some((Misuse::Selector, 0));
            }
            if let Some(lane) = scale.wrong_lane(is_a, factors[first / 3]) {
                return Some((Misuse::Scale, lane));
            }
        }
        None
    }

    /// From the registers of A, B and C to those of D.
    pub(crate) fn compute(self) -> Compute {
        Arc::new(move |operands, results| {
            debug_assert_eq!(operands.len(), self.n_operands());
            let (a, rest) = operands.split_at(self.a.n_registers());
            let (b, c) = rest.split_at(self.b.n_registers());
            let (metadata, factors) = self.extras(operands);
            let places = self.sparse.zip(metadata).map(|(sparse, metadata)| sparse.places(&self.a, metadata));
            let extras = Extras { places, factors };
            results.iter_mut().for_each(|result| *result = [0; WARP_SIZE]);
            for product in 0..self.a.n_matrices() {
                let (a, b, c) =
                    (self.a.gather(a, product), self.b.gather(b, product), self.c.gather(c, product));
                self.d.scatter(&self.product(&a, &b, &c, &extras), product, results);
            }
        })
    }

    /// The elements of D, row by row, from the bits of those of the others.
    fn product(&self, a: &[u64], b: &[u64], c: &[u64], extras: &Extras<'_>) -> Vec<u64> {
        let Shape { m, n, k } = self.a.shape;
        // Where an element of a row of A is along `k`.
        let place = |row: usize, at: usize| extras.places.as_ref().map_or(at, |places| places[row * k + at]);
        match self.rule {
            Rule::Float => {
                let numbers = |fragment: Fragment, bits: &[u64]| -> Vec<f64> {
                    bits.iter().map(|&bits| numbers::number(fragment.element, bits)).collect()
                };
                let (a, b, c) = (numbers(self.a, a), numbers(self.b, b), numbers(self.c, c));
                each(m, n, |row, col| {
                    let products = (0..k).map(|at| {
                        let place = place(row, at);
                        a[row * k + at] * b[place * n + col] * self.factor(extras, (row, col), place)
                    });
                    numbers::rounded_sum(self.d.element, products.chain([c[row * n + col]]))
                })
            }
            Rule::Double(rounding) => each(m, n, |row, col| {
                (0..k).fold(c[row * n + col], |sum, at| {
                    numbers::fused(a[row * k + at], b[at * n + col], sum, rounding)
                })
            }),
            Rule::Integer { is_saturated } => {
                let numbers = |fragment: Fragment, bits: &[u64]| -> Vec<i64> {
                    bits.iter().map(|&bits| numbers::integer(fragment.element, bits)).collect()
                };
                let (a, b, c) = (numbers(self.a, a), numbers(self.b, b), numbers(self.c, c));
                each(m, n, |row, col| {
                    let products = (0..k).map(|at| a[row * k + at] * b[place(row, at) * n + col]);
                    let sum = products.sum::<i64>() + c[row * n + col];
                    let least = if is_saturated { i64::from(i32::MIN) } else { i64::MIN };
                    let greatest = if is_saturated { i64::from(i32::MAX) } else { i64::MAX };
                    u64::from(sum.clamp(least, greatest) as u32)
                })
            }
            Rule::And | Rule::Xor => each(m, n, |row, col| {
                let counted = |a: u64, b: u64| if self.rule == Rule::And { a & b } else { a ^ b };
                let count: u64 = (0..k).map(|at| counted(a[row * k + at], b[at * n + col])).sum();
                u64::from((c[row * n + col] as u32).wrapping_add(count as u32))
            }),
        }
    }
}

impl Multiply {
    /// What the product at a place along `k` is multiplied by.
    fn factor(&self, extras: &Extras<'_>, (row, col): (usize, usize), place: usize) -> f64 {
        let (Some(scale), Some([of_a, of_b])) = (self.scale, extras.factors) else { return 1.0 };
        let at = (place, self.b.shape.k);
        scale.factor(true, of_a, row, at) * scale.factor(false, of_b, col, at)
    }
}

/// What comes beside the elements.
struct Extras<'r> {
    /// Of the elements of A along `k`, if there are not all.
    places: Option<Vec<usize>>,
    factors: Option<[Factors<'r>; 2]>,
}

/// The elements of a matrix, row by row.
fn each(m: usize, n: usize, mut element: impl FnMut(usize, usize) -> u64) -> Vec<u64> {
    (0..m * n).map(|at| element(at / n, at % n)).collect()
}

/// `movmatrix`: the 8 rows of a matrix of 16-bit numbers become its columns.
pub(crate) fn transposed() -> Compute {
    Arc::new(|operands, results| results[0] = words_of_rows(&rows_of_words(operands[0]), true))
}

/// The rows of a matrix of 8 by 8 numbers of 16 bits, of which each thread holds a word: four threads a row.
pub(crate) fn rows_of_words(words: &Lanes) -> [[u16; 8]; 8] {
    std::array::from_fn(|row| {
        std::array::from_fn(|col| (words[4 * row + col / 2] >> (16 * (col % 2))) as u16)
    })
}

/// A row of 16 numbers of fewer bits as one of 16 bytes (PTX ISA "ldmatrix": `.b8x16`).
pub(crate) fn unpacked(row: [u16; 8], n_bits: u32) -> [u16; 8] {
    let packed = row.iter().rev().fold(0, |packed, &word| packed << 16 | u128::from(word));
    let number = |idx: usize| (packed >> (idx as u32 * n_bits)) as u16 & ((1 << n_bits) - 1);
    std::array::from_fn(|word| number(2 * word) | number(2 * word + 1) << 8)
}

/// The 8 rows of 16 bytes that a matrix of 16 by 8 bytes is stored as, of which threads hold two rows each, of two bytes: the
/// columns (PTX ISA "stmatrix": `.m16n8`).
pub(crate) fn rows_of_bytes(words: &Lanes) -> [[u16; 8]; 8] {
    let byte = |row: usize, at: usize| {
        let lane = at % 8 * 4 + row / 2;
        (words[lane] >> (8 * (row % 2 + at / 8 * 2)) & 0xFF) as u16
    };
    std::array::from_fn(|row| std::array::from_fn(|col| byte(row, 2 * col) | byte(row, 2 * col + 1) << 8))
}

/// The words of the threads that hold eight columns of 16 rows of bytes, the first ones or the others: four bytes of a column each
/// (PTX ISA "ldmatrix": `.m16n16`).
pub(crate) fn words_of_columns(rows: &[[[u16; 8]; 8]], first_col: usize) -> Lanes {
    std::array::from_fn(|lane| {
        let col = first_col + lane / 4;
        let byte = |row: usize| u64::from(rows[row / 8][row % 8][col / 2] >> (8 * (col % 2)) & 0xFF);
        (0..4).fold(0, |word, at| word | byte(lane % 4 * 4 + at) << (8 * at))
    })
}

/// The words of the threads that hold a matrix of 8 by 8 numbers of 16 bits (PTX ISA "ldmatrix"), or the transposed one.
pub(crate) fn words_of_rows(rows: &[[u16; 8]; 8], is_transposed: bool) -> Lanes {
    std::array::from_fn(|lane| {
        let (row, col) = (lane / 4, lane % 4 * 2);
        let at = |col: usize| u64::from(if is_transposed { rows[col][row] } else { rows[row][col] });
        at(col) | at(col + 1) << 16
    })
}
