//! What changes nothing that a thread could see: what caches are told, and how many registers a warp has (PTX ISA
//! "createpolicy", "applypriority", "discard", "setmaxnreg").

use std::sync::Arc;

use smallvec::smallvec;

use super::code::{Memory, Op};
use super::operand::{Decoded, InstructionDecoder};
use crate::compute::{Compute, WARP_SIZE};
use crate::ptx::syntax::{Constant, Instruction, Operand, Type};

/// What stands for any policy: its bits are nobody's business.
const POLICY: u64 = 1 << 60;

impl<'t> InstructionDecoder<'_, 't> {
    /// `createpolicy`
    pub(super) fn cache_policy(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let is_first = |name: &str| {
            matches!(name, "L2::evict_last" | "L2::evict_normal" | "L2::evict_first" | "L2::evict_unchanged")
        };
        let is_second = |name: &str| matches!(name, "L2::evict_first" | "L2::evict_unchanged");
        let has_priorities = |names: &[&str]| match names {
            [first] => is_first(first),
            [first, second] => is_first(first) && is_second(second),
            _ => false,
        };
        let operands = &instruction.operands[..];
        let result = match (&instruction.modifiers[..], operands) {
            (["range", rest @ .., "b64"], [result, address, primary, total])
                if has_priorities(rest.strip_prefix(&["global"]).unwrap_or(rest)) =>
            {
                let memory = if rest.first() == Some(&"global") { Memory::Global } else { self.generic() };
                self.address(address, memory)?;
                self.source(primary, Type::U32)?;
                self.source(total, Type::U32)?;
                result
            }
            (["fractional", rest @ .., "b64"], [result, fraction @ ..])
                if has_priorities(rest) && fraction.len() <= 1 =>
            {
                for fraction in fraction {
                    self.source(fraction, Type::F32)?;
                }
                result
            }
            (["cvt", "L2", "b64"], [result, property]) => {
                self.source(property, Type::B64)?;
                result
            }
            _ => return Err(self.unknown(instruction)),
        };
        let compute: Compute = Arc::new(|_, results| results[0] = [POLICY; WARP_SIZE]);
        let results = smallvec![self.result(result, Type::B64)?];
        Ok(Op::Compute { compute, operands: smallvec![], results })
    }

    /// `applypriority`, `discard`: what a line that is given away holds until it is written again may be what it held.
    pub(super) fn cache_line(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let [address, Operand::Constant(Constant::Int(128))] = &instruction.operands[..] else {
            return Err(self.misfit(format!("`{}` takes an address and the number 128", instruction.opcode)));
        };
        self.address(address, Memory::Global)?;
        Ok(Op::Nothing)
    }

    /// `setmaxnreg`
    pub(super) fn require_register_count(&self, instruction: &Instruction<'t>) -> Decoded<Op> {
        match &instruction.operands[..] {
            [Operand::Constant(Constant::Int(n))] if (24..=256).contains(n) && n.is_multiple_of(8) => {
                Ok(Op::Nothing)
            }
            _ => Err(self.error("`setmaxnreg` takes a number of registers: a multiple of 8 from 24 to 256")),
        }
    }
}
