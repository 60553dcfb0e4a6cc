//! The arguments of instances: as they are written, and defaults (C++17 17.3).

use std::rc::Rc;

use super::{Binding, Mismatch, Template, Templates};
use crate::ast::{self, ExprId, TemplateArgsId, TemplateDecl, TemplateParamKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{IntTy, Namespace, Scalar, TemplateArg, Ty, View};
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::conversion::Target;
use crate::source::Span;
use crate::token::Token;

impl<'a> Templates<'a> {
    /// The arguments that are written behind the name; those behind them are left to be deduced.
    pub(super) fn explicit_args(
        &mut self,
        template: Template,
        written: TemplateArgsId,
    ) -> Result<Vec<Option<TemplateArg>>, Mismatch> {
        let unit = self.unit;
        let written = &unit.template_args[written];
        let declaration = self.known.templates.templates[template].first().clone();
        if written.len() > declaration.params.len() {
            return Err(Mismatch::TooManyExplicit);
        }
        let mut args: Vec<TemplateArg> = Vec::new();
        for (idx, (&arg, param)) in written.iter().zip(&declaration.params).enumerate() {
            args.push(match (arg, &param.kind) {
                (ast::TemplateArg::Type(ty), TemplateParamKind::Type) => {
                    let ty = self.silently(|cx| cx.types().resolve_type_name(&unit.type_names[ty]));
                    match ty {
                        Ok(ty) => TemplateArg::Type(self.canonical(ty)),
                        Err(why) => return Err(Mismatch::Explicit(idx, why)),
                    }
                }
                (ast::TemplateArg::Value(value), TemplateParamKind::Value(tokens)) => {
                    let ty = self.silently(|cx| cx.param_ty(template, &declaration, tokens, &args));
                    let value = ty.and_then(|ty| {
                        let value = self.silently(|cx| cx.value_arg(value, ty));
                        value.map(|value| TemplateArg::Value(ty, value))
                    });
                    match value {
                        Ok(value) => value,
                        Err(why) => return Err(Mismatch::Explicit(idx, why)),
                    }
                }
                _ => return Err(Mismatch::Explicit(idx, Vec::new())),
            });
        }
        let mut args: Vec<Option<TemplateArg>> = args.into_iter().map(Some).collect();
        args.resize(declaration.params.len(), None);
        Ok(args)
    }

    /// Reports what is wrong with arguments whatever template they are for.
    pub(in crate::sema) fn check_written(&mut self, written: TemplateArgsId) -> Result<(), Reported> {
        let unit = self.unit;
        for arg in &unit.template_args[written] {
            match *arg {
                ast::TemplateArg::Type(ty) => {
                    self.types().resolve_type_name(&unit.type_names[ty])?;
                }
                ast::TemplateArg::Value(value) => {
                    self.in_scratch(|cx| cx.calls().check_arg(value))?;
                }
            }
        }
        Ok(())
    }

    /// The type of a parameter for values, by the arguments before it.
    pub(super) fn param_ty(
        &mut self,
        template: Template,
        declaration: &Rc<TemplateDecl>,
        tokens: &[Token],
        args: &[TemplateArg],
    ) -> Result<Ty, Reported> {
        let namespace = self.known.templates.templates[template].namespace;
        self.within(&declaration.params, namespace, Binding::Arguments(args), |cx| {
            cx.value_param_ty(declaration, namespace, tokens)
        })
    }

    /// The type of a parameter for values, where the parameters are bound.
    pub(super) fn value_param_ty(
        &mut self,
        declaration: &Rc<TemplateDecl>,
        namespace: Namespace,
        tokens: &[Token],
    ) -> Result<Ty, Reported> {
        let mut name = None;
        let unit = self.read_again(&declaration.params, namespace, |rereader, place, cx| {
            let (unit, read) = rereader.parameter(tokens, place, cx.interner, cx.sink);
            name = read;
            unit
        });
        let (Some(unit), Some(name)) = (unit, name) else { return Err(self.poisoned()) };
        let ty = self.in_unit(unit, |cx| cx.types().resolve_type_name(&unit.type_names[name]))?;
        let ty = self.module.types.unqualified(ty);
        let ty = self.canonical(ty);
        match self.module.types.scalar(ty) {
            Some(Scalar::Int(_) | Scalar::Enum(_)) => Ok(ty),
            _ if self.module.types.is_dependent(ty) => Ok(ty),
            _ => {
                let (shown, span) = (self.show(ty), unit.type_names[name].span);
                let message = format!("a template parameter of type {shown} is not supported");
                Err(self.error(Code::UnsupportedTemplate, span, message))
            }
        }
    }

    /// The value of an argument: a converted constant expression (C++17 8.20p4).
    pub(super) fn value_arg(&mut self, value: ExprId, ty: Ty) -> Result<i128, Reported> {
        self.in_scratch(|cx| {
            let span = cx.unit.exprs[value].span;
            let value = cx.expressions().check_rvalue(value)?;
            let from = cx.ty_of(value);
            let constant = match cx.constants().eval(value, Mode::Required) {
                Ok(constant) => constant,
                Err(not) => {
                    let message = "non-type template argument is not a constant expression";
                    let diagnostic = Diagnostic::new(Code::NotConstant, span, message);
                    return Err(cx.expressions().not_constant(diagnostic, &not));
                }
            };
            let is_int = |ty| matches!(cx.module.types.scalar(ty), Some(Scalar::Int(_) | Scalar::Enum(_)));
            let Value::Int(before) = constant else {
                return Err(cx.templates().wrong_value_arg(from, ty, span));
            };
            if !is_int(from) {
                return Err(cx.templates().wrong_value_arg(from, ty, span));
            }
            let converted = cx.conversions().convert(value, ty, Target::Argument(None))?;
            let Ok(Value::Int(after)) = cx.constants().eval(converted, Mode::Required) else {
                return Err(cx.templates().wrong_value_arg(from, ty, span));
            };
            let is_bool = cx.module.types.int_ty(ty) == Some(IntTy::Bool);
            // C++17 8.20p4: no narrowing; to `bool` only what is 0 or 1.
            if before != after && !(is_bool && matches!(before, 0 | 1)) {
                let shown = cx.show(ty);
                let message = format!(
                    "non-type template argument evaluates to {before}, which cannot be narrowed to type {shown}"
                );
                return Err(cx.error(Code::NarrowingConstant, span, message));
            }
            Ok(after)
        })
    }

    fn wrong_value_arg(&mut self, from: Ty, to: Ty, span: Span) -> Reported {
        let message =
            format!("value of type {} is not implicitly convertible to {}", self.show(from), self.show(to));
        self.error(Code::InvalidConversion, span, message)
    }

    /// All arguments: those that nothing says are defaults.
    pub(super) fn complete_args(
        &mut self,
        template: Template,
        known: Vec<Option<TemplateArg>>,
    ) -> Result<Vec<TemplateArg>, Mismatch> {
        let declaration = self.known.templates.templates[template].first().clone();
        let mut args: Vec<TemplateArg> = Vec::new();
        for (idx, (arg, param)) in known.into_iter().zip(&declaration.params).enumerate() {
            let default = param.default.as_deref();
            let arg = match (arg, &param.kind, default) {
                (Some(TemplateArg::Value(_, value)), TemplateParamKind::Value(tokens), _) => {
                    let ty = self.silently(|cx| cx.param_ty(template, &declaration, tokens, &args));
                    let ty = ty.map_err(|why| Mismatch::Substitution(args.clone(), why))?;
                    if !self.fits(value, ty) {
                        return Err(Mismatch::Undeduced(idx));
                    }
                    TemplateArg::Value(ty, value)
                }
                (Some(arg), ..) => arg,
                (None, _, None) => return Err(Mismatch::Undeduced(idx)),
                (None, TemplateParamKind::Type, Some(tokens)) => {
                    let ty = self.silently(|cx| cx.default_type(template, &declaration, tokens, &args));
                    TemplateArg::Type(ty.map_err(|why| Mismatch::Substitution(args.clone(), why))?)
                }
                (None, TemplateParamKind::Value(declared), Some(tokens)) => {
                    let value = self.silently(|cx| {
                        let ty = cx.param_ty(template, &declaration, declared, &args)?;
                        let value = cx.default_value(template, &declaration, tokens, &args, ty)?;
                        Ok(TemplateArg::Value(ty, value))
                    });
                    value.map_err(|why| Mismatch::Substitution(args.clone(), why))?
                }
            };
            args.push(arg);
        }
        Ok(args)
    }

    /// Whether the value is one of the type's.
    fn fits(&self, value: i128, ty: Ty) -> bool {
        self.module.types.int_ty(ty).is_some_and(|int| int.has_constant(value))
    }

    fn default_type(
        &mut self,
        template: Template,
        declaration: &Rc<TemplateDecl>,
        tokens: &[Token],
        args: &[TemplateArg],
    ) -> Result<Ty, Reported> {
        let namespace = self.known.templates.templates[template].namespace;
        self.within(&declaration.params, namespace, Binding::Arguments(args), |cx| {
            let mut name = None;
            let unit = cx.read_again(&declaration.params, namespace, |rereader, place, cx| {
                let (unit, read) = rereader.type_name(tokens, place, cx.interner, cx.sink);
                name = read;
                unit
            });
            let (Some(unit), Some(name)) = (unit, name) else { return Err(cx.poisoned()) };
            let ty = cx.in_unit(unit, |cx| cx.types().resolve_type_name(&unit.type_names[name]))?;
            Ok(cx.canonical(ty))
        })
    }

    fn default_value(
        &mut self,
        template: Template,
        declaration: &Rc<TemplateDecl>,
        tokens: &[Token],
        args: &[TemplateArg],
        ty: Ty,
    ) -> Result<i128, Reported> {
        let namespace = self.known.templates.templates[template].namespace;
        self.within(&declaration.params, namespace, Binding::Arguments(args), |cx| {
            let mut value = None;
            let unit = cx.read_again(&declaration.params, namespace, |rereader, place, cx| {
                let (unit, read) = rereader.value(tokens, place, cx.interner, cx.sink);
                value = read;
                unit
            });
            let (Some(unit), Some(value)) = (unit, value) else { return Err(cx.poisoned()) };
            cx.in_unit(unit, |cx| cx.value_arg(value, ty))
        })
    }

    /// Whether an argument is of this object alone.
    pub(in crate::sema) fn has_internal_arg(&self, args: &[TemplateArg]) -> bool {
        args.iter().any(|arg| match arg {
            TemplateArg::Type(ty) | TemplateArg::Value(ty, _) => self.is_internal_ty(*ty),
            TemplateArg::Pack(pack) => self.has_internal_arg(pack),
        })
    }

    fn is_internal_ty(&self, ty: Ty) -> bool {
        let types = &self.module.types;
        let namespace = match types.view(ty) {
            View::Scalar(Scalar::Pointer(inner) | Scalar::Reference(inner, _)) | View::Array(inner, _) => {
                return self.is_internal_ty(inner);
            }
            View::Func(func) => {
                return func.params.iter().chain([&func.ret]).any(|&part| self.is_internal_ty(part));
            }
            View::Record(record) => types.records[record].namespace,
            View::Scalar(Scalar::Enum(enum_)) => types.enums[enum_].namespace,
            View::Scalar(_) | View::Error | View::Void => return false,
        };
        let mut around = std::iter::successors(Some(namespace), |&at| types.namespaces[at].parent);
        around.any(|at| at != Namespace::GLOBAL && types.namespaces[at].name.is_none())
    }

    /// Runs a check whose errors are given instead of reported.
    pub(super) fn silently<R>(
        &mut self,
        check: impl FnOnce(&mut Self) -> Result<R, Reported>,
    ) -> Result<R, Vec<Diagnostic>> {
        let aside = self.sink.aside();
        let said = std::mem::replace(self.sink, aside);
        let n_poisoned = self.n_poisoned.get();
        let result = check(self);
        self.n_poisoned.set(n_poisoned);
        let found = std::mem::replace(self.sink, said);
        result.map_err(|_| found.into_emitted())
    }
}
