//! Exact decimal literals: a fraction of large integers, of which the first 70 bits are used.

use std::cmp::Ordering;

use super::Unrounded;

/// More digits than that only say whether there is something more.
const MAX_DIGITS: usize = 800;
/// The powers of ten that a `double` can be between.
const POWERS: std::ops::RangeInclusive<i64> = -330..=310;
/// How many bits of a quotient are computed.
const QUOTIENT_BITS: i32 = 70;

/// Digits with a point and an exponent, such as `12.5e-3`; `None` if it is far outside the range of `double`.
pub(super) fn parse(text: &str) -> Option<Unrounded> {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut digits = whole.bytes().chain(fraction.bytes()).map(|digit| digit.wrapping_sub(b'0'));
    let n_zeros = whole.bytes().chain(fraction.bytes()).take_while(|&digit| digit == b'0').count();
    let n_digits = whole.len() + fraction.len() - n_zeros;
    if n_digits == 0 {
        return Some(Unrounded::default());
    }
    // The first digit counts for 10 to this power.
    let first = exponent.parse::<i64>().ok()?.checked_add(whole.len() as i64 - n_zeros as i64 - 1)?;
    if !POWERS.contains(&first) {
        return None;
    }
    let n_kept = n_digits.min(MAX_DIGITS);
    let mut numerator = Natural::default();
    digits.by_ref().skip(n_zeros).take(n_kept).for_each(|digit| numerator.times_plus(10, digit.into()));
    let is_cut = digits.any(|digit| digit != 0);
    let last = first + 1 - n_kept as i64;
    let mut denominator = Natural(vec![1]);
    let scaled = if last >= 0 { &mut numerator } else { &mut denominator };
    (0..last.unsigned_abs()).for_each(|_| scaled.times_plus(10, 0));
    let mut quotient = divide(numerator, denominator);
    quotient.sticky |= is_cut;
    Some(quotient)
}

/// The quotient of two numbers that are not zero.
fn divide(mut numerator: Natural, mut denominator: Natural) -> Unrounded {
    let shift = denominator.n_bits() as i32 - numerator.n_bits() as i32;
    if shift >= 0 {
        numerator.shift_left(shift as usize)
    } else {
        denominator.shift_left(-shift as usize)
    }
    let mut mantissa = 0_u128;
    for _ in 0..QUOTIENT_BITS {
        mantissa <<= 1;
        if numerator.compare(&denominator).is_ge() {
            numerator.subtract(&denominator);
            mantissa |= 1;
        }
        numerator.shift_left(1);
    }
    let sticky = !numerator.0.is_empty();
    Unrounded { is_negative: false, mantissa, exponent: 1 - QUOTIENT_BITS - shift, sticky }
}

/// A natural number: the lowest word first, the last is not zero.
#[derive(Default)]
struct Natural(Vec<u32>);

impl Natural {
    fn times_plus(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn n_bits(&self) -> usize {
        self.0.last().map_or(0, |word| self.0.len() * 32 - word.leading_zeros() as usize)
    }

    fn shift_left(&mut self, n_bits: usize) {
        if self.0.is_empty() {
            return;
        }
        let small = 1_u32 << (n_bits % 32);
        self.times_plus(small, 0);
        self.0.splice(0..0, std::iter::repeat_n(0, n_bits / 32));
    }

    fn compare(&self, other: &Natural) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// Subtracts a number that is not larger.
    fn subtract(&mut self, other: &Natural) {
        let mut borrow = false;
        for (idx, word) in self.0.iter_mut().enumerate() {
            let (value, first) = word.overflowing_sub(other.0.get(idx).copied().unwrap_or(0));
            let (value, second) = value.overflowing_sub(u32::from(borrow));
            (*word, borrow) = (value, first || second);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}
