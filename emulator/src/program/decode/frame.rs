//! Declares parameters and variables of a function, and assigns their offsets in its frame.

use super::Decoder;
use crate::program::code::{FrameVariable, Slot};
use crate::program::debug::Local;
use crate::program::layout::{align_of_variable, size_of_variable};
use crate::program::operand::{Decoded, Name};
use crate::ptx::syntax::{Space, Variable};

/// The maximum size of a function's local memory, in bytes (PTX ISA "State Spaces": 512 KiB per thread).
const MAX_FRAME: u64 = 512 << 10;

/// The prefix of LLVM's name for the local variables of a function.
const DEPOT: &str = "__local_depot";

impl<'t> Decoder<'_, 't> {
    /// Declares parameters: those of a kernel in `.param`, those of a function in its frame.
    pub(super) fn declare_params(&mut self, params: &[Variable<'t>], is_entry: bool) -> Decoded<Vec<Slot>> {
        let (mut slots, mut end) = (Vec::new(), 0);
        for param in params {
            self.names.place = param.place;
            if param.space == Space::Reg && !is_entry {
                slots.push(self.declare_register_param(param)?);
                continue;
            }
            if param.space != Space::Param {
                return Err(self.names.error("a kernel parameter must be in `.param`"));
            }
            if !is_entry && matches!(param.dims[..], [None]) {
                let register = self.names.fresh();
                self.open_param = Some(register);
                self.names.declare(param.name, Name::OpenParam(register));
                continue;
            }
            let size = self.size_of(param)?;
            let slot = if is_entry {
                let offset = u64::next_multiple_of(end, align_of_variable(param));
                end = offset + size;
                self.names.declare(param.name, Name::KernelParam(offset));
                Slot { offset, size }
            } else {
                self.declare_in_frame(param, size)
            };
            slots.push(slot);
        }
        Ok(slots)
    }

    fn size_of(&self, variable: &Variable<'t>) -> Decoded<u64> {
        let size = size_of_variable(variable).filter(|&size| size <= MAX_FRAME);
        size.ok_or_else(|| self.names.error(format!("`{}` is too large", variable.name)))
    }

    fn declare_in_frame(&mut self, variable: &Variable<'t>, size: u64) -> Slot {
        let offset = self.frame_size.next_multiple_of(align_of_variable(variable));
        self.frame_size = offset + size;
        self.names.declare_variable(variable, Name::Frame { offset, size });
        Slot { offset, size }
    }

    /// Records a variable in local memory, or those in LLVM's block of local variables.
    fn add_frame_variables(&mut self, name: &'t str, slot: Slot) {
        let locals = self.names.symbols.locals.get(name).map_or(&[][..], Vec::as_slice);
        if !locals.is_empty() {
            self.hints.depots.push(slot.offset);
        }
        for Local { name, offset, layout } in locals {
            let (start, size) = (slot.offset + offset, layout.size());
            if offset.checked_add(size).is_some_and(|end| end <= slot.size) {
                let (name, layout) = (format!("`{name}`"), Some(layout.clone()));
                self.variables.push(FrameVariable { name, start, size, layout });
            }
        }
        if locals.is_empty() {
            let is_depot = name.starts_with(DEPOT);
            let name = if is_depot { "the local variables".to_owned() } else { format!("`{name}`") };
            let Slot { offset: start, size } = slot;
            self.variables.push(FrameVariable { name, start, size, layout: None });
        }
    }

    pub(in crate::program) fn variable(&mut self, variable: &Variable<'t>) -> Decoded<()> {
        self.names.place = variable.place;
        match variable.space {
            Space::Reg => self.names.declare_registers(variable),
            Space::Local | Space::Param => {
                let size = self.size_of(variable)?;
                let slot = self.declare_in_frame(variable, size);
                if variable.space == Space::Local {
                    self.add_frame_variables(variable.name, slot);
                }
                if self.frame_size > MAX_FRAME {
                    return Err(self.names.error("the function has too much local memory"));
                }
                Ok(())
            }
            Space::Shared | Space::Global | Space::Const => {
                let address = self.names.symbols.inner_address(variable);
                let address = address.ok_or_else(|| self.names.error("the variable has no address"))?;
                self.names.declare_variable(variable, Name::Variable(variable.space, address));
                Ok(())
            }
            Space::Sreg | Space::Tex => {
                Err(self.names.error("functions cannot declare variables of this state space"))
            }
        }
    }
}
