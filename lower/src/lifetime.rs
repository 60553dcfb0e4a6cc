//! How long large variables of blocks live (C17 6.2.4p6), for LLVM, which lets variables share memory that do not live at the same
//! time. nvcc does so for inlined functions alone.
//!
//! A variable begins to live at its declaration, and ends where its block ends. What leaves the block otherwise ends nothing:
//! that costs memory, and no more. Where a jump could lead past the declaration, to a label or a case, nothing is said.

use weft_frontend::ir::{Local, TyKind};

use crate::function::FnCx;
use crate::place::Address;
use crate::{Bug, OptLevel};

/// Smaller variables are not worth it.
const LEAST_SIZE: u64 = 64;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    /// A variable is declared.
    pub(crate) fn begin_life(&mut self, local: Local, address: Address<'ctx>) -> Result<(), Bug> {
        let ty = self.body.locals[local].ty;
        let is_large = matches!(self.cx.ir.types.kind(ty), TyKind::Array(..) | TyKind::Record(_))
            && self.cx.layout(ty).size >= LEAST_SIZE;
        let has_jumps = !self.body.labels.is_empty() || !self.switches.is_empty();
        if !is_large || has_jumps || self.cx.options.opt_level == OptLevel::O0 {
            return Ok(());
        }
        self.mark_life("llvm.lifetime.start", address)?;
        self.living.push(address);
        Ok(())
    }

    /// Lowers a block, and ends what began to live in it.
    pub(crate) fn with_lives(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Result<(), Bug>,
    ) -> Result<(), Bug> {
        let n_outside = self.living.len();
        inside(self)?;
        for address in self.living.split_off(n_outside) {
            self.mark_life("llvm.lifetime.end", address)?;
        }
        Ok(())
    }

    fn mark_life(&self, name: &str, address: Address<'ctx>) -> Result<(), Bug> {
        let marker = self.cx.intrinsic(name, &[address.ptr.get_type().into()])?;
        self.builder.build_direct_call(marker, &[address.ptr.into()], "")?;
        Ok(())
    }
}
