//! Registers that are vectors (PTX ISA "Vectors", "Vectors as Operands").
//!
//! A vector is as many registers as it has elements. Where its name stands alone as an operand, a list of the elements
//! is put in its place, so that no instruction knows vectors.

use super::code::Register;
use super::operand::{Decoded, InstructionDecoder, Name};
use crate::ptx::syntax::{Instruction, Operand, Type};

/// The elements by their first names; colors are the others.
pub(super) const ELEMENTS: [&str; 4] = ["x", "y", "z", "w"];

/// The other names.
const COLORS: [&str; 4] = ["r", "g", "b", "a"];

impl<'t> InstructionDecoder<'_, 't> {
    /// The register that an operand names, and its type: a register, or an element of a vector. None of other operands.
    pub(super) fn register(&self, operand: &Operand<'t>) -> Decoded<Option<(Register, Type)>> {
        match operand {
            Operand::Name(name) => match self.find(name) {
                Some(Name::Register { first, ty }) => Ok(Some((Register(first), ty))),
                Some(Name::Vector { .. }) => {
                    Err(self.misfit(format!("expected one value, but `{name}` is a vector")))
                }
                _ => Ok(None),
            },
            Operand::Part(name, part) => match self.find(name) {
                Some(Name::Vector { first, ty, n_elements }) => {
                    let has_name = |names: [&str; 4]| names.iter().position(|name| name == part);
                    let idx = has_name(ELEMENTS).or_else(|| has_name(COLORS)).map(|idx| idx as u32);
                    let idx = idx.filter(|&idx| idx < n_elements).ok_or_else(|| {
                        self.error(format!("`{name}` has {n_elements} elements and no `.{part}`"))
                    })?;
                    Ok(Some((Register(first + idx), ty)))
                }
                Some(Name::Register { .. }) => Err(self.misfit(format!("`{name}` is not a vector"))),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The instruction with the elements of vectors in their places.
    pub(super) fn with_elements(&self, instruction: &Instruction<'t>) -> Instruction<'t> {
        let mut instruction = instruction.clone();
        for operand in &mut instruction.operands {
            if let Operand::Name(name) = *operand
                && let Some(Name::Vector { n_elements, .. }) = self.find(name)
            {
                *operand = elements(name, n_elements as usize);
            }
        }
        instruction
    }
}

/// The elements of a vector, as a list.
pub(super) fn elements<'t>(name: &'t str, n_elements: usize) -> Operand<'t> {
    Operand::Vector(ELEMENTS.iter().take(n_elements).map(|part| Operand::Part(name, part)).collect())
}
