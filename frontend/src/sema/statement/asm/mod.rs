//! Inline PTX (Inline PTX Assembly in CUDA): the statement, and what it says that it changes.
//!
//! What nvcc takes and refuses was asked of it. The text is taken apart; that it is PTX, others check.
//!
//! - [`operand`]: constraints and operands
//! - [`template`]: the text

mod operand;
mod template;

use thin_vec::ThinVec;

use self::operand::Slot;
use crate::ast::{AsmId, AsmString};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::Asm;
use crate::sema::Statements;

impl Statements<'_> {
    /// Checks an `asm` statement.
    pub(super) fn check_asm(&mut self, asm: AsmId) -> Result<Asm, Reported> {
        let stmt = &self.unit.asms[asm];
        let (mut outputs, mut inputs) = (ThinVec::new(), ThinVec::new());
        let mut slots = Vec::with_capacity(stmt.outputs.len() + stmt.inputs.len());
        let mut failed = None;
        for operand in &stmt.outputs {
            let number = slots.len() as u32;
            let slot = self.asm_output(operand, number).map(|output| {
                outputs.push(output);
                Slot::Register((outputs.len() - 1) as u32)
            });
            slots.push(slot);
        }
        for operand in &stmt.inputs {
            let n_outputs = stmt.outputs.len();
            let number = slots.len() as u32;
            let slot = self.asm_input(operand, number).map(|input| match input {
                operand::Input::Register(input) => {
                    inputs.push(input);
                    Slot::Register((n_outputs + inputs.len() - 1) as u32)
                }
                operand::Input::Text(text) => Slot::Text(text),
            });
            slots.push(slot);
        }
        let has_memory = self.asm_clobbers(&stmt.clobbers);
        let text = self.asm_template(stmt, &slots);
        failed = failed.or(slots.iter().find_map(|slot| slot.as_ref().err().copied()));
        if let Some(reported) = failed {
            return Err(reported);
        }
        let (pieces, places) = text?;
        let has_effects = stmt.volatile.is_some() || outputs.is_empty() || has_memory?;
        Ok(Asm { pieces, outputs, inputs, has_effects, places })
    }

    /// Whether memory is among what an `asm` changes.
    fn asm_clobbers(&mut self, clobbers: &[AsmString]) -> Result<bool, Reported> {
        let mut outcome = Ok(!clobbers.is_empty());
        for clobber in clobbers {
            let name: String = self.unit.strings[clobber.literal]
                .units
                .iter()
                .filter_map(|&unit| char::from_u32(unit))
                .collect();
            if name != "memory" {
                let message = format!("unknown register name `{}` in `asm`", name.escape_debug());
                let diagnostic = Diagnostic::new(Code::InvalidAsm, clobber.span, message)
                    .with_note("PTX has no fixed register names; `\"memory\"` is the only supported clobber");
                outcome = Err(self.sink.error(diagnostic));
            }
        }
        outcome
    }
}
