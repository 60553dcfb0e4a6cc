//! Clusters of blocks, which see one another's shared memory (PTX ISA "barrier.cluster", "mapa", "getctarank").

use std::sync::Arc;

use smallvec::smallvec;

use super::code::{Op, Source, Special};
use super::operand::{Decoded, InstructionDecoder};
use crate::compute::{Compute, WARP_SIZE};
use crate::memory::BLOCK_WINDOW;
use crate::ptx::syntax::{Instruction, Type};

impl<'t> InstructionDecoder<'_, 't> {
    /// `barrier.cluster`
    pub(super) fn cluster_barrier(&self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let plain: Vec<&str> =
            instruction.modifiers.iter().copied().filter(|modifier| *modifier != "aligned").collect();
        if !instruction.operands.is_empty() {
            return Err(self.error("the cluster barrier takes no operands"));
        }
        match plain[..] {
            ["cluster", "arrive"] | ["cluster", "arrive", "release"] => {
                Ok(Op::ClusterArrive { is_release: true })
            }
            ["cluster", "arrive", "relaxed"] => Ok(Op::ClusterArrive { is_release: false }),
            ["cluster", "wait"] | ["cluster", "wait", "acquire"] => Ok(Op::ClusterWait),
            _ => Err(self.unknown(instruction)),
        }
    }

    /// `mapa`: the address of another block for what has an address in this one. `getctarank`: whose an address is.
    pub(super) fn in_cluster(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let windows = self.symbols.windows;
        let ty = match instruction.modifiers[..] {
            [ty] | ["shared::cluster", ty] => Type::named(ty),
            _ => None,
        };
        let ty =
            ty.filter(|ty| matches!(ty, Type::U32 | Type::U64)).ok_or_else(|| self.unknown(instruction))?;
        let offset = move |address: u64| address & (windows.size - 1);
        let (compute, operands, result): (Compute, _, _) =
            match (instruction.opcode, &instruction.operands[..]) {
                ("mapa", [result, address, rank]) => {
                    let compute: Compute = Arc::new(move |operands, results| {
                        for lane in 0..WARP_SIZE {
                            let (address, rank) = (operands[0][lane], operands[1][lane]);
                            let at =
                                (rank + 1).wrapping_mul(BLOCK_WINDOW) | offset(address) & (BLOCK_WINDOW - 1);
                            results[0][lane] = (address & !(windows.size - 1)).wrapping_add(at);
                        }
                    });
                    let operands = smallvec![self.source(address, ty)?, self.source(rank, Type::U32)?];
                    (compute, operands, self.result(result, ty)?)
                }
                ("getctarank", [result, address]) => {
                    let compute: Compute = Arc::new(move |operands, results| {
                        for lane in 0..WARP_SIZE {
                            let rank = (offset(operands[0][lane]) / BLOCK_WINDOW).checked_sub(1);
                            results[0][lane] = rank.unwrap_or(operands[1][lane]);
                        }
                    });
                    let operands =
                        smallvec![self.source(address, ty)?, Source::Special(Special::ClusterRank)];
                    (compute, operands, self.result(result, Type::U32)?)
                }
                _ => return Err(self.error(format!("invalid operands of `{}`", instruction.opcode))),
            };
        Ok(Op::Compute { compute, operands, results: smallvec![result] })
    }
}
