//! Subprograms, lexical blocks and positions.

use std::cell::RefCell;
use std::collections::HashMap;

use inkwell::builder::Builder;
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use weft_frontend::source::Span;

use super::ModuleDebug;
use super::raw::{self, Metadata};

/// The scopes of the function that is being lowered.
pub(crate) struct FnDebug<'d, 'f, 'a, 'ctx> {
    module: &'d ModuleDebug<'f, 'a, 'ctx>,
    /// The subprogram, then the blocks that are open.
    scopes: Vec<Scope<'a, 'ctx>>,
    /// Scopes in other files than their own: a body may go through several files, by `#include` and `#line`.
    elsewhere: RefCell<HashMap<(LLVMMetadataRef, &'a str), Metadata<'ctx>>>,
    /// What the function is called in the object.
    symbol: &'d str,
}

/// A scope and the name of the file that it begins in.
#[derive(Clone, Copy)]
struct Scope<'a, 'ctx> {
    node: Metadata<'ctx>,
    file: &'a str,
}

impl<'d, 'f, 'a, 'ctx> FnDebug<'d, 'f, 'a, 'ctx> {
    /// The scopes of a function whose subprogram says that it is at the span.
    pub(super) fn new(
        module: &'d ModuleDebug<'f, 'a, 'ctx>,
        subprogram: Metadata<'ctx>,
        span: Span,
        symbol: &'d str,
    ) -> Self {
        let file = module.cx.sources.location(span).file;
        FnDebug {
            module,
            scopes: vec![Scope { node: subprogram, file }],
            elsewhere: RefCell::default(),
            symbol,
        }
    }

    /// Opens a lexical block.
    pub(crate) fn enter(&mut self, span: Span) {
        let at = self.module.cx.sources.location(span);
        let block = self.module.builder.lexical_block(
            self.scope().node,
            self.module.file(at.file),
            at.line,
            at.column,
        );
        self.module.note(block, self.symbol);
        self.scopes.push(Scope { node: block, file: at.file });
    }

    /// Closes it.
    pub(crate) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// What the builder makes from now on comes from here in the text.
    pub(crate) fn locate(&self, builder: &Builder<'ctx>, span: Span) {
        let at = self.module.cx.sources.location(span);
        let scope = self.scope();
        let scope = if at.file == scope.file { scope.node } else { self.scope_in(scope.node, at.file) };
        raw::set_location(self.module.cx.llvm, builder, at.line, at.column, scope);
    }

    /// The scope, as it is in another file than its own.
    fn scope_in(&self, scope: Metadata<'ctx>, file: &'a str) -> Metadata<'ctx> {
        *self.elsewhere.borrow_mut().entry((scope.node(), file)).or_insert_with(|| {
            let part = self.module.builder.scope_in_file(scope, self.module.file(file));
            self.module.note(part, self.symbol);
            part
        })
    }

    fn scope(&self) -> Scope<'a, 'ctx> {
        *self.scopes.last().expect("invariant: the subprogram is never left")
    }
}
