//! Operands of video instructions, which say which of their bytes are meant (PTX ISA "Video Instructions").

use smallvec::{SmallVec, smallvec};

use super::code::Op;
use super::operand::{Decoded, InstructionDecoder};
use crate::compute::video::{self, Selectors};
use crate::ptx::syntax::{Instruction, Operand, Type};

impl<'t> InstructionDecoder<'_, 't> {
    /// A video instruction.
    pub(super) fn video(&mut self, instruction: &Instruction<'t>) -> Decoded<Op> {
        let Some((result, operands)) = instruction.operands.split_first() else {
            return Err(self.error("the instruction has no operands"));
        };
        let mut selectors = Selectors::default();
        let (result, selector) = chosen(result);
        selectors.result = selector;
        let result = self.result(&result, Type::U32)?;
        let mut sources = SmallVec::new();
        for (idx, operand) in operands.iter().enumerate() {
            let (negated, operand) = match operand {
                Operand::Negated(operand) => (true, &**operand),
                operand => (false, operand),
            };
            let (operand, selector) = chosen(operand);
            if let Some(place) = selectors.negated.get_mut(idx) {
                *place = negated;
            }
            match selectors.operands.get_mut(idx) {
                Some(place) => *place = selector,
                None if selector.is_some() => {
                    return Err(self.error("the third operand must be a whole word"));
                }
                None => {}
            }
            sources.push(self.source(&operand, Type::U32)?);
        }
        let operation = video::operation(instruction.opcode, &instruction.modifiers, selectors)
            .map_err(|message| self.error(message))?;
        // Without a second operation a third operand is allowed, and does nothing.
        let n_operands = operation.operands.len();
        let is_idle = |found: usize| n_operands == 2 && found == 3;
        if sources.len() != n_operands && !is_idle(sources.len()) {
            let message =
                format!("the instruction takes {} operands, found {}", n_operands + 1, sources.len() + 1);
            return Err(self.error(message));
        }
        sources.truncate(n_operands);
        Ok(Op::Compute { compute: operation.compute, operands: sources, results: smallvec![result] })
    }
}

/// A register, and what stands behind it.
fn chosen<'t>(operand: &Operand<'t>) -> (Operand<'t>, Option<&'t str>) {
    match operand {
        // Special registers have parts of other names, and vectors of one letter.
        Operand::Part(name, part) if part.starts_with(['b', 'h']) && part.len() > 1 => {
            (Operand::Name(name), Some(part))
        }
        other => (other.clone(), None),
    }
}
