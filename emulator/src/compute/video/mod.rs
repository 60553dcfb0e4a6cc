//! Video instructions: arithmetic on bytes and halves that stand anywhere in the operands, and a second operation with a
//! third operand (PTX ISA "Scalar Video Instructions", "SIMD Video Instructions").
//!
//! What follows the operands is part of the operation: which bytes are taken, where the result goes, what is
//! negated. Results between the two operations are exact, of any width; only what is left in the end is cut off. ptxas takes
//! the modifiers in any order.
//!
//! - `scalar`: one value of each operand
//! - `simd`: two halves, or four bytes

mod scalar;
mod simd;

#[cfg(test)]
mod tests;

use smallvec::SmallVec;

use super::Operation;

/// What precedes and follows the operands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Selectors<'m> {
    /// The part of the result that is written, or which elements of it are.
    pub(crate) result: Option<&'m str>,
    /// The parts of the first and of the second operand that are taken.
    pub(crate) operands: [Option<&'m str>; 2],
    /// Which of the three operands are negated.
    pub(crate) negated: [bool; 3],
}

/// Whether there is a video instruction of a name.
pub(crate) fn is_known(opcode: &str) -> bool {
    let name = opcode.trim_end_matches(['2', '4']);
    let is_simd = name.len() < opcode.len();
    match name {
        "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vset" => true,
        "vavrg" => is_simd,
        "vshl" | "vshr" | "vmad" => !is_simd,
        _ => false,
    }
}

/// The operation of a video instruction.
///
/// # Errors
/// What is wrong with its modifiers or selectors.
pub(crate) fn operation(
    opcode: &str,
    modifiers: &[&str],
    selectors: Selectors<'_>,
) -> Result<Operation, String> {
    let modifiers = Modifiers::read(opcode, modifiers)?;
    if opcode != "vmad" && selectors.negated.contains(&true) {
        return Err(format!("operands of `{opcode}` cannot be negated"));
    }
    match (opcode, opcode.as_bytes().last()) {
        (_, Some(b'2')) => simd::operation(2, modifiers, selectors),
        (_, Some(b'4')) => simd::operation(4, modifiers, selectors),
        ("vmad", _) => scalar::multiplied(modifiers, selectors),
        _ => scalar::operation(modifiers, selectors),
    }
}

/// What is computed of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sum,
    Difference,
    Distance,
    Least,
    Greatest,
    Average,
    ShiftLeft,
    ShiftRight,
    Comparison,
    ProductSum,
}

/// The second operation, with the third operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Second {
    Add,
    Min,
    Max,
}

/// The modifiers of an instruction, which takes all that are there.
#[derive(Clone, Copy, Debug)]
struct Modifiers {
    kind: Kind,
    /// Whether the result and the two operands have a sign.
    signs: [bool; 3],
    saturates: bool,
    second: Option<Second>,
    /// The outcomes less, equal, greater for which a comparison holds.
    relation: [bool; 3],
    /// Shifts go by the low five bits of the amount.
    wraps: bool,
    /// `.po`: one more.
    is_plus_one: bool,
    /// By how many bits the result is moved to the right.
    scale: u32,
}

impl Modifiers {
    fn read(opcode: &str, words: &[&str]) -> Result<Modifiers, String> {
        let kind = kind(opcode).ok_or_else(|| format!("unknown instruction `{opcode}`"))?;
        let is_simd = opcode.ends_with(['2', '4']);
        let mut modifiers = Modifiers {
            kind,
            signs: [false; 3],
            saturates: false,
            second: None,
            relation: [false; 3],
            wraps: false,
            is_plus_one: false,
            scale: 0,
        };
        let (is_shift, is_comparison) =
            (matches!(kind, Kind::ShiftLeft | Kind::ShiftRight), kind == Kind::Comparison);
        let (mut signs, mut modes, mut relations) = (SmallVec::<[bool; 3]>::new(), 0, 0);
        for &word in words {
            match word {
                "u32" | "s32" => signs.push(word == "s32"),
                "sat" if !is_comparison => modifiers.saturates = true,
                "add" if kind != Kind::ProductSum => modifiers.second = Some(Second::Add),
                "min" if kind != Kind::ProductSum && !is_simd => modifiers.second = Some(Second::Min),
                "max" if kind != Kind::ProductSum && !is_simd => modifiers.second = Some(Second::Max),
                "clamp" | "wrap" if is_shift => {
                    modes += 1;
                    modifiers.wraps = word == "wrap";
                }
                "eq" | "ne" | "lt" | "le" | "gt" | "ge" if is_comparison => {
                    relations += 1;
                    modifiers.relation = relation(word);
                }
                "po" if kind == Kind::ProductSum => modifiers.is_plus_one = true,
                "shr7" if kind == Kind::ProductSum => modifiers.scale = 7,
                "shr15" if kind == Kind::ProductSum => modifiers.scale = 15,
                _ => return Err(format!("unknown modifier `.{word}` of `{opcode}`")),
            }
        }
        modifiers.signs = match (&signs[..], is_comparison) {
            // What a comparison gives has no sign.
            (&[a, b], true) => [false, a, b],
            (&[result, a, b], false) => [result, a, b],
            _ => return Err(format!("`{opcode}` needs {} types", if is_comparison { 2 } else { 3 })),
        };
        if is_shift && modes != 1 {
            return Err(format!("`{opcode}` needs `.clamp` or `.wrap`"));
        }
        if is_shift && modifiers.signs[2] {
            return Err("the shift amount must be a `.u32`".to_owned());
        }
        if is_comparison && relations != 1 {
            return Err(format!("`{opcode}` needs a comparison, for example `.lt`"));
        }
        if is_simd && modifiers.saturates && modifiers.second.is_some() {
            return Err("`.sat` cannot be combined with `.add`".to_owned());
        }
        Ok(modifiers)
    }

    /// The first operation, of two values whose width is at most 32 bits.
    fn first(self, a: i128, b: i128) -> i128 {
        match self.kind {
            Kind::Sum => a + b,
            Kind::Difference => a - b,
            Kind::Distance => (a - b).abs(),
            Kind::Least => a.min(b),
            Kind::Greatest => a.max(b),
            // Halves are rounded away from zero.
            Kind::Average => (a + b + i128::from(a + b >= 0)) >> 1,
            Kind::ShiftLeft => a << self.amount(b),
            Kind::ShiftRight => a >> self.amount(b),
            Kind::Comparison => i128::from(self.relation[(a.cmp(&b) as i8 + 1) as usize]),
            Kind::ProductSum => a * b,
        }
    }

    fn amount(self, amount: i128) -> i128 {
        if self.wraps { amount & 31 } else { amount.min(32) }
    }

    /// The nearest value of a result of so many bits, if that is asked for.
    fn saturated(self, value: i128, width: u32) -> i128 {
        let (least, greatest) =
            if self.signs[0] { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) };
        if self.saturates { value.clamp(least, greatest) } else { value }
    }
}

fn kind(opcode: &str) -> Option<Kind> {
    Some(match opcode.trim_end_matches(['2', '4']) {
        "vadd" => Kind::Sum,
        "vsub" => Kind::Difference,
        "vabsdiff" => Kind::Distance,
        "vmin" => Kind::Least,
        "vmax" => Kind::Greatest,
        "vavrg" => Kind::Average,
        "vshl" => Kind::ShiftLeft,
        "vshr" => Kind::ShiftRight,
        "vset" => Kind::Comparison,
        "vmad" => Kind::ProductSum,
        _ => return None,
    })
}

fn relation(word: &str) -> [bool; 3] {
    match word {
        "eq" => [false, true, false],
        "ne" => [true, false, true],
        "lt" => [true, false, false],
        "le" => [true, true, false],
        "gt" => [false, false, true],
        _ => [false, true, true],
    }
}

/// A piece of a word as a number.
fn piece(word: u32, position: u32, width: u32, is_signed: bool) -> i128 {
    let moved = word >> position << (32 - width);
    if is_signed { i128::from(moved as i32 >> (32 - width)) } else { i128::from(moved >> (32 - width)) }
}

/// Puts the low bits of a value into a word.
fn merged(word: u32, value: i128, position: u32, width: u32) -> u32 {
    let mask = u32::MAX >> (32 - width);
    word & !(mask << position) | (value as u32 & mask) << position
}

/// The operation of a function of words: of two, or of three.
fn of_words(takes_third: bool, compute: impl Fn(u32, u32, u32) -> u32 + Send + Sync + 'static) -> Operation {
    if takes_third { super::three(compute) } else { super::two(move |a: u32, b: u32| compute(a, b, 0)) }
}
