//! The arguments of instances: as they are written, and defaults (C++17 17.3).

use super::text::{Binding, Text};
use super::{Mismatch, Template, Templates};
use crate::ast::{self, ExprId, TemplateArgsId, TemplateParam, TemplateParamKind};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{DependentTy, DependentValue, IntTy, Namespace, Scalar, TemplateArg, Ty, View};
use crate::parse::Rereader;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::conversion::Target;
use crate::source::Span;
use crate::token::Token;

impl<'a> Templates<'a> {
    /// The arguments in `<…>` after the name, by the parameter; the others are to be deduced.
    pub(super) fn explicit_args(
        &mut self,
        template: Template,
        written: Option<TemplateArgsId>,
    ) -> Result<Vec<Option<TemplateArg>>, Mismatch> {
        let unit = self.unit;
        let declaration = self.known.templates.templates[template].first().clone();
        let Some(written) = written else { return Ok(vec![None; declaration.params.len()]) };
        let mut written = unit.template_args[written].iter().copied();
        let mut args: Vec<TemplateArg> = Vec::new();
        for (idx, param) in declaration.params.iter().enumerate() {
            if written.len() == 0 {
                break;
            }
            if param.is_pack {
                // It takes all that there are; a call may add to them (C++17 17.8.1p9).
                let rest = written.by_ref();
                let rest = rest.map(|arg| self.explicit_arg(template, idx, param, arg, &args));
                args.push(TemplateArg::Pack(rest.collect::<Result<_, _>>()?));
            } else if let Some(arg) = written.next() {
                args.push(self.explicit_arg(template, idx, param, arg, &args)?);
            }
        }
        if written.len() > 0 {
            return Err(Mismatch::TooManyExplicit);
        }
        let mut args: Vec<Option<TemplateArg>> = args.into_iter().map(Some).collect();
        args.resize(declaration.params.len(), None);
        Ok(args)
    }

    /// An argument as it is written, for the parameter with that index; `args` are those before.
    fn explicit_arg(
        &mut self,
        template: Template,
        idx: usize,
        param: &TemplateParam,
        arg: ast::TemplateArg,
        args: &[TemplateArg],
    ) -> Result<TemplateArg, Mismatch> {
        let unit = self.unit;
        match (arg, &param.kind) {
            (ast::TemplateArg::Type(ty), TemplateParamKind::Type) => {
                let ty = self.silently(|cx| cx.types().resolve_type_name(&unit.type_names[ty]));
                let ty = ty.map_err(|why| Mismatch::Explicit(idx, why))?;
                Ok(TemplateArg::Type(self.canonical(ty)))
            }
            (ast::TemplateArg::Type(ty), TemplateParamKind::Template(params)) => {
                let found = self.silently(|cx| cx.template_arg(&unit.type_names[ty], params));
                found.map_err(|why| Mismatch::Explicit(idx, why))
            }
            (ast::TemplateArg::Value(value), TemplateParamKind::Value(_)) => {
                let value = self.silently(|cx| {
                    let ty = cx.param_ty(template, idx, args)?;
                    cx.value_or_dependent(value, ty)
                });
                value.map_err(|why| {
                    self.defer_unsupported(&why);
                    Mismatch::Explicit(idx, why)
                })
            }
            (ast::TemplateArg::Types(ty), TemplateParamKind::Type) => {
                let ty = self.silently(|cx| cx.types().resolve_type_name(&unit.type_names[ty]));
                let ty = self.canonical(ty.map_err(|why| Mismatch::Explicit(idx, why))?);
                Ok(TemplateArg::Type(self.module.types.dependent_ty(DependentTy::Expansion(ty))))
            }
            (ast::TemplateArg::Values(value), TemplateParamKind::Value(_)) => {
                let value = self.whole_pattern_value(value);
                Ok(TemplateArg::Dependent(DependentValue::Operator("sp", vec![value])))
            }
            _ => Err(Mismatch::Explicit(idx, Vec::new())),
        }
    }

    /// The arguments in `<…>` of a template that is not known, since what it is a member of depends on parameters.
    pub(super) fn args_of_unknown(&mut self, written: TemplateArgsId) -> Result<Vec<TemplateArg>, Reported> {
        let unit = self.unit;
        let mut args = Vec::new();
        for arg in &unit.template_args[written] {
            args.push(match *arg {
                ast::TemplateArg::Type(ty)
                    if let Some((template, _)) =
                        self.template_without_args(&unit.type_names[ty].specs.ty) =>
                {
                    TemplateArg::Template(self.handle_of(template))
                }
                ast::TemplateArg::Type(ty) => {
                    let ty = self.types().resolve_type_name(&unit.type_names[ty])?;
                    TemplateArg::Type(self.canonical(ty))
                }
                ast::TemplateArg::Types(ty) => {
                    let ty = self.types().resolve_type_name(&unit.type_names[ty])?;
                    let ty = self.canonical(ty);
                    TemplateArg::Type(self.module.types.dependent_ty(DependentTy::Expansion(ty)))
                }
                ast::TemplateArg::Value(value) => match self.whole_pattern_value(value) {
                    DependentValue::Constant(ty, value) => TemplateArg::Value(ty, value),
                    value => TemplateArg::Dependent(value),
                },
                ast::TemplateArg::Values(value) => {
                    let value = self.whole_pattern_value(value);
                    TemplateArg::Dependent(DependentValue::Operator("sp", vec![value]))
                }
            });
        }
        Ok(args)
    }

    /// Whether a pack is expanded among the arguments before the parameter that is a pack, in a signature.
    pub(super) fn expands_early(&self, template: Template, written: TemplateArgsId) -> bool {
        let params = &self.known.templates.templates[template].first().params;
        let pack = params.iter().position(|param| param.is_pack).unwrap_or(usize::MAX);
        let is_expansion =
            |arg: &ast::TemplateArg| matches!(arg, ast::TemplateArg::Types(_) | ast::TemplateArg::Values(_));
        let args = &self.unit.template_args[written];
        self.known.templates.reads_pattern && args.iter().take(pack).any(is_expansion)
    }

    /// Reports what is wrong with arguments whatever template they are for.
    pub(in crate::sema) fn check_written(&mut self, written: TemplateArgsId) -> Result<(), Reported> {
        let unit = self.unit;
        for arg in &unit.template_args[written] {
            match *arg {
                ast::TemplateArg::Type(ty)
                    if self.template_without_args(&unit.type_names[ty].specs.ty).is_some() => {}
                ast::TemplateArg::Type(ty) | ast::TemplateArg::Types(ty) => {
                    self.types().resolve_type_name(&unit.type_names[ty])?;
                }
                ast::TemplateArg::Value(value) | ast::TemplateArg::Values(value) => {
                    self.in_scratch(|cx| cx.calls().check_arg(value))?;
                }
            }
        }
        Ok(())
    }

    /// The type of a parameter for values, by the arguments before it.
    fn param_ty(&mut self, template: Template, idx: usize, args: &[TemplateArg]) -> Result<Ty, Reported> {
        let data = &self.known.templates.templates[template];
        if let Some(ty) = data.signature.value_tys[idx] {
            return Ok(ty);
        }
        let text = data.text();
        let TemplateParamKind::Value(tokens) = &text.declaration.params[idx].kind else {
            return Err(self.poisoned());
        };
        self.within(&text, Binding::Arguments(args), |cx| cx.value_param_ty(&text, tokens))
    }

    /// The same where the parameters are bound.
    pub(super) fn value_param_ty(&mut self, text: &Text, tokens: &[Token]) -> Result<Ty, Reported> {
        let (unit, name) = self.read_again(text, tokens, Rereader::parameter)?;
        let name = &unit.type_names[name];
        if self.is_auto_param(name) {
            return Ok(self.module.types.dependent_ty(DependentTy::Auto));
        }
        let ty = self.in_unit(unit, |cx| cx.types().resolve_type_name(name))?;
        let ty = match self.module.types.view(ty) {
            View::Func(_) => self.module.types.pointer_to(ty),
            View::Array(elem, _) => self.module.types.pointer_to(elem),
            _ => self.module.types.unqualified(ty),
        };
        let ty = self.canonical(ty);
        if self.is_value_param(ty) {
            return Ok(ty);
        }
        let message = format!("a template parameter of type {} is not supported", self.show(ty));
        Err(self.error(Code::UnsupportedTemplate, name.span, message))
    }

    /// The argument for a parameter of the type.
    pub(super) fn value_arg(&mut self, value: ExprId, ty: Ty) -> Result<TemplateArg, Reported> {
        match self.module.types.view(ty) {
            View::Scalar(Scalar::Pointer(_) | Scalar::Reference(..)) => self.address_arg(value, ty),
            _ => Ok(TemplateArg::Value(ty, self.number_arg(value, ty)?)),
        }
    }

    /// The value of a number: a converted constant expression (C++17 8.20p4).
    pub(super) fn number_arg(&mut self, value: ExprId, ty: Ty) -> Result<i128, Reported> {
        self.in_scratch(|cx| {
            let span = cx.unit.exprs[value].span;
            let value = cx.expressions().check_rvalue(value)?;
            let value = match cx.module.types.record(cx.ty_of(value)) {
                Some(_) => cx.conversions().operand_value(value)?,
                None => value,
            };
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

    /// The same in a signature, where the value or the type may depend on the parameters of a template.
    fn value_or_dependent(&mut self, value: ExprId, ty: Ty) -> Result<TemplateArg, Reported> {
        if self.known.templates.reads_pattern {
            if let Some(dependent) = self.dependent_value(value) {
                return Ok(TemplateArg::Dependent(dependent));
            }
            if self.module.types.is_dependent(ty) && !self.is_auto(ty) {
                let value = self.whole_pattern_value(value);
                return Ok(match value {
                    DependentValue::Constant(ty, value) => TemplateArg::Value(ty, value),
                    value => TemplateArg::Dependent(value),
                });
            }
        }
        if self.is_auto(ty) {
            return self.auto_arg(value);
        }
        self.value_arg(value, ty)
    }

    pub(super) fn wrong_value_arg(&mut self, from: Ty, to: Ty, span: Span) -> Reported {
        let message =
            format!("value of type {} is not implicitly convertible to {}", self.show(from), self.show(to));
        self.error(Code::InvalidConversion, span, message)
    }

    /// All arguments: defaults complete those that are known.
    pub(super) fn complete_args(
        &mut self,
        template: Template,
        known: Vec<Option<TemplateArg>>,
    ) -> Result<Vec<TemplateArg>, Mismatch> {
        let text = self.known.templates.templates[template].text();
        let mut args: Vec<TemplateArg> = Vec::new();
        for (idx, (arg, param)) in known.into_iter().zip(&text.declaration.params).enumerate() {
            let found = self.silently(|cx| match (arg, &param.kind, &param.default) {
                (Some(TemplateArg::Value(own, value)), ..) => {
                    let ty = cx.param_ty(template, idx, &args)?;
                    let ty = if cx.is_auto(ty) { own } else { ty };
                    let fits = cx.module.types.is_dependent(ty) || cx.fits(value, ty);
                    Ok(fits.then_some(TemplateArg::Value(ty, value)))
                }
                (Some(TemplateArg::Pack(pack)), TemplateParamKind::Value(_), _) => {
                    let ty = cx.param_ty(template, idx, &args)?;
                    let value = |arg| match arg {
                        TemplateArg::Value(..) if cx.is_auto(ty) => Some(arg),
                        TemplateArg::Value(_, value) if cx.fits(value, ty) => {
                            Some(TemplateArg::Value(ty, value))
                        }
                        TemplateArg::Address(..) => Some(arg),
                        TemplateArg::Dependent(value) => Some(TemplateArg::Dependent(value)),
                        _ => None,
                    };
                    let pack: Option<Vec<TemplateArg>> = pack.into_iter().map(value).collect();
                    Ok(pack.map(TemplateArg::Pack))
                }
                (Some(TemplateArg::Template(class)), TemplateParamKind::Template(params), _) => {
                    let template = cx.template_of_class_template(class);
                    let fits = template.is_some_and(|template| cx.fits_params(template, params));
                    Ok(fits.then_some(TemplateArg::Template(class)))
                }
                (Some(arg), ..) => Ok(Some(arg)),
                // C++17 17.8.1p3
                (None, ..) if param.is_pack => Ok(Some(TemplateArg::Pack(Vec::new()))),
                (None, _, None) => Ok(None),
                (None, TemplateParamKind::Type, Some(tokens)) => cx
                    .default_type(&text.of_default(idx), tokens, &args)
                    .map(|ty| Some(TemplateArg::Type(ty))),
                (None, TemplateParamKind::Template(params), Some(tokens)) => {
                    cx.default_template(&text.of_default(idx), tokens, &args, params).map(Some)
                }
                (None, TemplateParamKind::Value(_), Some(tokens)) => {
                    let ty = cx.param_ty(template, idx, &args)?;
                    cx.default_value(&text.of_default(idx), tokens, &args, ty).map(Some)
                }
            });
            match found {
                Ok(Some(arg)) => args.push(arg),
                Ok(None) => return Err(Mismatch::Undeduced(idx)),
                Err(why) => return Err(self.no_substitution(args, why)),
            }
        }
        Ok(args)
    }

    /// Whether the value is one of the type's.
    fn fits(&self, value: i128, ty: Ty) -> bool {
        self.module.types.pointee(ty).is_some()
            || self.module.types.int_ty(ty).is_some_and(|int| int.has_constant(value))
    }

    fn default_type(&mut self, text: &Text, tokens: &[Token], args: &[TemplateArg]) -> Result<Ty, Reported> {
        self.within(text, Binding::Arguments(args), |cx| {
            let (unit, name) = cx.read_again(text, tokens, Rereader::type_name)?;
            let ty = cx.in_unit(unit, |cx| cx.types().resolve_type_name(&unit.type_names[name]))?;
            Ok(cx.canonical(ty))
        })
    }

    fn default_value(
        &mut self,
        text: &Text,
        tokens: &[Token],
        args: &[TemplateArg],
        ty: Ty,
    ) -> Result<TemplateArg, Reported> {
        self.within(text, Binding::Arguments(args), |cx| {
            let (unit, value) = cx.read_again(text, tokens, Rereader::value)?;
            cx.in_unit(unit, |cx| cx.value_or_dependent(value, ty))
        })
    }

    /// Whether an argument is of this object alone.
    pub(in crate::sema) fn has_internal_arg(&self, args: &[TemplateArg]) -> bool {
        args.iter().any(|arg| match arg {
            TemplateArg::Type(ty) | TemplateArg::Value(ty, _) => self.is_internal_ty(*ty),
            TemplateArg::Address(ty, address) => {
                self.is_internal_ty(*ty) || self.is_internal_address(address)
            }
            TemplateArg::Template(template) => {
                self.is_unnamed(self.module.types.class_templates[*template].namespace)
            }
            TemplateArg::Dependent(_) => false,
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
            View::Record(record) => {
                let instance = types.class_instance(record);
                if instance.is_some_and(|instance| self.has_internal_arg(&instance.args)) {
                    return true;
                }
                types.records[record].namespace
            }
            View::Scalar(Scalar::Enum(enum_)) => types.enums[enum_].namespace,
            View::Scalar(_) | View::Error | View::Void => return false,
        };
        self.is_unnamed(namespace)
    }

    /// Whether the namespace, or one around it, has no name.
    fn is_unnamed(&self, namespace: Namespace) -> bool {
        let types = &self.module.types;
        let mut around = std::iter::successors(Some(namespace), |&at| types.namespaces[at].parent);
        around.any(|at| at != Namespace::GLOBAL && types.namespaces[at].name.is_none())
    }

    /// Runs a check whose errors are given instead of reported.
    pub(in crate::sema) fn silently<R>(
        &mut self,
        check: impl FnOnce(&mut Self) -> Result<R, Reported>,
    ) -> Result<R, Vec<Diagnostic>> {
        let aside = self.sink.aside();
        let said = std::mem::replace(self.sink, aside);
        let n_poisoned = self.n_poisoned.get();
        self.known.templates.n_silent += 1;
        let result = check(self);
        self.known.templates.n_silent -= 1;
        self.n_poisoned.set(n_poisoned);
        let found = std::mem::replace(self.sink, said);
        result.map_err(|_| found.into_emitted())
    }
}
