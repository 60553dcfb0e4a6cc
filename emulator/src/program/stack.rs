//! Memory on the stack (PTX ISA "Stack Manipulation Instructions").

use super::code::Op;
use super::operand::{Decoded, InstructionDecoder};
use crate::ptx::syntax::{Constant, Instruction, Operand, Type};

/// What memory on the stack is aligned to if nothing is said, in bytes.
const DEFAULT_ALIGN: u64 = 8;

/// The greatest alignment that may be asked for, in bytes.
const MAX_ALIGN: u64 = 1 << 23;

impl<'t> InstructionDecoder<'_, 't> {
    /// `alloca`, `stacksave`, `stackrestore`, of addresses of a type.
    pub(super) fn stack(&mut self, instruction: &Instruction<'t>, ty: Type) -> Decoded<Op> {
        match (instruction.opcode, &instruction.operands[..]) {
            ("alloca", [result, size, align @ ..]) => {
                let align = match align {
                    [] => DEFAULT_ALIGN,
                    [Operand::Constant(Constant::Int(align))]
                        if align.is_power_of_two() && *align <= MAX_ALIGN =>
                    {
                        *align
                    }
                    _ => return Err(self.error("the alignment must be a power of two of at most 2^23")),
                };
                let size = self.source(size, ty)?;
                Ok(Op::Alloca { size, align, result: self.result(result, ty)? })
            }
            ("stacksave", [result]) => Ok(Op::StackSave { result: self.result(result, ty)? }),
            ("stackrestore", [pointer @ Operand::Name(_)]) => {
                Ok(Op::StackRestore { pointer: self.source(pointer, ty)? })
            }
            ("stackrestore", [_]) => Err(self.error("`stackrestore` takes a register")),
            (opcode, _) => Err(self.error(format!("wrong number of operands of `{opcode}`"))),
        }
    }
}
