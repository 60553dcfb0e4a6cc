//! Operands that are computed before their instruction: sums of registers and numbers, and elements of arrays (PTX ISA "Arrays as
//! Operands").
//!
//! ptxas takes `%r1+4` wherever a register is read, and `a[%r1]` as an address. Each becomes instructions of its own, which write registers
//! that no name has.

use smallvec::{SmallVec, smallvec};

use super::code::{Op, Register, Source};
use super::layout::size_of;
use super::operand::{Decoded, InstructionDecoder, Name};
use super::provenance::Flow;
use crate::compute;
use crate::ptx::syntax::{Constant, Operand, SymbolAddress, Type};

impl<'t> InstructionDecoder<'_, 't> {
    /// The register that an operand names, or one that will hold the sum of a register and a number; none of other operands.
    pub(super) fn register_or_sum(&mut self, operand: &Operand<'t>) -> Decoded<Option<(Register, Type)>> {
        let Operand::Constant(Constant::Symbol(address)) = operand else { return self.register(operand) };
        let SymbolAddress { name, addend, is_generic: false, mask: None, .. } = *address else {
            return Ok(None);
        };
        let Some(Name::Register { first, ty }) = self.find(name) else { return Ok(None) };
        // Of other sums ptxas makes no code, or dies.
        let is_integer = !matches!(ty, Type::F16 | Type::F16x2 | Type::F32 | Type::F64);
        let name_of_type = match size_of(ty) {
            2 if is_integer => "u16",
            4 if is_integer => "u32",
            8 if is_integer => "u64",
            _ => {
                return Err(
                    self.error(format!("the sum of register `{name}` and a number is not an integer"))
                );
            }
        };
        let addend = self.constant(addend as u64 & (u64::MAX >> (64 - 8 * size_of(ty))));
        let sum = self.computed("add", &[name_of_type], &[Source::Register(Register(first)), addend])?;
        Ok(Some((sum, ty)))
    }

    /// The address of an element of an array.
    pub(super) fn element(&mut self, name: &'t str, index: &Operand<'t>) -> Decoded<Source> {
        let size = self.element_size(name)?;
        if let Operand::Constant(Constant::Int(index)) = index {
            let addend = index.wrapping_mul(size) as i64;
            let address = SymbolAddress { name, addend, is_generic: false, mask: None, place: self.place };
            return self.source(&Operand::Constant(Constant::Symbol(address)), Type::U64);
        }
        let start = self.source(&Operand::Name(name), Type::U64)?;
        let (index, ty) = self
            .register_or_sum(index)?
            .filter(|&(_, ty)| {
                !matches!(ty, Type::F32 | Type::F64 | Type::F16x2) && matches!(size_of(ty), 4 | 8)
            })
            .ok_or_else(|| self.error("an array index must be an integer of 32 or 64 bits"))?;
        let size = self.constant(size);
        let ty = if size_of(ty) == 4 { "u32" } else { "u64" };
        let offset = self.computed("mul", &["lo", ty], &[Source::Register(index), size])?;
        let sum = self.computed("add", &["u64"], &[start, Source::Register(offset)])?;
        Ok(Source::Register(sum))
    }

    /// The result of an instruction that is carried out before the one at hand.
    fn computed(&mut self, opcode: &str, modifiers: &[&str], operands: &[Source]) -> Decoded<Register> {
        let operation =
            compute::operation(opcode, modifiers).ok_or_else(|| self.error("unknown operation"))?;
        let result = self.fresh();
        let operands = SmallVec::from_slice(operands);
        let op = Op::Compute { compute: operation.compute, operands, results: smallvec![Some(result)] };
        self.before.push((op, Flow::of(opcode, modifiers)));
        Ok(result)
    }
}
