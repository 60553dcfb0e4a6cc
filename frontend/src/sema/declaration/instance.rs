//! Functions that are instances of templates, and explicit specializations in their place.

use super::Declaration;
use super::deduced_result::placeholder;
use super::function::inline_hint;
use crate::ast::{DeclSpecs, Declarator, FunctionDef};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Func, FuncTy, Function, FunctionKind, Instance, LinkName, Linkage, Ty};
use crate::sema::Declarations;
use crate::sema::types::{Declared, Param};

impl<'a> Declarations<'a> {
    /// Declares an instance of a template, or, if it `is_special`, a function in its place: no name is bound to it.
    pub(in crate::sema) fn declare_instance(
        &mut self,
        specs: &'a DeclSpecs,
        declarator: &'a Declarator,
        instance: Instance,
        is_special: bool,
    ) -> Result<Func, Reported> {
        let Some(name) = declarator.name else { return Err(self.poisoned()) };
        let attrs = self.types().collect_attrs(&specs.attrs, &declarator.attrs);
        let (ty, noexcept, params) = self.instance_ty(specs, declarator)?;
        let decl = Declaration { specs, declarator, name, ty, attrs: &attrs, noexcept };
        self.refuse_object_attrs(&attrs);
        self.types().check_promises(specs, declarator, ty)?;
        if attrs.global.is_none() {
            self.refuse_grid_constant_params(&params);
            self.require_device_copies(&decl)?;
        }
        if let Some(punct) = name.symbol.operator() {
            self.calls().check_operator(punct, &decl, &params, false)?;
        }
        if is_special && let Some(init) = params.iter().find_map(|param| param.default) {
            let span = self.unit.inits[init].span;
            let message = "default argument not allowed on an explicit specialization";
            return Err(self.error(Code::InvalidDefaultArgument, span, message));
        }
        let kind = self.function_kind(&decl, None)?;
        let linkage = match (self.function_linkage(&decl), &kind) {
            (linkage, _) if is_special => linkage,
            (Linkage::Internal, _) => Linkage::Internal,
            // C++17 17.4p4
            _ if self.templates_ref().has_internal_arg(&instance.args) => Linkage::Internal,
            (_, FunctionKind::Kernel(_)) => Linkage::Weak,
            (_, FunctionKind::Device) => Linkage::Inline,
        };
        let func = self.cx.module.functions.push(Function {
            name: self.spelling(name.symbol).to_owned(),
            namespace: self.scopes.namespace(),
            link_name: LinkName::Cxx,
            linkage,
            kind,
            ty,
            inline: inline_hint(&decl),
            instance: Some(Box::new(instance)),
            method: None,
            body: None,
            is_referenced: true,
            span: name.span,
        });
        let facts = self.known.func_facts.entry(func).or_default();
        facts.noexcept = noexcept;
        facts.is_constexpr = specs.constexpr.is_some();
        facts.param_spans = params.iter().map(|param| param.span).collect();
        if let Some(placeholder) = placeholder(specs, declarator) {
            self.note_placeholder(func, placeholder);
        }
        self.calls().declare_default_args(func, &params)?;
        Ok(func)
    }

    /// The instance is emitted whether something uses it or not.
    pub(in crate::sema) fn make_exported(&mut self, func: Func) {
        let function = &mut self.module.functions[func];
        if function.linkage == Linkage::Inline {
            function.linkage = Linkage::Weak;
        }
    }

    /// The body of an instance of a template, or of a specialization.
    pub(in crate::sema) fn define_instance(
        &mut self,
        func: Func,
        def: &'a FunctionDef,
    ) -> Result<(), Reported> {
        let FunctionDef { specs, declarator, .. } = def;
        let Some(name) = declarator.name else { return Err(self.poisoned()) };
        if let Some(previous) = self.known.func_facts.entry(func).or_default().defined.replace(name.span) {
            let message = format!("redefinition of `{}`", self.spelling(name.symbol));
            let diagnostic = Diagnostic::new(Code::Redefinition, name.span, message)
                .with_label(previous, "previously defined here");
            return Err(self.sink.error(diagnostic));
        }
        let (ty, _, params) = self.instance_ty(specs, declarator)?;
        self.module.functions[func].span = name.span;
        self.module.functions[func].ty = ty;
        let Some(&FuncTy { ret, .. }) = self.module.types.func(ty) else {
            return Err(self.poisoned());
        };
        self.check_body_of(func, ret, params, def.into(), name)
    }

    /// The function type, whether no exception leaves the function, and the parameters.
    fn instance_ty(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
    ) -> Result<(Ty, bool, Vec<Param>), Reported> {
        let Declared { ty, params, noexcept } = match placeholder(specs, declarator) {
            Some(_) => self.types().declared_deducing(declarator)?,
            None => {
                let base = self.types().base_of(specs, declarator)?;
                self.types().declared_ty(base, declarator)?
            }
        };
        match params {
            Some(params) => Ok((ty, noexcept, params)),
            None => Err(self.poisoned()),
        }
    }
}
