//! Variables without an initializer: constructors that run all the same, and what must have a value.

use super::Declaration;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{ConstInit, Global, Space, Ty};
use crate::sema::Declarations;
use crate::source::Span;

impl Declarations<'_> {
    /// The definition of a variable with static storage duration.
    pub(super) fn define_without_value(
        &mut self,
        global: Global,
        decl: &Declaration<'_>,
        declared: Ty,
    ) -> Result<(), Reported> {
        let name = decl.name;
        self.types().require_complete(declared, name.span)?;
        self.types().require_room(declared, name.span)?;
        self.require_no_const(decl, declared)?;
        if self.conversions_ref().has_empty_default(declared) {
            let is_shared = self.module.globals[global].space == Space::Shared;
            self.module.globals[global].init = (!is_shared).then_some(ConstInit::Zero);
            return Ok(());
        }
        if self.module.globals[global].space == Space::Shared {
            return self.check_shared_construction(declared, name.span);
        }
        let what = format!("`{}`", self.spelling(name.symbol));
        let value = self.in_scratch(|cx| match cx.conversions().default_init(declared, name.span)? {
            Some(init) => cx.conversions().static_init(init, declared, &what),
            None => Ok(ConstInit::Zero),
        })?;
        self.module.globals[global].init = Some(value);
        Ok(())
    }

    /// What is const, all of it or a member, needs an initializer (C++17 11.6p7).
    pub(super) fn require_no_const(&mut self, decl: &Declaration<'_>, ty: Ty) -> Result<(), Reported> {
        if self.is_const(ty) && !self.conversions_ref().is_const_default(ty) {
            return Err(self.uninitialized_const(decl));
        }
        if self.module.types.reference(ty).is_some() {
            let name = self.spelling(decl.name.symbol);
            let message = format!("declaration of reference variable `{name}` requires an initializer");
            return Err(self.error(Code::InvalidReference, decl.name.span, message));
        }
        if self.conversions_ref().constructed_class(ty).is_some() {
            return Ok(());
        }
        self.names().require_device_default(ty, decl.name.span)?;
        let Some(record) = self.module.types.record(ty) else { return Ok(()) };
        let Some((what, member, span)) = self.expressions_ref().fixed_member(record) else { return Ok(()) };
        let name = self.spelling(decl.name.symbol);
        let message = format!(
            "default initialization of `{name}` leaves its member `{member}` uninitialized, which is {what}"
        );
        let diagnostic = Diagnostic::new(Code::UninitializedConst, decl.name.span, message)
            .with_label(span, format!("`{member}` declared here"))
            .with_help("add an initializer");
        Err(self.sink.error(diagnostic))
    }

    pub(super) fn uninitialized_const(&mut self, decl: &Declaration<'_>) -> Reported {
        let ty = self.show(decl.ty);
        let name = self.spelling(decl.name.symbol);
        let message = format!("default initialization of an object `{name}` of const type {ty}");
        let diagnostic = Diagnostic::new(Code::UninitializedConst, decl.name.span, message)
            .with_help("add an initializer");
        self.sink.error(diagnostic)
    }

    /// Nothing constructs an object in shared memory.
    fn check_shared_construction(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        if !self.conversions_ref().has_default(ty) {
            return Ok(());
        }
        // nvcc leaves what has constants as it is.
        let is_constant = self.builtins_ref().is_dim3_ty(ty)
            || self.in_scratch(|cx| match cx.conversions().default_init(ty, span)? {
                Some(init) => Ok(cx.constants().eval_init(init, ty).is_ok()),
                None => Ok(true),
            })?;
        if is_constant {
            return Ok(());
        }
        let shown = self.show(ty);
        if self.scopes.is_file_scope() {
            let message = format!(
                "dynamic initialization is not supported for a `__shared__` variable, and {shown} has a constructor"
            );
            let diagnostic = Diagnostic::new(Code::SharedInitializer, span, message)
                .with_note("an empty constructor, `S() {}`, is allowed");
            return Err(self.sink.error(diagnostic));
        }
        let message = format!("the constructor of {shown} does not run for a `__shared__` variable");
        let diagnostic = Diagnostic::new(Code::SharedConstructor, span, message)
            .with_help("assign to it in the kernel, and call `__syncthreads()`");
        self.sink.emit(diagnostic);
        Ok(())
    }
}
