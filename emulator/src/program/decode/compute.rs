//! Decodes instructions that only compute, including those on addresses.

use smallvec::{SmallVec, smallvec};

use super::Decoder;
use crate::compute::carry::Carrying;
use crate::compute::{self, Operation};
use crate::memory::BLOCK_WINDOW;
use crate::memory::bytes::Width;
use crate::program::code::{Op, Register, Source};
use crate::program::layout::size_of;
use crate::program::operand::Decoded;
use crate::ptx::syntax::{self, Constant, Operand, Type};

impl<'t> Decoder<'_, 't> {
    /// An instruction that only computes.
    pub(super) fn compute(
        &mut self,
        instruction: &syntax::Instruction<'t>,
        operation: Operation,
    ) -> Decoded<Op> {
        let Some((result, operands)) = instruction.operands.split_first() else {
            return Err(self.names.misfit("the instruction has no operands"));
        };
        let pair = match result {
            Operand::Pair(pair) => vec![&pair.0, &pair.1],
            other => vec![other],
        };
        if pair.len() > operation.results.len() || operands.len() != operation.operands.len() {
            let wanted = operation.operands.len() + 1;
            let found = instruction.operands.len();
            let message = format!("the instruction takes {wanted} operands, found {found}");
            return Err(self.names.misfit(message));
        }
        let mut results = SmallVec::new();
        for (idx, &ty) in operation.results.iter().enumerate() {
            results.push(match pair.get(idx) {
                Some(result) => self.names.result(result, ty)?,
                None => None,
            });
        }
        let mut sources = SmallVec::new();
        for (operand, &ty) in operands.iter().zip(&operation.operands) {
            sources.push(self.predicate_or_source(operand, ty)?);
        }
        Ok(Op::Compute { compute: operation.compute, operands: sources, results })
    }

    /// Requires the lookup table of `lop3` to be an 8-bit number.
    pub(super) fn require_table(&self, instruction: &syntax::Instruction<'t>) -> Decoded<()> {
        match instruction.operands.get(4) {
            Some(Operand::Constant(Constant::Int(0..=255))) | None => Ok(()),
            // ptxas accepts larger ones.
            Some(_) => Err(self.names.error("the lookup table of `lop3` must be a number from 0 to 255")),
        }
    }

    /// An instruction with a carry-in or carry-out.
    pub(super) fn carry(&mut self, instruction: &syntax::Instruction<'t>, carrying: Carrying) -> Decoded<Op> {
        let Carrying { mut operation, takes, gives } = carrying;
        if takes {
            operation.operands.pop();
        }
        let mut op = self.compute(instruction, operation)?;
        let carry = self.names.carry();
        if let Op::Compute { operands, results, .. } = &mut op {
            if takes {
                operands.push(Source::Register(carry));
            }
            if gives && let Some(last) = results.last_mut() {
                *last = Some(carry);
            }
        }
        Ok(op)
    }

    /// A predicate may be negated where it is used.
    pub(super) fn predicate_or_source(&mut self, operand: &Operand<'t>, ty: Type) -> Decoded<Source> {
        let Operand::Not(name) = operand else { return self.names.source(operand, ty) };
        let predicate = self.names.source(&Operand::Name(name), Type::Pred)?;
        let negated = self.names.fresh();
        self.push_operation("not", "pred", predicate, negated)?;
        Ok(Source::Register(negated))
    }

    fn push_operation(&mut self, opcode: &str, ty: &str, operand: Source, result: Register) -> Decoded<()> {
        let operation =
            compute::operation(opcode, &[ty]).ok_or_else(|| self.names.error("unknown operation"))?;
        let (operands, results) = (smallvec![operand], smallvec![Some(result)]);
        self.push(Op::Compute { compute: operation.compute, operands, results }, None, self.names.place);
        Ok(())
    }

    /// PTX ISA "cvta": converts between addresses of a state space and generic ones.
    pub(super) fn convert_address(
        &mut self,
        instruction: &syntax::Instruction<'t>,
        modifiers: &[&str],
    ) -> Decoded<Op> {
        let (is_to, space, ty) = match *modifiers {
            ["to", space, ty] => (true, space, ty),
            [space, ty] => (false, space, ty),
            _ => return Err(self.names.error("`cvta` needs a state space and a type")),
        };
        let windows = self.names.symbols.windows;
        let window = match space {
            "global" => 0,
            "shared" | "shared::cta" | "shared::cluster" => windows.shared,
            "const" => windows.constant,
            "local" => windows.local,
            "param" | "param::entry" => windows.param,
            _ => return Err(self.names.error(format!("unknown state space `.{space}`"))),
        };
        let ty = Type::named(ty).filter(|&ty| 8 * size_of(ty) == u64::from(windows.address_bits));
        let ty =
            ty.ok_or_else(|| self.names.error(format!("addresses have {} bits", windows.address_bits)))?;
        let [result, operand] = &instruction.operands[..] else {
            return Err(self.names.error("`cvta` takes a result and an operand"));
        };
        let operands = smallvec![self.names.source(operand, ty)?];
        let results = smallvec![self.names.result(result, ty)?];
        let compute = compute::moved(if is_to { window.wrapping_neg() } else { window }, windows);
        Ok(Op::Compute { compute, operands, results })
    }

    /// PTX ISA "isspacep"
    pub(super) fn is_in_space(&mut self, instruction: &syntax::Instruction<'t>, space: &str) -> Decoded<Op> {
        let windows = self.names.symbols.windows;
        let window = match space {
            "global" => None,
            "shared" | "shared::cta" => Some((windows.shared, BLOCK_WINDOW)),
            "shared::cluster" => Some((windows.shared, windows.size)),
            "const" => Some((windows.constant, windows.size)),
            "local" => Some((windows.local, windows.size)),
            "param" | "param::entry" => Some((windows.param, windows.size)),
            _ => return Err(self.names.error(format!("unknown state space `.{space}`"))),
        };
        self.compute(instruction, compute::in_window(window, windows))
    }
}

/// Turns an integer division into [`Op::Divide`], so that a zero divisor can be reported.
pub(super) fn divided(op: Op, opcode: &str, modifiers: &[&str]) -> Op {
    let ty = match modifiers {
        [name] => Type::named(name).filter(|_| name.starts_with(['s', 'u'])),
        _ => None,
    };
    match (op, ty.and_then(|ty| Width::of_bytes(size_of(ty)))) {
        (Op::Compute { compute, operands, results }, Some(width)) => match (&operands[..], &results[..]) {
            (&[dividend, divisor], &[result]) => Op::Divide {
                compute,
                operands: [dividend, divisor],
                width,
                result,
                is_remainder: opcode == "rem",
            },
            _ => Op::Compute { compute, operands, results },
        },
        (op, _) => op,
    }
}
