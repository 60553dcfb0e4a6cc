//! What follows the opcode of a floating-point instruction.

use super::exact::Rounding;

/// The modifiers, with the type.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::compute) struct Modifiers<'m> {
    /// The type of the operands, or the last word.
    pub(in crate::compute) ty: &'m str,
    pub(in crate::compute) rounding: Option<Rounding>,
    /// `.ftz`: subnormal operands and results are zeros.
    pub(in crate::compute) flushes: bool,
    /// `.sat`: the result is from 0 to 1.
    pub(in crate::compute) saturates: bool,
    /// `.relu`: negative results are zeros.
    pub(in crate::compute) is_relu: bool,
    /// `.satfinite`: the greatest number in place of what is greater.
    pub(in crate::compute) is_finite: bool,
    /// `.NaN`
    pub(in crate::compute) gives_nan: bool,
    /// `.xorsign.abs`
    pub(in crate::compute) is_xorsign: bool,
    /// `.approx`
    pub(in crate::compute) is_approximate: bool,
    /// `.full`
    pub(in crate::compute) is_full: bool,
    /// `.2pi`: the angle is in turns.
    pub(in crate::compute) is_in_turns: bool,
}

impl<'m> Modifiers<'m> {
    /// Whether there is one that only arithmetic has.
    pub(in crate::compute) fn is_arithmetic(&self) -> bool {
        self.gives_nan || self.is_xorsign || self.is_approximate || self.is_full || self.is_in_turns
    }

    /// None where a word is none of these.
    pub(in crate::compute) fn read(words: &[&'m str]) -> Option<Self> {
        let (ty, words) = words.split_last()?;
        let mut modifiers = Modifiers { ty, ..Modifiers::default() };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                // ptxas takes the others twice.
                "ftz" if modifiers.flushes => return None,
                "ftz" => modifiers.flushes = true,
                "sat" => modifiers.saturates = true,
                "relu" => modifiers.is_relu = true,
                "satfinite" => modifiers.is_finite = true,
                "NaN" => modifiers.gives_nan = true,
                "approx" => modifiers.is_approximate = true,
                "full" => modifiers.is_full = true,
                "2pi" => modifiers.is_in_turns = true,
                "xorsign" if words.next() == Some(&"abs") => modifiers.is_xorsign = true,
                _ if modifiers.rounding.is_some() => return None,
                _ => modifiers.rounding = Some(Rounding::named(word)?),
            }
        }
        Some(modifiers)
    }
}
