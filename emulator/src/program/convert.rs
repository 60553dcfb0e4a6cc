//! Conversions (PTX ISA "cvt").

use smallvec::{SmallVec, smallvec};

use super::code::{Guard, Op, Source};
use super::decode::Decoder;
use super::layout::{is_signed, size_of};
use super::operand::Decoded;
use crate::compute::{self, Operation};
use crate::ptx::syntax::{self, Operand};

impl<'t> Decoder<'_, 't> {
    /// Registers may be wider than the types of numbers.
    pub(super) fn convert(
        &mut self,
        instruction: &syntax::Instruction<'t>,
        operation: Operation,
        guard: Option<Guard>,
    ) -> Decoded<Op> {
        let [result, operands @ ..] = &instruction.operands[..] else {
            return Err(self.names.misfit("`cvt` has a result and an operand"));
        };
        let operands: SmallVec<[&Operand<'t>; 5]> = match operands {
            operands if instruction.modifiers.first() == Some(&"rs") => {
                self.stochastic_operands(operands, operation.operands.len())?
            }
            operands => operands.iter().collect(),
        };
        let (wanted, found) = (operation.operands.len() + 1, operands.len() + 1);
        if wanted != found {
            let message = format!("the instruction takes {wanted} operands, and has {found}");
            return Err(self.names.misfit(message));
        }
        let ty = operation.results[0];
        let [.., to, from] = instruction.modifiers[..] else {
            return Err(self.names.error("`cvt` has two types"));
        };
        let (result, has) = match may_be_wider(to) {
            true => self.names.wide_result(result, ty)?,
            false => (self.names.result(result, ty)?, ty),
        };
        let mut sources = SmallVec::new();
        for (operand, &ty) in operands.into_iter().zip(&operation.operands) {
            sources.push(match may_be_wider(from) {
                true => self.names.wide_source(operand, ty)?,
                false => self.names.source(operand, ty)?,
            });
        }
        let op = Op::Compute { compute: operation.compute, operands: sources, results: smallvec![result] };
        let (Some(register), true) = (result, is_signed(ty) && size_of(has) > size_of(ty)) else {
            return Ok(op);
        };
        self.push(op, guard, instruction.place);
        let compute = compute::sign_extended(8 * size_of(ty) as u32, 8 * size_of(has) as u32);
        Ok(Op::Compute {
            compute,
            operands: smallvec![Source::Register(register)],
            results: smallvec![result],
        })
    }

    /// The values that `cvt.rs` rounds, of which four stand in a list, and the random bits.
    fn stochastic_operands<'o>(
        &self,
        operands: &'o [Operand<'t>],
        n_operands: usize,
    ) -> Decoded<SmallVec<[&'o Operand<'t>; 5]>> {
        self.names.require_architecture("`cvt.rs`", (8, 7), &["sm_100a", "sm_103a"])?;
        let operands: SmallVec<[&Operand<'t>; 5]> = match operands {
            [Operand::Vector(values), random] if n_operands == 5 => {
                values.iter().chain(std::iter::once(random)).collect()
            }
            _ if n_operands == 5 => {
                return Err(self.names.error("`cvt.rs` takes a list of four values here"));
            }
            operands => operands.iter().collect(),
        };
        match operands.last() {
            Some(Operand::Constant(_)) => Err(self.names.error("the random bits are in a register")),
            _ => Ok(operands),
        }
    }
}

/// Whether registers may be wider than the type that a modifier of `cvt` names.
fn may_be_wider(name: &str) -> bool {
    matches!(name, "u8" | "s8" | "u16" | "s16" | "u32" | "s32" | "u64" | "s64" | "f16" | "f32")
}
