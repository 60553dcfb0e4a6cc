//! Two halves or four bytes, each taken from anywhere in the two operands.

use super::{Modifiers, Selectors, merged, of_words, piece};
use crate::compute::Operation;

/// The number of an element in both operands, for each of the result.
type Choice = [u32; 4];

/// See [`super::operation`], of so many elements.
pub(super) fn operation(
    n_elements: usize,
    modifiers: Modifiers,
    selectors: Selectors<'_>,
) -> Result<Operation, String> {
    let letter = if n_elements == 2 { 'h' } else { 'b' };
    let width = 32 / n_elements as u32;
    let choices = [(selectors.operands[0], 0), (selectors.operands[1], n_elements as u32)]
        .map(|(selector, first)| choice(selector, letter, n_elements, first));
    let [a, b] = choices;
    let (a, b, mask) = (a?, b?, mask(selectors.result, letter, n_elements)?);
    let [_, a_is_signed, b_is_signed] = modifiers.signs;
    Ok(of_words(true, move |x, y, z| {
        let element = |number: u32, is_signed: bool| {
            let word = if number < n_elements as u32 { x } else { y };
            piece(word, number % n_elements as u32 * width, width, is_signed)
        };
        (0..n_elements).filter(|&idx| mask[idx]).fold(z, |result, idx| {
            let value = modifiers.first(element(a[idx], a_is_signed), element(b[idx], b_is_signed));
            let value = modifiers.saturated(value, width);
            match modifiers.second {
                None => merged(result, value, idx as u32 * width, width),
                Some(_) => result.wrapping_add(value as u32),
            }
        })
    }))
}

/// `.h32`, `.b7654`: which elements are taken, that of the last element first.
fn choice(selector: Option<&str>, letter: char, n_elements: usize, first: u32) -> Result<Choice, String> {
    let Some(selector) = selector else { return Ok(std::array::from_fn(|idx| first + idx as u32)) };
    let numbers = selector.strip_prefix(letter).filter(|numbers| numbers.len() == n_elements);
    let mut choice = Choice::default();
    for (idx, digit) in numbers.unwrap_or("x").chars().rev().enumerate() {
        choice[idx] = digit.to_digit(2 * n_elements as u32).ok_or_else(|| {
            format!("`.{selector}` does not select {n_elements} of {} elements", 2 * n_elements)
        })?;
    }
    Ok(choice)
}

/// `.h1`, `.b320`: which elements of the result are meant, from the last to the first.
fn mask(selector: Option<&str>, letter: char, n_elements: usize) -> Result<[bool; 4], String> {
    let Some(selector) = selector else { return Ok([true; 4]) };
    let error = || format!("`.{selector}` does not select any of {n_elements} elements");
    let numbers = selector.strip_prefix(letter).filter(|numbers| !numbers.is_empty()).ok_or_else(error)?;
    let (mut mask, mut end) = ([false; 4], n_elements);
    for digit in numbers.chars() {
        let idx = digit.to_digit(10).map(|idx| idx as usize).filter(|&idx| idx < end).ok_or_else(error)?;
        mask[idx] = true;
        end = idx;
    }
    Ok(mask)
}
