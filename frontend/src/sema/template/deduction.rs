//! Arguments that a call says (C++17 17.8.2), and which of two templates is the more specialized (17.5.6.2).

use cranelift_entity::packed_option::ReservedValue;

use super::{Mismatch, Template, Templates};
use crate::ast::{InitId, InitKind, TemplateArgsId};
use crate::ir::{DependentTy, DependentValue, FuncTy, Quals, Record, RefKind, TemplateArg, Ty, TyKind};
use crate::sema::call::overload::Arg;
use crate::sema::conversion::reference::Category;
use crate::source::Span;

/// What is known of the arguments so far.
#[derive(Clone)]
pub(super) struct Deduced {
    /// Of a pack, what is known of its elements.
    pub(super) args: Vec<Option<TemplateArg>>,
    /// Which parameters are packs.
    pub(super) is_pack: Vec<bool>,
    /// Which arguments are written; a pack may get more elements.
    pub(super) is_written: Vec<bool>,
    /// Which packs an argument has said something of.
    pub(super) is_deduced: Vec<bool>,
    /// No conversion follows that could add qualifiers.
    is_exact: bool,
    pub(super) conflict: Option<(usize, TemplateArg, TemplateArg)>,
}

impl Deduced {
    fn set(&mut self, idx: u32, arg: TemplateArg) -> bool {
        let slot = &mut self.args[idx as usize];
        let same = match (&*slot, &arg) {
            (None, _) => {
                *slot = Some(arg);
                return true;
            }
            // The type of a value is the parameter's.
            (Some(TemplateArg::Value(_, ours)), TemplateArg::Value(_, theirs)) => ours == theirs,
            (Some(known), arg) => known == arg,
        };
        if !same && self.conflict.is_none() {
            self.conflict = slot.clone().map(|known| (idx as usize, known, arg));
        }
        same
    }
}

impl<'a> Templates<'a> {
    /// The arguments of the instance that a call means.
    pub(super) fn deduce_call(
        &mut self,
        template: Template,
        explicit: Vec<Option<TemplateArg>>,
        args: &[Arg],
    ) -> Result<Vec<TemplateArg>, Mismatch> {
        let signature = &self.known.templates.templates[template].signature;
        let (pattern, n_defaults) = (signature.pattern, signature.defaults.iter().flatten().count());
        let has_object = signature.has_object;
        let Some(FuncTy { mut params, variadic, .. }) = self.module.types.func(pattern).cloned() else {
            return Err(Mismatch::Undeduced(0));
        };
        params.drain(..usize::from(has_object));
        let mut deduced = self.nothing_deduced(template, explicit, false);
        let mut len =
            |param: &Ty| self.expanded(*param).map_or(1, |pattern| self.known_len(pattern, &deduced));
        let has_last_pack = params.last().is_some_and(|&last| self.expanded(last).is_some());
        let n_fixed: usize = params[..params.len() - usize::from(has_last_pack)].iter().map(&mut len).sum();
        let is_open = variadic || has_last_pack;
        if args.len() + n_defaults < n_fixed || args.len() > n_fixed && !is_open {
            let most = if is_open { usize::MAX } else { n_fixed };
            return Err(Mismatch::Count(n_fixed - n_defaults, most));
        }
        let mut rest = args;
        for (idx, &param) in params.iter().enumerate() {
            let result = match self.expanded(param) {
                Some(pattern) if idx + 1 == params.len() => {
                    let each = |cx: &mut Self, idx: usize, deduced: &mut Deduced| {
                        cx.deduce_from_arg(pattern, rest[idx], deduced)
                    };
                    self.unify_pack(pattern, rest.len(), &mut deduced, each)
                }
                // Nothing is deduced from it (C++17 17.8.2.1p1).
                Some(pattern) => {
                    rest = &rest[self.known_len(pattern, &deduced).min(rest.len())..];
                    continue;
                }
                None => {
                    let Some((&arg, after)) = rest.split_first() else { continue };
                    rest = after;
                    self.deduce_from_arg(param, arg, &mut deduced).map_err(Some)
                }
            };
            if let Err(form) = result {
                return Err(match (deduced.conflict, form) {
                    (Some((idx, first, second)), _) => Mismatch::Conflict(idx, Box::new((first, second))),
                    (None, Some((param, arg))) => Mismatch::Form(param, arg),
                    (None, None) => {
                        let undeduced = deduced.is_pack.iter().position(|&is_pack| is_pack);
                        Mismatch::Undeduced(undeduced.unwrap_or(0))
                    }
                });
            }
        }
        self.complete_args(template, deduced.args)
    }

    /// Nothing but what is written.
    pub(super) fn nothing_deduced(
        &self,
        template: Template,
        args: Vec<Option<TemplateArg>>,
        is_exact: bool,
    ) -> Deduced {
        let params = &self.known.templates.templates[template].first().params;
        Deduced {
            is_pack: params.iter().map(|param| param.is_pack).collect(),
            is_written: args.iter().map(Option::is_some).collect(),
            is_deduced: vec![false; args.len()],
            args,
            is_exact,
            conflict: None,
        }
    }

    /// Whether a parameter of the template that is not written is part of the type.
    pub(super) fn takes_part(&self, ty: Ty, is_written: &[bool]) -> bool {
        let types = &self.module.types;
        match types.kind(ty) {
            TyKind::Pointer(inner) | TyKind::Reference(inner, _) | TyKind::Array(inner, _) => {
                self.takes_part(*inner, is_written)
            }
            TyKind::Func(func) => {
                func.params.iter().chain([&func.ret]).any(|&part| self.takes_part(part, is_written))
            }
            TyKind::Dependent(_) => match types.dependent(ty) {
                Some(DependentTy::Param(idx)) => !is_written[*idx as usize],
                Some(DependentTy::Array(elem, len)) => {
                    let is_open = matches!(len, DependentValue::Param(idx) if !is_written[*idx as usize]);
                    is_open || self.takes_part(*elem, is_written)
                }
                Some(DependentTy::Instance(_, args)) => {
                    args.iter().any(|arg| self.arg_takes_part(arg, is_written))
                }
                Some(DependentTy::ParamInstance(param, args)) => {
                    self.takes_part(*param, is_written)
                        || args.iter().any(|arg| self.arg_takes_part(arg, is_written))
                }
                // A call may add elements to a pack.
                Some(DependentTy::Expansion(_)) => true,
                _ => false,
            },
            _ => false,
        }
    }

    fn arg_takes_part(&self, arg: &TemplateArg, is_written: &[bool]) -> bool {
        match arg {
            TemplateArg::Type(ty) => match self.expanded(*ty) {
                Some(pattern) => self.takes_part(pattern, is_written),
                None => self.takes_part(*ty, is_written),
            },
            TemplateArg::Dependent(DependentValue::Param(idx)) => !is_written[*idx as usize],
            TemplateArg::Dependent(DependentValue::Operator("sp", values)) => {
                matches!(values[..], [DependentValue::Param(idx)] if !is_written[idx as usize])
            }
            TemplateArg::Dependent(_)
            | TemplateArg::Value(..)
            | TemplateArg::Address(..)
            | TemplateArg::Template(_) => false,
            TemplateArg::Pack(args) => args.iter().any(|arg| self.arg_takes_part(arg, is_written)),
        }
    }

    /// What one argument of a call says (C++17 17.8.2.1). An error has the two types that do not match.
    fn deduce_from_arg(&mut self, param: Ty, arg: Arg, deduced: &mut Deduced) -> Result<(), (Ty, Ty)> {
        if !self.takes_part(param, &deduced.is_written) {
            return Ok(());
        }
        let reference = self.module.types.reference(param);
        let (from, is_lvalue) = match arg {
            Arg::Value(value) => (self.expressions().prvalue_ty(value), false),
            Arg::Object(operand, value) => match reference {
                Some(_) => {
                    let Ok(ty) = self.expressions().operand_ty(operand) else { return Ok(()) };
                    let category = self.conversions_ref().category(operand);
                    (ty, matches!(category, Category::Lvalue | Category::BitField))
                }
                None => (self.ty_of(value), false),
            },
            Arg::Braced(init, _) => return self.deduce_from_list(param, init, deduced),
            Arg::Overloaded(id) => return self.deduce_from_overloads(param, id, deduced),
        };
        let (param, from) = match reference {
            Some((inner, RefKind::Rvalue))
                if is_lvalue
                    && matches!(self.module.types.dependent(inner), Some(DependentTy::Param(_)))
                    && self.module.types.quals(inner).is_empty() =>
            {
                let from = self.module.types.reference_to(from, RefKind::Lvalue);
                (inner, from)
            }
            Some((inner, _)) => (inner, from),
            None => (self.module.types.unqualified(param), self.module.types.unqualified(from)),
        };
        let from = self.canonical(from);
        let before = deduced.clone();
        if self.unify(param, from, deduced) || self.deduce_from_bases(param, from, &before, deduced) {
            return Ok(());
        }
        Err((param, from))
    }

    /// What the values of a list say where the parameter is a `std::initializer_list` (C++17 17.8.2.1p1).
    fn deduce_from_list(&mut self, param: Ty, init: InitId, deduced: &mut Deduced) -> Result<(), (Ty, Ty)> {
        let bare = self.module.types.reference(param).map_or(param, |(inner, _)| inner);
        let bare = self.module.types.unqualified(bare);
        let unit = self.unit;
        // Of what host code launches with, the values are not known.
        if init.is_reserved_value() {
            return Ok(());
        }
        let (Some(elem), InitKind::List(items)) =
            (self.conversions_ref().listed_pattern(bare), &unit.inits[init].kind)
        else {
            return Ok(());
        };
        for item in items {
            match unit.inits[item.init].kind {
                InitKind::Expr(expr) => self.aside(|cx| match cx.calls().check_arg(expr) {
                    Ok(arg) => cx.templates().deduce_from_arg(elem, arg, deduced),
                    Err(_) => Ok(()),
                })?,
                InitKind::List(_) => self.deduce_from_list(elem, item.init, deduced)?,
                InitKind::Parens(_) => {}
            }
        }
        Ok(())
    }

    /// What a base class says where the class of the argument, or what it points to, is derived from an instance (C++17 17.8.2.1p4.3).
    fn deduce_from_bases(&mut self, param: Ty, from: Ty, before: &Deduced, deduced: &mut Deduced) -> bool {
        let (of_param, of_arg) = match (self.module.types.pointee(param), self.module.types.pointee(from)) {
            (Some(param), Some(from)) => (param, from),
            _ => (param, from),
        };
        let is_instance = matches!(self.module.types.dependent(of_param), Some(DependentTy::Instance(..)));
        let Some(class) = self.module.types.record(of_arg).filter(|_| is_instance) else { return false };
        self.complete(of_arg, Span::default());
        let quals = self.module.types.quals(of_arg);
        let mut found: Option<Deduced> = None;
        let mut waiting: Vec<Record> =
            self.types_ref().bases_of(class).iter().map(|&(_, base)| base).collect();
        while let Some(base) = waiting.pop() {
            let ty = self.module.types.record_ty(base);
            let ty = self.module.types.with_quals(ty, quals);
            let mut trial = Deduced { conflict: None, ..before.clone() };
            if self.unify(of_param, ty, &mut trial) {
                // Two bases that fit say nothing.
                if found.as_ref().is_some_and(|found| found.args != trial.args) {
                    return false;
                }
                found = Some(trial);
            } else {
                waiting.extend(self.types_ref().bases_of(base).iter().map(|&(_, base)| base));
            }
        }
        let Some(found) = found else { return false };
        *deduced = found;
        true
    }

    /// The one of several functions whose type fits says what it says (C++17 17.8.2.1p6).
    fn deduce_from_overloads(
        &mut self,
        param: Ty,
        id: crate::ast::ExprId,
        deduced: &mut Deduced,
    ) -> Result<(), (Ty, Ty)> {
        let Some((overloads, _)) = self.calls().overloads_behind(id) else { return Ok(()) };
        let mut found: Option<Vec<Option<TemplateArg>>> = None;
        for &func in &overloads.funcs {
            let ty = self.module.functions[func].ty;
            let ty = self.module.types.pointer_to(ty);
            let ty = self.canonical(ty);
            let mut trial = Deduced { is_exact: false, conflict: None, ..deduced.clone() };
            let target = self.module.types.reference(param).map_or(param, |(inner, _)| inner);
            let target = self.module.types.unqualified(target);
            if self.unify(target, ty, &mut trial) {
                if found.is_some() {
                    return Ok(());
                }
                found = Some(trial.args);
            }
        }
        if let Some(args) = found {
            deduced.args = args;
        }
        Ok(())
    }

    /// Whether arguments make the pattern the type; notes them. Unless it must be exact, the type may lack qualifiers of the pattern: a
    /// conversion adds them.
    pub(super) fn unify(&mut self, pattern: Ty, ty: Ty, deduced: &mut Deduced) -> bool {
        if !self.module.types.is_dependent(pattern) {
            return if deduced.is_exact {
                self.same(pattern, ty)
            } else {
                self.same_unqualified(pattern, ty)
            };
        }
        let (wanted, has) = (self.module.types.quals(pattern), self.module.types.quals(ty));
        if deduced.is_exact && !has.contains(wanted) {
            return false;
        }
        let types = &self.module.types;
        match (types.kind(pattern), types.kind(ty)) {
            (TyKind::Dependent(_), _) => self.unify_dependent(pattern, ty, deduced),
            (&TyKind::Pointer(pattern), &TyKind::Pointer(ty)) => self.unify(pattern, ty, deduced),
            (&TyKind::Reference(pattern, a), &TyKind::Reference(ty, b)) => {
                a == b && self.unify(pattern, ty, deduced)
            }
            (&TyKind::Array(pattern, len), &TyKind::Array(ty, other)) => {
                (len.is_none() || len == other) && self.unify(pattern, ty, deduced)
            }
            (TyKind::Func(pattern), TyKind::Func(ty)) => {
                let (pattern, ty) = (pattern.clone(), ty.clone());
                pattern.variadic == ty.variadic
                    && self.unify(pattern.ret, ty.ret, deduced)
                    && self.unify_list(&pattern.params, &ty.params, true, deduced)
            }
            _ => false,
        }
    }

    fn unify_dependent(&mut self, pattern: Ty, ty: Ty, deduced: &mut Deduced) -> bool {
        let Some(dependent) = self.module.types.dependent(pattern).cloned() else { return false };
        match dependent {
            DependentTy::Param(idx) => {
                let quals = self.module.types.quals(ty) - self.module.types.written_quals(pattern);
                let bare = self.module.types.unqualified(ty);
                let bare = self.module.types.with_quals(bare, quals);
                deduced.set(idx, TemplateArg::Type(self.canonical(bare)))
            }
            DependentTy::Array(elem, len) => {
                let (inner, of) = match *self.module.types.kind(ty) {
                    TyKind::Array(inner, Some(len)) => (inner, Some(len)),
                    TyKind::Dependent(_) => match self.module.types.dependent(ty) {
                        Some(&DependentTy::Array(inner, _)) => (inner, None),
                        _ => return false,
                    },
                    _ => return false,
                };
                if let (DependentValue::Param(idx), Some(of)) = (len, of)
                    && !deduced.set(idx, TemplateArg::Value(Ty::ULONG, i128::from(of)))
                {
                    return false;
                }
                self.unify(elem, inner, deduced)
            }
            DependentTy::Instance(class, patterns) => {
                let Some((of, args)) = self.module.types.instance_parts(ty) else { return false };
                let args = args.to_vec();
                let is_exact = std::mem::replace(&mut deduced.is_exact, true);
                let is_expansion =
                    |arg: &TemplateArg| matches!(*arg, TemplateArg::Type(ty) if self.expanded(ty).is_some());
                let fits = of == class
                    && match patterns.iter().any(is_expansion) {
                        true => self.unify_packs(&patterns, &without_packs(&args), deduced),
                        false => self.unify_args(&patterns, &args, deduced),
                    };
                deduced.is_exact = is_exact;
                fits
            }
            DependentTy::ParamInstance(param, patterns) => {
                self.unify_param_instance(param, &patterns, ty, deduced)
            }
            // Nothing is deduced from it (C++17 17.8.2.5p5).
            DependentTy::Member(..)
            | DependentTy::MemberInstance(..)
            | DependentTy::Decltype(_)
            | DependentTy::Expansion(_)
            | DependentTy::Auto
            | DependentTy::DecltypeAuto => true,
        }
    }

    /// The same of an instance of the template that is a parameter.
    fn unify_param_instance(
        &mut self,
        param: Ty,
        patterns: &[TemplateArg],
        ty: Ty,
        deduced: &mut Deduced,
    ) -> bool {
        let (template, args) = match self.module.types.dependent(ty) {
            Some(DependentTy::ParamInstance(of, args)) => (TemplateArg::Type(*of), args.clone()),
            _ => match self.module.types.instance_parts(ty) {
                Some((of, args)) => (TemplateArg::Template(of), args.to_vec()),
                None => return false,
            },
        };
        let is_exact = std::mem::replace(&mut deduced.is_exact, true);
        // Whether the template has a pack where the parameter has one does not matter.
        let fits = self.unify_template(param, template, deduced)
            && self.unify_packs(&without_packs(patterns), &without_packs(&args), deduced);
        deduced.is_exact = is_exact;
        fits
    }

    fn unify_template(&self, param: Ty, template: TemplateArg, deduced: &mut Deduced) -> bool {
        match self.module.types.dependent(param) {
            Some(&DependentTy::Param(idx)) => deduced.set(idx, template),
            _ => template == TemplateArg::Type(param),
        }
    }

    /// Whether arguments make those of an instance the others, too.
    fn unify_args(&mut self, patterns: &[TemplateArg], args: &[TemplateArg], deduced: &mut Deduced) -> bool {
        patterns.len() == args.len()
            && patterns.iter().zip(args).all(|(pattern, arg)| self.unify_arg(pattern, arg, deduced))
    }

    fn unify_arg(&mut self, pattern: &TemplateArg, arg: &TemplateArg, deduced: &mut Deduced) -> bool {
        match (pattern, arg) {
            (TemplateArg::Type(pattern), TemplateArg::Type(ty)) => self.unify(*pattern, *ty, deduced),
            (TemplateArg::Value(_, ours), TemplateArg::Value(_, theirs)) => ours == theirs,
            (TemplateArg::Address(_, ours), TemplateArg::Address(_, theirs)) => ours == theirs,
            (TemplateArg::Template(ours), TemplateArg::Template(theirs)) => ours == theirs,
            (TemplateArg::Type(pattern), TemplateArg::Template(_)) => {
                self.unify_template(*pattern, arg.clone(), deduced)
            }
            (TemplateArg::Dependent(DependentValue::Param(idx)), arg) => match arg {
                TemplateArg::Value(..) | TemplateArg::Address(..) | TemplateArg::Dependent(_) => {
                    deduced.set(*idx, arg.clone())
                }
                TemplateArg::Type(_) | TemplateArg::Template(_) | TemplateArg::Pack(_) => false,
            },
            // Nothing is deduced from it.
            (TemplateArg::Dependent(_), TemplateArg::Value(..) | TemplateArg::Address(..)) => true,
            (TemplateArg::Dependent(ours), TemplateArg::Dependent(theirs)) => ours == theirs,
            (TemplateArg::Pack(patterns), TemplateArg::Pack(args)) => {
                self.unify_packs(patterns, args, deduced)
            }
            _ => false,
        }
    }

    fn unify_packs(&mut self, patterns: &[TemplateArg], args: &[TemplateArg], deduced: &mut Deduced) -> bool {
        if let Some((TemplateArg::Dependent(DependentValue::Operator("sp", values)), first)) =
            patterns.split_last()
            && let [DependentValue::Param(idx)] = values[..]
        {
            if args.len() < first.len() || !self.unify_args(first, &args[..first.len()], deduced) {
                return false;
            }
            return deduced.set(idx, TemplateArg::Pack(args[first.len()..].to_vec()));
        }
        let types = |args: &[TemplateArg]| {
            let ty = |arg: &TemplateArg| match arg {
                TemplateArg::Type(ty) => Some(*ty),
                _ => None,
            };
            args.iter().map(ty).collect::<Option<Vec<Ty>>>()
        };
        match (types(patterns), types(args)) {
            (Some(patterns), Some(types)) => self.unify_list(&patterns, &types, true, deduced),
            _ => self.unify_args(patterns, args, deduced),
        }
    }

    /// The arguments of the instance that has the function type, some of which may be written.
    pub(super) fn deduce_from_ty(
        &mut self,
        template: Template,
        explicit: Vec<Option<TemplateArg>>,
        ty: Ty,
    ) -> Option<Vec<TemplateArg>> {
        let pattern = self.known.templates.templates[template].signature.pattern;
        let pattern = self.module.types.func(pattern)?.clone();
        let ty = self.canonical(ty);
        let ty = self.module.types.func(ty)?.clone();
        let mut deduced = self.nothing_deduced(template, explicit, true);
        if pattern.variadic != ty.variadic
            || !self.unify_list(&pattern.params, &ty.params, true, &mut deduced)
            || self.module.types.is_dependent(pattern.ret) && !self.unify(pattern.ret, ty.ret, &mut deduced)
        {
            return None;
        }
        self.complete_args(template, deduced.args).ok()
    }

    /// The most specialized of the templates with an instance of the function type, and the arguments of that (C++17 16.4p4, 17.8.2.6).
    pub(super) fn most_specialized(
        &mut self,
        templates: &[Template],
        written: Option<TemplateArgsId>,
        ty: Ty,
    ) -> Option<(Template, Vec<TemplateArg>)> {
        let mut best: Option<(Template, Vec<TemplateArg>)> = None;
        for &template in templates {
            let Ok(explicit) = self.explicit_args(template, written) else { continue };
            let Some(args) = self.deduce_from_ty(template, explicit, ty) else { continue };
            if best.as_ref().is_none_or(|&(other, _)| self.is_more_specialized(template, other)) {
                best = Some((template, args));
            }
        }
        best
    }

    /// Whether the template is more specialized than another (C++17 17.5.6.2).
    pub(in crate::sema) fn is_more_specialized(&mut self, a: Template, b: Template) -> bool {
        a != b
            && self.is_at_least_as_specialized(a, b)
            && (!self.is_at_least_as_specialized(b, a) || self.breaks_tie(a, b) || self.lacks_pack(a, b))
    }

    /// Whether the parameters of `b` can be those of `a`, whatever the parameters of template `a` are.
    fn is_at_least_as_specialized(&mut self, a: Template, b: Template) -> bool {
        let (Some(of_a), Some(of_b)) = (self.pattern_params(a), self.pattern_params(b)) else { return false };
        let n_params = self.known.templates.templates[b].first().params.len();
        let mut deduced = self.nothing_deduced(b, vec![None; n_params], true);
        let of_a: Vec<Ty> = of_a.iter().map(|&ty| self.compared(ty)).collect();
        let of_b: Vec<Ty> = of_b.iter().map(|&ty| self.compared(ty)).collect();
        self.unify_list(&of_b, &of_a, false, &mut deduced)
    }

    /// Whether `b` ends in a pack of parameters, for which `a` has neither a parameter nor a pack (C++17 17.8.2.4p11).
    fn lacks_pack(&mut self, a: Template, b: Template) -> bool {
        let (Some(of_a), Some(of_b)) = (self.pattern_params(a), self.pattern_params(b)) else { return false };
        let ends_in_pack = |of: &[Ty]| of.last().is_some_and(|&last| self.expanded(last).is_some());
        ends_in_pack(&of_b) && !ends_in_pack(&of_a) && of_a.len() < of_b.len()
    }

    fn pattern_params(&self, template: Template) -> Option<Vec<Ty>> {
        let signature = &self.known.templates.templates[template].signature;
        match self.module.types.func(signature.pattern) {
            Some(func) => Some(func.params[usize::from(signature.has_object)..].to_vec()),
            // Of a partial specialization.
            None => Some(vec![signature.pattern]),
        }
    }

    /// Without a reference and the qualifiers at the top (C++17 17.8.2.4p5, p7).
    fn compared(&mut self, ty: Ty) -> Ty {
        if let Some(pattern) = self.expanded(ty) {
            let pattern = self.compared(pattern);
            return self.module.types.dependent_ty(DependentTy::Expansion(pattern));
        }
        let ty = self.module.types.reference(ty).map_or(ty, |(inner, _)| inner);
        self.module.types.unqualified(ty)
    }

    /// Where both are as specialized: an lvalue reference before an rvalue reference, more qualifiers before fewer (C++17 17.8.2.4p9).
    fn breaks_tie(&mut self, a: Template, b: Template) -> bool {
        let (Some(of_a), Some(of_b)) = (self.pattern_params(a), self.pattern_params(b)) else { return false };
        let mut is_better = false;
        for (&a, &b) in of_a.iter().zip(&of_b) {
            let (Some((inner_a, kind_a)), Some((inner_b, kind_b))) =
                (self.module.types.reference(a), self.module.types.reference(b))
            else {
                continue;
            };
            let (quals_a, quals_b): (Quals, Quals) =
                (self.module.types.quals(inner_a), self.module.types.quals(inner_b));
            let rank = |kind, quals: Quals| (kind == RefKind::Lvalue, quals.bits().count_ones());
            match rank(kind_a, quals_a).cmp(&rank(kind_b, quals_b)) {
                std::cmp::Ordering::Less => return false,
                std::cmp::Ordering::Greater => is_better = true,
                std::cmp::Ordering::Equal => {}
            }
        }
        is_better
    }

    /// Where a template is declared.
    pub(in crate::sema) fn template_span(&self, template: Template) -> Span {
        self.known.templates.templates[template].name.span
    }
}

/// The arguments with the elements of packs in their place.
fn without_packs(args: &[TemplateArg]) -> Vec<TemplateArg> {
    let elements = |arg: &TemplateArg| match arg {
        TemplateArg::Pack(elements) => elements.clone(),
        arg => vec![arg.clone()],
    };
    args.iter().flat_map(elements).collect()
}
