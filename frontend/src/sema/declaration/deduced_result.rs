//! Functions whose result has the type `auto` (C++17 10.1.7.4): the first `return` says what it is, and the others agree.

use crate::ast::{DeclSpecs, Declarator, ExprId, ExprKind, TypeSpec};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, FuncTy, Quals, StmtData, Ty, TyKind};
use crate::source::Span;

use super::Declaration;
use crate::sema::Declarations;
use crate::sema::conversion::Target;

/// The type of the result of the function that is being checked.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::sema) enum ResultTy {
    Declared,
    /// By a `return`, if there was one: where.
    Deduced(Option<Span>),
}

impl Declarations<'_> {
    /// Whether the definition is one of a function whose result is just `auto`.
    pub(super) fn deduces_result(&self, specs: &DeclSpecs, declarator: &Declarator) -> bool {
        matches!(specs.ty, TypeSpec::Auto)
            && declarator.chunks.len() == 1
            && specs.quals.const_.is_none()
            && specs.quals.volatile.is_none()
            && specs.storage.is_none_or(|(storage, _)| storage != crate::ast::Storage::Typedef)
    }

    /// Refuses definitions with such a result that are more than a function's first declaration.
    pub(super) fn refuse_deduced(&mut self, decl: &Declaration<'_>) -> Result<(), Reported> {
        if decl.attrs.global.is_some() {
            let message = "kernel function cannot have a deduced return type";
            return Err(self.error(Code::InvalidKernel, decl.specs.ty_span, message));
        }
        let key = (self.scopes.namespace(), decl.name.symbol);
        let known = self.known.funcs_by_name.get(&key).into_iter().flatten().copied();
        let same = known.into_iter().find(|&func| {
            let types = &self.module.types;
            let params = |ty: Ty| types.func(types.canonical(ty)).map(|func| func.params.clone());
            params(self.module.functions[func].ty) == params(decl.ty)
        });
        let Some(previous) = same else { return Ok(()) };
        let name = self.spelling(decl.name.symbol);
        let message =
            format!("definition of `{name}` with a deduced return type follows another declaration");
        let diagnostic = Diagnostic::new(Code::ConflictingTypes, decl.name.span, message)
            .with_label(self.module.functions[previous].span, "previously declared here");
        Err(self.sink.error(diagnostic))
    }

    /// Reports a use of the function in its own body before the first `return`.
    pub(in crate::sema) fn require_deduced(&mut self, func: Func, span: Span) -> Result<(), Reported> {
        let is_open = self
            .func
            .as_ref()
            .is_some_and(|current| current.func == func && current.result == ResultTy::Deduced(None));
        if !is_open {
            return Ok(());
        }
        let name = &self.module.functions[func].name;
        let message =
            format!("function `{name}` with deduced return type cannot be used before it is defined");
        Err(self.error(Code::InvalidAuto, span, message))
    }

    /// A `return` in such a function, of which an earlier one was at `before`.
    pub(in crate::sema) fn check_deducing_return(
        &mut self,
        value: Option<ExprId>,
        before: Option<Span>,
        span: Span,
    ) -> Result<StmtData, Reported> {
        let value = match value {
            Some(id) if let ExprKind::Braced(_) = self.unit.exprs[id].kind => {
                let message = "cannot deduce return type from initializer list";
                return Err(self.cx.error(Code::InvalidAuto, self.unit.exprs[id].span, message));
            }
            Some(id) => Some(self.expressions().check_rvalue(id)?),
            None => None,
        };
        let ty = value.map_or(Ty::VOID, |value| self.ty_of(value));
        let ty = self.module.types.unqualified(ty);
        let at = value.map_or(span, |value| self.span_of(value));
        if matches!(self.module.types.kind(ty), TyKind::Nullptr | TyKind::Opaque(_)) {
            let message = format!("return type deduced as {}, which is not supported", self.show(ty));
            return Err(self.error(Code::UnsupportedAuto, at, message));
        }
        let ret = self.statements().func_cx().ret;
        match before {
            Some(_) if self.same(ty, ret) => {}
            Some(before) => {
                let (ty, ret) = (self.show(ty), self.show(ret));
                let message = format!(
                    "`auto` in return type deduced as {ty} here but deduced as {ret} in earlier return statement"
                );
                let diagnostic =
                    Diagnostic::new(Code::InvalidAuto, at, message).with_label(before, "deduced here");
                return Err(self.sink.error(diagnostic));
            }
            None => self.set_result(ty, at)?,
        }
        let Some(value) = value else { return Ok(StmtData::Return(None)) };
        if *self.module.types.kind(ty) == TyKind::Void {
            return Ok(StmtData::Return(Some(value)));
        }
        Ok(StmtData::Return(Some(self.conversions().convert(value, ty, Target::Return)?)))
    }

    fn set_result(&mut self, ret: Ty, at: Span) -> Result<(), Reported> {
        self.calls().require_return_ty(ret, at)?;
        self.names().require_device_copy(ret, at)?;
        let func_cx = self.statements().func_cx();
        (func_cx.ret, func_cx.result) = (ret, ResultTy::Deduced(Some(at)));
        let func = func_cx.func;
        if let Some(FuncTy { params, variadic, .. }) =
            self.module.types.func(self.module.functions[func].ty).cloned()
        {
            let ty = TyKind::Func(FuncTy { ret, params, variadic });
            self.module.functions[func].ty = self.module.types.intern(ty, Quals::empty());
        }
        Ok(())
    }
}
