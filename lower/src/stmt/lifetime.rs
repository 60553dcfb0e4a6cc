//! Lifetimes of large block-scope variables (C17 6.2.4p6), for LLVM, which lets variables with disjoint lifetimes
//! share memory. nvcc does so only for inlined functions.
//!
//! A variable's lifetime starts at its declaration, and ends at the end of its block. A jump out of the block does not end it:
//! that only costs memory. If a jump to a label or case could bypass the declaration, no lifetime is marked.

use weft_frontend::ir::{Local, TyKind};

use crate::place::Address;
use crate::stmt::Statements;
use crate::{Bug, OptLevel};

/// The minimum size of variables whose lifetimes are marked.
const LEAST_SIZE: u64 = 64;

impl<'ctx> Statements<'_, '_, '_, 'ctx> {
    /// Starts a variable's lifetime at its declaration.
    pub(super) fn start_lifetime(&mut self, local: Local, address: Address<'ctx>) -> Result<(), Bug> {
        let ty = self.exprs.body.locals[local].ty;
        let is_large = matches!(self.cx.ir.types.kind(ty), TyKind::Array(..) | TyKind::Record(_))
            && self.cx.layout(ty).size >= LEAST_SIZE;
        let has_jumps = !self.exprs.body.labels.is_empty() || !self.exprs.flow.switches.is_empty();
        if !is_large || has_jumps || self.cx.options.opt_level == OptLevel::O0 {
            return Ok(());
        }
        self.mark_life("llvm.lifetime.start", address)?;
        self.exprs.flow.living.push(address);
        Ok(())
    }

    /// Lowers a block, and ends the lifetimes of its variables.
    pub(super) fn with_lives(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Result<(), Bug>,
    ) -> Result<(), Bug> {
        let n_outside = self.exprs.flow.living.len();
        inside(self)?;
        for address in self.exprs.flow.living.split_off(n_outside) {
            self.mark_life("llvm.lifetime.end", address)?;
        }
        Ok(())
    }

    fn mark_life(&self, name: &str, address: Address<'ctx>) -> Result<(), Bug> {
        let marker = self.cx.intrinsic(name, &[address.ptr.get_type().into()])?;
        self.code.builder.build_direct_call(marker, &[address.ptr.into()], "")?;
        Ok(())
    }
}
