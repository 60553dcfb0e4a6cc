//! Functions whose result has the type `auto`, `auto *`, `const auto &`, `decltype(auto)` (C++17 10.1.7.4): the first `return` says what it is,
//! and the others agree.

use crate::ast::{
    Chunk, ChunkKind, DeclSpecs, Declarator, ExprId, ExprKind, Name, QualSpecs, Storage, TypeSpec,
};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, FuncTy, Quals, RefKind, StmtData, Ty, TyKind};
use crate::source::Span;

use super::Declaration;
use crate::sema::Declarations;
use crate::sema::conversion::Target;
use crate::sema::expression::Operand;
use crate::sema::name::scope::Entity;
use crate::sema::types::{Lengths, Param};

/// The type of the result of the function that is being checked.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::sema) enum ResultTy {
    Declared,
    /// By a `return`, if there was one: where.
    Deduced(Option<Span>),
}

/// What is written for a result that the body says: `auto`, with qualifiers, pointers and a reference, or `decltype(auto)`.
#[derive(Clone, Copy)]
pub(in crate::sema) struct Placeholder<'d> {
    specs: &'d DeclSpecs,
    /// What leads from the result to `auto`.
    chunks: &'d [Chunk],
}

/// The placeholder of the function that the declarator declares, before its name or after its parameters.
pub(in crate::sema) fn placeholder<'d>(
    specs: &'d DeclSpecs,
    declarator: &'d Declarator,
) -> Option<Placeholder<'d>> {
    let (first, chunks) = declarator.chunks.split_first()?;
    let ChunkKind::Function(function) = &first.kind else { return None };
    let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
    if !specs.ty.is_placeholder() || is_typedef {
        return None;
    }
    let placeholder = match &function.trailing {
        Some(_) if !chunks.is_empty() => return None,
        Some(name) => Placeholder { specs: &name.specs, chunks: &name.declarator.chunks },
        None => Placeholder { specs, chunks },
    };
    let is_plain = |chunk: &Chunk| matches!(chunk.kind, ChunkKind::Pointer(_) | ChunkKind::Reference(..));
    (placeholder.specs.ty.is_placeholder() && placeholder.chunks.iter().all(is_plain)).then_some(placeholder)
}

impl Placeholder<'_> {
    /// Just `auto`.
    fn is_plain(self) -> bool {
        matches!(self.specs.ty, TypeSpec::Auto)
            && self.specs.quals == QualSpecs::default()
            && self.chunks.is_empty()
    }

    /// `decltype(auto)`
    pub(in crate::sema) fn is_decltype(self) -> bool {
        matches!(self.specs.ty, TypeSpec::DecltypeAuto)
    }

    fn text(self) -> String {
        let quals = |quals: &QualSpecs| {
            let words =
                [(quals.const_, "const "), (quals.volatile, "volatile "), (quals.restrict, "__restrict__ ")];
            words.iter().filter(|(written, _)| written.is_some()).map(|&(_, word)| word).collect::<String>()
        };
        let mut text = quals(&self.specs.quals);
        text.push_str(match self.specs.ty {
            TypeSpec::DecltypeAuto => "decltype(auto)",
            _ => "auto",
        });
        for chunk in self.chunks.iter().rev() {
            match &chunk.kind {
                ChunkKind::Reference(RefKind::Lvalue, _) => text.push_str(" &"),
                ChunkKind::Reference(RefKind::Rvalue, _) => text.push_str(" &&"),
                ChunkKind::Pointer(specs) => text = format!("{text} *{}", quals(specs).trim_end()),
                ChunkKind::Array(_) | ChunkKind::Function(_) => {}
            }
        }
        text
    }
}

impl<'a> Declarations<'a> {
    /// Declares a function with such a result, without its body.
    pub(super) fn declare_deduced(
        &mut self,
        decl: &Declaration<'_>,
        params: Vec<Param>,
        placeholder: Placeholder<'_>,
    ) -> Result<Func, Reported> {
        let ty = self.deduced_before(decl, placeholder, false)?;
        let func = self.declare_function(&Declaration { ty, ..*decl }, params)?;
        self.note_placeholder(func, placeholder);
        Ok(func)
    }

    /// The type of the function, as far as it is known by declarations before, which have the same placeholder.
    pub(super) fn deduced_before(
        &mut self,
        decl: &Declaration<'_>,
        placeholder: Placeholder<'_>,
        is_definition: bool,
    ) -> Result<Ty, Reported> {
        if decl.attrs.global.is_some() {
            let message = "kernel function cannot have a deduced return type";
            return Err(self.error(Code::InvalidKernel, decl.specs.ty_span, message));
        }
        if let TypeSpec::DecltypeAuto = placeholder.specs.ty
            && (!placeholder.chunks.is_empty() || placeholder.specs.quals != QualSpecs::default())
        {
            let message = "`decltype(auto)` cannot be combined with qualifiers and declarators";
            return Err(self.error(Code::InvalidAuto, placeholder.specs.ty_span, message));
        }
        let key = (self.scopes.namespace(), decl.name.symbol);
        let known = self.known.funcs_by_name.get(&key).into_iter().flatten().copied();
        let same = known.into_iter().find(|&func| {
            let types = &self.module.types;
            let params = |ty: Ty| types.func(types.canonical(ty)).map(|func| func.params.clone());
            params(self.module.functions[func].ty) == params(decl.ty)
        });
        let Some(previous) = same else { return Ok(decl.ty) };
        let before = self.known.func_facts.get(&previous).and_then(|facts| facts.placeholder.as_deref());
        if before == Some(&placeholder.text()) {
            return Ok(self.module.functions[previous].ty);
        }
        let name = self.spelling(decl.name.symbol);
        let what = if is_definition { "definition" } else { "declaration" };
        let message = format!("{what} of `{name}` with a deduced return type follows another declaration");
        let diagnostic = Diagnostic::new(Code::ConflictingTypes, decl.name.span, message)
            .with_label(self.module.functions[previous].span, "previously declared here");
        Err(self.sink.error(diagnostic))
    }

    pub(super) fn note_placeholder(&mut self, func: Func, placeholder: Placeholder<'_>) {
        let facts = self.known.func_facts.entry(func).or_default();
        if facts.placeholder.is_none() {
            facts.placeholder = Some(placeholder.text());
            facts.is_undeduced = true;
            self.known.n_undeduced += 1;
        }
    }

    /// The function's result is known, or nothing is said about it.
    fn note_deduced(&mut self, func: Func) {
        let facts = self.known.func_facts.entry(func).or_default();
        if std::mem::take(&mut facts.is_undeduced) {
            self.known.n_undeduced -= 1;
        }
    }

    /// The end of the body of such a function, in which no `return` was understood. Gives whether nothing is wrong.
    pub(super) fn ends_deduction(&mut self, func: Func, is_whole: bool, name: Name) -> bool {
        self.note_deduced(func);
        let placeholder = self.placeholder.filter(|placeholder| !placeholder.chunks.is_empty());
        if is_whole && let Some(placeholder) = placeholder {
            let message = format!(
                "cannot deduce return type `{}` for function with no return statements",
                placeholder.text()
            );
            self.error(Code::InvalidAuto, name.span, message);
        } else if is_whole {
            return true;
        }
        self.known.func_facts.entry(func).or_default().is_undeducible = true;
        // Its uses are looked at.
        self.known.n_undeduced += 1;
        self.scopes.bind(name.symbol, Entity::Poison, name.span);
        false
    }

    /// Reports a use of such a function before its first `return`.
    pub(in crate::sema) fn require_deduced(&mut self, func: Func, span: Span) -> Result<(), Reported> {
        if self.known.n_undeduced == 0 {
            return Ok(());
        }
        match self.known.func_facts.get(&func) {
            Some(facts) if facts.is_undeducible => return Err(self.poisoned()),
            Some(facts) if facts.is_undeduced => {}
            _ => return Ok(()),
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
        if let Some(placeholder) = self.placeholder
            && !placeholder.is_plain()
        {
            return self.check_placeholder_return(placeholder, value, before, span);
        }
        let value = match value {
            Some(id) if let ExprKind::Braced(_) = self.unit.exprs[id].kind => {
                let message = "cannot deduce return type from initializer list";
                return Err(self.cx.error(Code::InvalidAuto, self.unit.exprs[id].span, message));
            }
            Some(id) => match self.statements().returned_object(id) {
                Some((_, _, object)) => Some(self.expressions().rvalue(Operand::Member(object))?),
                None => Some(self.expressions().check_rvalue(id)?),
            },
            None => None,
        };
        let ty = value.map_or(Ty::VOID, |value| self.ty_of(value));
        let ty = self.module.types.unqualified(ty);
        let at = value.map_or(span, |value| self.span_of(value));
        if matches!(self.module.types.kind(ty), TyKind::Nullptr | TyKind::Opaque(_)) {
            let message = format!("return type deduced as {}, which is not supported", self.show(ty));
            return Err(self.error(Code::UnsupportedAuto, at, message));
        }
        self.agree_on_result("`auto` in return type", ty, before, at)?;
        let Some(value) = value else { return Ok(StmtData::Return(None)) };
        if *self.module.types.kind(ty) == TyKind::Void {
            return Ok(StmtData::Return(Some(value)));
        }
        Ok(StmtData::Return(Some(self.conversions().convert(value, ty, Target::Return)?)))
    }

    /// The same of a result that is not just `auto`.
    fn check_placeholder_return(
        &mut self,
        placeholder: Placeholder<'a>,
        value: Option<ExprId>,
        before: Option<Span>,
        span: Span,
    ) -> Result<StmtData, Reported> {
        let Some(id) = value else {
            if !placeholder.chunks.is_empty() {
                let text = placeholder.text();
                let message = format!("cannot deduce return type `{text}` from omitted return expression");
                return Err(self.error(Code::InvalidAuto, span, message));
            }
            self.agree_on_result("return type", Ty::VOID, before, span)?;
            return Ok(StmtData::Return(None));
        };
        let at = self.unit.exprs[id].span;
        if let ExprKind::Braced(_) = self.unit.exprs[id].kind {
            let message = "cannot deduce return type from initializer list";
            return Err(self.error(Code::InvalidAuto, at, message));
        }
        let ret = match placeholder.specs.ty {
            TypeSpec::DecltypeAuto => self.expressions().decltype(id)?,
            _ => {
                let specs = &placeholder.specs.quals;
                let base = self.expressions().deduced_base(specs, placeholder.chunks, id, None)?;
                let base = self.types().qualified(base, specs)?;
                self.types().derived_ty(base, placeholder.chunks, Lengths::Positive)?.ty
            }
        };
        if let TyKind::Opaque(_) = self.module.types.kind(ret) {
            let message = format!("return type deduced as {}, which is not supported", self.show(ret));
            return Err(self.error(Code::UnsupportedAuto, at, message));
        }
        self.agree_on_result("return type", ret, before, at)?;
        let value = match self.module.types.kind(ret) {
            TyKind::Void => self.expressions().check_rvalue(id)?,
            _ => self.conversions().check_converted(id, ret, Target::Return)?,
        };
        Ok(StmtData::Return(Some(value)))
    }

    /// The result of one of the `return` statements, after the one at `before`.
    fn agree_on_result(
        &mut self,
        what: &str,
        ty: Ty,
        before: Option<Span>,
        at: Span,
    ) -> Result<(), Reported> {
        let ret = self.statements().func_cx().ret;
        match before {
            Some(_) if self.same(ty, ret) => Ok(()),
            Some(before) => {
                let (ty, ret) = (self.show(ty), self.show(ret));
                let message =
                    format!("{what} deduced as {ty} here but deduced as {ret} in earlier return statement");
                let diagnostic =
                    Diagnostic::new(Code::InvalidAuto, at, message).with_label(before, "deduced here");
                Err(self.sink.error(diagnostic))
            }
            None => self.set_result(ty, at),
        }
    }

    fn set_result(&mut self, ret: Ty, at: Span) -> Result<(), Reported> {
        self.calls().require_return_ty(ret, at)?;
        self.names().require_device_copy(ret, at)?;
        let func_cx = self.statements().func_cx();
        (func_cx.ret, func_cx.result) = (ret, ResultTy::Deduced(Some(at)));
        let func = func_cx.func;
        self.note_deduced(func);
        if let Some(FuncTy { params, variadic, .. }) =
            self.module.types.func(self.module.functions[func].ty).cloned()
        {
            let ty = TyKind::Func(FuncTy { ret, params, variadic });
            self.module.functions[func].ty = self.module.types.intern(ty, Quals::empty());
        }
        Ok(())
    }
}
