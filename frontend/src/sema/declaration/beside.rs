//! Names that are taken in a namespace, though no lookup there finds what has them.

use crate::ast::{Name, Storage};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::Func;
use crate::sema::Declarations;
use crate::sema::name::scope::{Binding, Entity};
use crate::source::Span;

impl Declarations<'_> {
    /// Reports what a namespace declares by the name of a function that a block has declared, a member of the namespace all the same
    /// (C++17 6.5p6).
    pub(super) fn refuse_beside_function_of_block(&mut self, name: Name) -> Result<(), Reported> {
        let functions = &self.module.functions;
        let mut named = self.funcs_named(name.symbol).iter().map(|&func| (func, functions[func].span));
        let is_declared = |&(func, _): &(Func, Span)| {
            !self.known.func_facts.get(&func).is_some_and(|facts| facts.is_predeclared)
        };
        match named.find(is_declared) {
            Some((func, span)) if self.scopes.is_file_scope() => {
                Err(self.names().redefinition(name, Binding { entity: Entity::Func(func), span: Some(span) }))
            }
            _ => Ok(()),
        }
    }

    /// Reports what a namespace declares by the name of a variable that a block has declared `extern`, a member of the namespace all the
    /// same (C++17 6.5p6).
    pub(super) fn refuse_beside_variable_of_block(&mut self, name: Name) -> Result<(), Reported> {
        let key = (self.scopes.namespace(), name.symbol);
        match self.known.declarations.globals_by_name.get(&key) {
            // In a block, nvcc alone refuses it, in unnamed namespaces.
            Some(&global) if self.scopes.is_file_scope() || self.names_ref().is_in_unnamed_namespace() => {
                let span = Some(self.module.globals[global].span);
                Err(self.names().redefinition(name, Binding { entity: Entity::Global(global), span }))
            }
            _ => Ok(()),
        }
    }

    /// Reports a variable with the name of a struct, union or enum of an inline namespace, the same one or one of a namespace around it: C++ has
    /// it hide that (C++17 6.3.10p2), and nvcc refuses it.
    pub(super) fn refuse_beside_tag_of_inline(
        &mut self,
        name: Name,
        storage: Option<Storage>,
    ) -> Result<(), Reported> {
        let Some((tag, span)) = self.scopes.tag_here(name.symbol) else { return Ok(()) };
        // Variables of blocks and their types are no members of the namespace.
        let is_used = || span.is_some_and(|at| self.known.names.used_tags.contains(&at));
        if !self.scopes.is_file_scope() && (storage != Some(Storage::Extern) || !is_used()) {
            return Ok(());
        }
        let of_tag = self.names_ref().namespace_of_type(tag);
        if !self.module.types.namespaces[of_tag].is_inline || !self.scopes.is_within_outside_inline(of_tag) {
            return Ok(());
        }
        let message = format!("redefinition of `{}` as different kind of symbol", self.spelling(name.symbol));
        let mut diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
            .with_note("a variable cannot hide a type of an inline namespace here, as with nvcc");
        if let Some(span) = span {
            diagnostic = diagnostic.with_label(span, "previously declared here");
        }
        Err(self.sink.error(diagnostic))
    }
}
