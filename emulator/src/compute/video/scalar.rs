//! One value of each operand.

use super::{Kind, Modifiers, Second, Selectors, merged, of_words, piece};
use crate::compute::Operation;

/// A part of a word, by the number of its first bit and the number of its bits.
#[derive(Clone, Copy)]
struct Part {
    position: u32,
    width: u32,
}

impl Part {
    const WORD: Part = Part { position: 0, width: 32 };

    fn named(selector: Option<&str>) -> Result<Part, String> {
        let Some(selector) = selector else { return Ok(Part::WORD) };
        let (position, width) = match selector {
            "b0" => (0, 8),
            "b1" => (8, 8),
            "b2" => (16, 8),
            "b3" => (24, 8),
            "h0" => (0, 16),
            "h1" => (16, 16),
            _ => {
                return Err(format!(
                    "`.{selector}` does not select a byte or half; use `.b0` to `.b3`, `.h0` or `.h1`"
                ));
            }
        };
        Ok(Part { position, width })
    }

    fn of(self, word: u32, is_signed: bool) -> i128 {
        piece(word, self.position, self.width, is_signed)
    }
}

/// All but `vmad`.
pub(super) fn operation(modifiers: Modifiers, selectors: Selectors<'_>) -> Result<Operation, String> {
    let [a, b] = selectors.operands.map(Part::named);
    let (a, b, result) = (a?, b?, Part::named(selectors.result)?);
    let is_merged = selectors.result.is_some();
    if is_merged && modifiers.second.is_some() {
        return Err("data merge cannot be combined with a secondary operation".to_owned());
    }
    let [is_signed, a_is_signed, b_is_signed] = modifiers.signs;
    Ok(of_words(is_merged || modifiers.second.is_some(), move |x, y, z| {
        let value = modifiers.first(a.of(x, a_is_signed), b.of(y, b_is_signed));
        let value = modifiers.saturated(value, result.width);
        let third = Part::WORD.of(z, is_signed);
        let value = match modifiers.second {
            None => value,
            Some(Second::Add) => value + third,
            Some(Second::Min) => value.min(third),
            Some(Second::Max) => value.max(third),
        };
        merged(z, value, result.position, result.width)
    }))
}

/// `vmad`: a product and a sum, which is moved to the right.
pub(super) fn multiplied(modifiers: Modifiers, selectors: Selectors<'_>) -> Result<Operation, String> {
    debug_assert!(modifiers.kind == Kind::ProductSum);
    if selectors.result.is_some() {
        return Err("the result of `vmad` must be a whole word".to_owned());
    }
    let [a, b] = selectors.operands.map(Part::named);
    let (a, b) = (a?, b?);
    let [negates_a, negates_b, negates_sum] = selectors.negated;
    let negates_product = negates_a != negates_b;
    if negates_product && negates_sum || modifiers.is_plus_one && selectors.negated.contains(&true) {
        let message = "`vmad` can negate the product or the addend but not both, and neither with `.po`";
        return Err(message.to_owned());
    }
    let [_, a_is_signed, b_is_signed] = modifiers.signs;
    let product_is_signed = a_is_signed || b_is_signed || negates_product;
    let is_signed = product_is_signed || negates_sum;
    let modifiers = Modifiers { signs: [is_signed, a_is_signed, b_is_signed], ..modifiers };
    Ok(of_words(true, move |x, y, z| {
        let product = modifiers.first(a.of(x, a_is_signed), b.of(y, b_is_signed));
        let product = if negates_product { -product } else { product };
        // Of a sum that is negated, the complement is extended, and one is added.
        let third = Part::WORD.of(if negates_sum { !z } else { z }, is_signed);
        let one = i128::from(modifiers.is_plus_one || negates_sum);
        modifiers.saturated((product + third + one) >> modifiers.scale, 32) as u32
    }))
}
