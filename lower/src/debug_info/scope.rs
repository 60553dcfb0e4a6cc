//! Subprograms, lexical blocks and positions.

use inkwell::builder::Builder;
use weft_frontend::source::Span;

use super::ModuleDebug;
use super::raw::{self, Metadata};

/// The scopes of the function that is being lowered.
pub(crate) struct FnDebug<'d, 'f, 'a, 'ctx> {
    module: &'d ModuleDebug<'f, 'a, 'ctx>,
    /// The subprogram, then the blocks that are open.
    scopes: Vec<Metadata<'ctx>>,
    /// What the function is called in the object.
    symbol: &'d str,
}

impl<'d, 'f, 'a, 'ctx> FnDebug<'d, 'f, 'a, 'ctx> {
    pub(super) fn new(
        module: &'d ModuleDebug<'f, 'a, 'ctx>,
        subprogram: Metadata<'ctx>,
        symbol: &'d str,
    ) -> Self {
        FnDebug { module, scopes: vec![subprogram], symbol }
    }

    /// Opens a lexical block.
    pub(crate) fn enter(&mut self, span: Span) {
        let at = self.module.cx.sources.line_column(span);
        let file = self.module.file(span);
        let block = self.module.builder.lexical_block(self.scope(), file, at.line, at.column);
        self.module.note(block, self.symbol);
        self.scopes.push(block);
    }

    /// Closes it.
    pub(crate) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// What the builder makes from now on comes from here in the text.
    pub(crate) fn locate(&self, builder: &Builder<'ctx>, span: Span) {
        let at = self.module.cx.sources.line_column(span);
        raw::set_location(self.module.cx.llvm, builder, at.line, at.column, self.scope());
    }

    fn scope(&self) -> Metadata<'ctx> {
        *self.scopes.last().expect("invariant: the subprogram is never left")
    }
}
