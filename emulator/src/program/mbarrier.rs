//! mbarrier objects (PTX ISA "mbarrier").

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::code::{Mbarrier, MbarrierAction, Memory, Op, Order, Scope, Semantics, Source};
use super::operand::{Decoded, InstructionDecoder};
use super::order::OrderWords;
use crate::compute::mbarrier;
use crate::ptx::syntax::{Instruction, Operand, Type};

/// A count of one, where nothing is said.
const ONE: u64 = 1;

impl<'t> InstructionDecoder<'_, 't> {
    /// `mbarrier`
    pub(super) fn mbarrier(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let [action, modifiers @ .., "b64"] = &instruction.modifiers[..] else {
            return Err(self.unknown(instruction));
        };
        if *action == "pending_count" {
            return self.pending_count(instruction);
        }
        let (mut memory, mut words, mut names) =
            (self.generic(), OrderWords::default(), SmallVec::<[&str; 2]>::new());
        let mut is_of_cluster = false;
        for modifier in modifiers {
            match *modifier {
                "shared" | "shared::cta" => memory = Memory::Shared,
                "shared::cluster" => (memory, is_of_cluster) = (Memory::Shared, true),
                word if words.take(word) => {}
                name => names.push(name),
            }
        }
        let action = match (*action, &names[..]) {
            ("init", []) => MbarrierAction::Init,
            ("inval", []) => MbarrierAction::Invalidate,
            ("expect_tx", []) => MbarrierAction::ExpectTx,
            ("complete_tx", []) => MbarrierAction::CompleteTx,
            ("arrive" | "arrive_drop", []) => {
                MbarrierAction::Arrive { drops: *action == "arrive_drop", is_incomplete: false }
            }
            ("arrive" | "arrive_drop", ["expect_tx"]) => {
                MbarrierAction::ArriveExpectTx { drops: *action == "arrive_drop" }
            }
            ("arrive" | "arrive_drop", ["noComplete"]) => {
                MbarrierAction::Arrive { drops: *action == "arrive_drop", is_incomplete: true }
            }
            ("test_wait" | "try_wait", []) => MbarrierAction::Wait { is_of_parity: false },
            ("test_wait" | "try_wait", ["parity"]) => MbarrierAction::Wait { is_of_parity: true },
            _ => return Err(self.unknown(instruction)),
        };
        let order = self.order_of_mbarrier(instruction, action, &words)?;
        let misfit = |names: &Self| {
            Err(names.error(format!("invalid operands of `mbarrier.{}`", instruction.modifiers[0])))
        };
        let may_sleep = instruction.modifiers[0] == "try_wait";
        let (result, address, rest) = match (action, &instruction.operands[..]) {
            (
                MbarrierAction::Init
                | MbarrierAction::Invalidate
                | MbarrierAction::ExpectTx
                | MbarrierAction::CompleteTx,
                [address, rest @ ..],
            ) => (None, address, rest),
            (MbarrierAction::Wait { .. }, [result, address, rest @ ..]) => {
                (self.result(result, Type::Pred)?, address, rest)
            }
            (
                MbarrierAction::Arrive { .. } | MbarrierAction::ArriveExpectTx { .. },
                [result, address, rest @ ..],
            ) => {
                if is_of_cluster && *result != Operand::Sink {
                    return Err(self.error("an arrival in `.shared::cluster` returns no state; write `_`"));
                }
                (self.result(result, Type::B64)?, address, rest)
            }
            _ => return misfit(self),
        };
        let mut operands = SmallVec::new();
        match (action, rest) {
            (MbarrierAction::Invalidate, []) => {}
            (MbarrierAction::Arrive { is_incomplete: false, .. }, []) => operands.push(self.constant(ONE)),
            (
                MbarrierAction::Init
                | MbarrierAction::ExpectTx
                | MbarrierAction::CompleteTx
                | MbarrierAction::Arrive { .. }
                | MbarrierAction::ArriveExpectTx { .. },
                [count],
            ) => operands.push(self.source(count, Type::U32)?),
            (MbarrierAction::Wait { is_of_parity }, [phase, hint @ ..])
                if hint.len() <= usize::from(may_sleep) =>
            {
                let ty = if is_of_parity { Type::B32 } else { Type::B64 };
                operands.push(self.source(phase, ty)?);
                for hint in hint {
                    self.source(hint, Type::U32)?;
                }
            }
            _ => return misfit(self),
        }
        let address = self.address(address, memory)?;
        Ok(Op::Mbarrier(Box::new(Mbarrier { address, action, operands, result, order })))
    }

    /// Arrivals release and waits acquire, within the block, if nothing is said.
    fn order_of_mbarrier(
        &self,
        instruction: &Instruction<'t>,
        action: MbarrierAction,
        words: &OrderWords<'t>,
    ) -> Decoded<Order> {
        let (usual, named) = match action {
            MbarrierAction::Init | MbarrierAction::Invalidate if words.is_empty() => return Ok(Order::WEAK),
            MbarrierAction::Init | MbarrierAction::Invalidate => return Err(self.unknown(instruction)),
            MbarrierAction::ExpectTx | MbarrierAction::CompleteTx | MbarrierAction::Look => {
                (Semantics::Relaxed, "relaxed")
            }
            MbarrierAction::Arrive { .. }
            | MbarrierAction::ArriveExtended
            | MbarrierAction::ArriveExpectTx { .. } => (Semantics::Release, "release"),
            MbarrierAction::Wait { .. } => (Semantics::Acquire, "acquire"),
        };
        let (semantics, scope) = words.parts().ok_or_else(|| self.unknown(instruction))?;
        let semantics = match semantics {
            None => usual,
            Some("relaxed") => Semantics::Relaxed,
            Some(name) if name == named => usual,
            Some(_) => return Err(self.unknown(instruction)),
        };
        match scope {
            Some(Scope::Device | Scope::System) => Err(self.unknown(instruction)),
            scope => Ok(Order { semantics, scope: scope.unwrap_or(Scope::Block), is_volatile: false }),
        }
    }

    fn pending_count(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let [result, state] = &instruction.operands[..] else {
            return Err(self.error("`mbarrier.pending_count` takes a result and a state"));
        };
        let (results, operands): (_, SmallVec<[Source; 3]>) =
            (smallvec![self.result(result, Type::B32)?], smallvec![self.source(state, Type::B64)?]);
        let compute: crate::compute::Compute =
            Arc::new(|operands, results| results[0] = operands[0].map(mbarrier::pending));
        Ok(Op::Compute { compute, operands, results })
    }
}
