//! Decodes barriers of the block.

use smallvec::SmallVec;

use super::Decoder;
use crate::program::code::{BarrierReduction, BarrierVotes, Op};
use crate::program::operand::Decoded;
use crate::ptx::syntax::{self, Type};

impl<'t> Decoder<'_, 't> {
    /// PTX ISA "bar", "barrier"
    pub(super) fn barrier(&mut self, instruction: &syntax::Instruction<'t>) -> Decoded<Op> {
        let modifiers: SmallVec<[&str; 4]> = instruction.modifiers.iter().copied().collect();
        let plain: SmallVec<[&str; 4]> =
            modifiers.iter().copied().filter(|modifier| !matches!(*modifier, "cta" | "aligned")).collect();
        // `bar` is for whole warps, `barrier` if it says so.
        let is_for_warps = instruction.opcode == "bar" || modifiers.contains(&"aligned");
        let operands = &instruction.operands[..];
        match (&plain[..], operands) {
            (["sync"], [number, rest @ ..]) if rest.len() <= 1 => {
                let number = self.names.source(number, Type::U32)?;
                let n_threads = rest.first().map(|n| self.names.source(n, Type::U32)).transpose()?;
                Ok(Op::Barrier { number, n_threads, is_for_warps, votes: None })
            }
            (["arrive"], [number, n_threads]) => {
                let number = self.names.source(number, Type::U32)?;
                Ok(Op::Arrive { number, n_threads: self.names.source(n_threads, Type::U32)? })
            }
            (["red", reduction, ty], [result, number, rest @ .., predicate]) if rest.len() <= 1 => {
                let reduction = match (*reduction, *ty) {
                    ("popc", "u32") => BarrierReduction::Count,
                    ("and", "pred") => BarrierReduction::All,
                    ("or", "pred") => BarrierReduction::Any,
                    _ => {
                        return Err(self
                            .names
                            .error("a barrier reduction must be `.popc.u32`, `.and.pred` or `.or.pred`"));
                    }
                };
                let ty = if reduction == BarrierReduction::Count { Type::U32 } else { Type::Pred };
                let number = self.names.source(number, Type::U32)?;
                let n_threads = rest.first().map(|n| self.names.source(n, Type::U32)).transpose()?;
                let predicate = self.predicate_or_source(predicate, Type::Pred)?;
                let result = self.names.result(result, ty)?;
                let votes = Some(BarrierVotes { reduction, predicate, result });
                Ok(Op::Barrier { number, n_threads, is_for_warps, votes })
            }
            (["sync"] | ["arrive"] | ["red", _, _], _) => Err(self.names.error(
                "a barrier takes a number and, depending on its form, a thread count and a predicate",
            )),
            _ => Err(self.names.unknown(instruction)),
        }
    }
}
