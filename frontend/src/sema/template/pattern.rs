//! Values in signatures that depend on the parameters of a template: what symbols have of them.

use super::Templates;
use crate::ast::{BinaryOp, ExprId, ExprKind, FoldOp, InitItem, InitKind, NamedCast, TypeNameId, UnaryOp};
use crate::diag::{Code, Diagnostic};
use crate::ir::{DependentTy, DependentValue, FloatTy, Func, Ty};
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::name::qualified::Outer;
use crate::sema::name::scope::Entity;
use crate::source::Span;
use crate::token::Symbol;

impl<'a> Templates<'a> {
    /// The array of a length that depends on a parameter; none if the length does not.
    pub(in crate::sema) fn dependent_array(&mut self, elem: Ty, len: ExprId) -> Option<Ty> {
        let len = self.dependent_value(len)?;
        Some(self.module.types.dependent_ty(DependentTy::Array(elem, len)))
    }

    /// The type of an expression that depends on a parameter; none if it does not.
    pub(in crate::sema) fn dependent_decltype(&mut self, operand: ExprId) -> Option<Ty> {
        let value = self.dependent_value(operand)?;
        Some(self.module.types.dependent_ty(DependentTy::Decltype(value)))
    }

    /// A name that stands for a value which depends on parameters.
    pub(super) fn dependent_entity(&mut self, value: DependentValue) -> Entity {
        let values = &mut self.known.templates.dependent_values;
        values.push(value);
        Entity::TemplateParam(values.len() as u32 - 1)
    }

    /// What a value in a signature is.
    pub(super) fn whole_pattern_value(&mut self, id: ExprId) -> DependentValue {
        self.pattern_value(id).unwrap_or_else(|| DependentValue::Nameless(self.unit.exprs[id].span))
    }

    /// The value, if it depends on a parameter.
    pub(super) fn dependent_value(&mut self, id: ExprId) -> Option<DependentValue> {
        if !self.is_dependent_value(id) {
            return None;
        }
        Some(self.whole_pattern_value(id))
    }

    /// Refuses an instance that is the host's, or whose symbol would have an expression of the signature that symbols cannot have yet.
    pub(super) fn require_symbol(&mut self, func: Func, used: Span) {
        let instance = self.module.functions[func].instance.as_ref();
        if let Some(span) = instance.and_then(|instance| self.module.types.nameless_part(instance.pattern)) {
            let message = "this expression in the signature of a template is not supported";
            let diagnostic = Diagnostic::new(Code::UnsupportedTemplate, span, message)
                .with_label(used, "an instance is used here");
            self.sink.error(diagnostic);
        } else if self.known.func_facts.get(&func).is_some_and(|facts| facts.is_unevaluated) {
            let shown = self.shown_method(func);
            let message = format!("host function `{shown}` used in device code");
            let diagnostic = Diagnostic::new(Code::UnsupportedHostCode, used, message)
                .with_label(self.module.functions[func].span, "declared here");
            self.sink.error(diagnostic);
        }
    }

    pub(super) fn is_dependent_value(&mut self, id: ExprId) -> bool {
        let unit = self.unit;
        match unit.exprs[id].kind {
            ExprKind::Ident(symbol) => self.names_dependent(symbol),
            ExprKind::Element { pack, idx } => self.dependent_element(pack, idx).is_some(),
            ExprKind::SizeofPack { .. } | ExprKind::Expansion(_) | ExprKind::Fold { .. } => true,
            ExprKind::Paren(inner)
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Member { base: inner, .. }
            | ExprKind::SizeofExpr(inner) => self.is_dependent_value(inner),
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Index { base: lhs, index: rhs } => {
                self.is_dependent_value(lhs) || self.is_dependent_value(rhs)
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                let parts = [Some(cond), then, Some(otherwise)];
                parts.into_iter().flatten().any(|part| self.is_dependent_value(part))
            }
            ExprKind::Call { callee, args } => {
                let is_dependent = |&arg: &ExprId| self.is_dependent_value(arg);
                unit.args(args).iter().chain([&callee]).any(is_dependent)
            }
            ExprKind::FunctionalCast { ty, args } => {
                self.is_dependent_name(ty) || unit.args(args).iter().any(|&arg| self.is_dependent_value(arg))
            }
            ExprKind::Cast { ty, operand } | ExprKind::NamedCast { ty, operand, .. } => {
                self.is_dependent_name(ty) || self.is_dependent_value(operand)
            }
            ExprKind::SizeofType(ty) | ExprKind::CompoundLiteral { ty, .. } => self.is_dependent_name(ty),
            ExprKind::Scoped { ty, .. } => self.dependent_scope(ty).is_some(),
            ExprKind::TemplateId { args, .. } => self.are_dependent_args(args),
            _ => false,
        }
    }

    /// The type before `::`, if it depends on a parameter.
    fn dependent_scope(&mut self, name: TypeNameId) -> Option<Ty> {
        let unit = self.unit;
        let scope = self.silently(|cx| cx.names().scope_of(&unit.type_names[name].specs.ty)).ok()?;
        match scope {
            Outer::Type(ty) if self.module.types.is_dependent(ty) => Some(self.canonical(ty)),
            Outer::Type(_) | Outer::Namespace(_) => None,
        }
    }

    pub(super) fn is_dependent_name(&mut self, name: TypeNameId) -> bool {
        let unit = self.unit;
        let ty = self.silently(|cx| cx.types().resolve_type_name(&unit.type_names[name]));
        ty.is_ok_and(|ty| self.module.types.is_dependent(ty))
    }

    /// Whether the name is a parameter of the template, or of the function with a type that depends on one.
    fn names_dependent(&self, symbol: Symbol) -> bool {
        match self.names_ref().lookup(symbol).map(|binding| binding.entity) {
            Some(Entity::TemplateParam(_)) => true,
            Some(Entity::Local(local)) => {
                self.func.as_ref().is_some_and(|func| self.module.types.is_dependent(func.locals[local].ty))
            }
            _ => false,
        }
    }

    fn pattern_value(&mut self, id: ExprId) -> Option<DependentValue> {
        let unit = self.unit;
        Some(match unit.exprs[id].kind {
            ExprKind::Ident(symbol) => match self.names_ref().lookup(symbol)?.entity {
                Entity::TemplateParam(idx) => self.known.templates.dependent_values[idx as usize].clone(),
                Entity::Local(local) => DependentValue::FuncParam(local.as_u32()),
                _ => self.pattern_constant(id)?,
            },
            ExprKind::Element { pack, idx } => match self.dependent_element(pack, idx) {
                Some(value) => value,
                None => self.pattern_constant(id)?,
            },
            ExprKind::Scoped { ty, name } => match self.dependent_scope(ty) {
                Some(ty) => DependentValue::Scoped(ty, self.spelling(name.symbol).to_owned()),
                None => self.pattern_constant(id)?,
            },
            ExprKind::TemplateId { args, .. } if self.are_dependent_args(args) => {
                self.dependent_variable(id)?
            }
            ExprKind::SizeofPack { pack, .. } => {
                DependentValue::Operator("sZ", vec![self.pattern_pack(pack)?])
            }
            ExprKind::Expansion(pattern) => {
                DependentValue::Operator("sp", vec![self.pattern_value(pattern)?])
            }
            ExprKind::Fold { op: FoldOp::Binary(op), is_right, pack, init } => {
                let (code, operands) = match (is_right, init.expand()) {
                    (false, None) => ("fl", vec![pack]),
                    (true, None) => ("fr", vec![pack]),
                    (false, Some(init)) => ("fL", vec![init, pack]),
                    (true, Some(init)) => ("fR", vec![pack, init]),
                };
                let operands = operands.into_iter().map(|operand| self.pattern_value(operand));
                DependentValue::Fold(code, binary_code(op), operands.collect::<Option<_>>()?)
            }
            ExprKind::Paren(inner) => self.pattern_value(inner)?,
            ExprKind::Unary { op, operand, .. } => {
                DependentValue::Operator(unary_code(op), vec![self.pattern_value(operand)?])
            }
            ExprKind::Binary { op, lhs, rhs, .. } => {
                let operands = vec![self.pattern_value(lhs)?, self.pattern_value(rhs)?];
                DependentValue::Operator(binary_code(op), operands)
            }
            ExprKind::Index { base, index } => {
                DependentValue::Operator("ix", vec![self.pattern_value(base)?, self.pattern_value(index)?])
            }
            ExprKind::Conditional { cond, then: Some(then), otherwise } => {
                let operands = [cond, then, otherwise].map(|part| self.pattern_value(part));
                DependentValue::Operator("qu", operands.into_iter().collect::<Option<_>>()?)
            }
            ExprKind::Member { base, arrow, name } => {
                let base = Box::new(self.pattern_value(base)?);
                DependentValue::Member(base, arrow, self.spelling(name.symbol).to_owned())
            }
            ExprKind::Call { callee, args } => {
                let ExprKind::Ident(symbol) = unit.exprs[callee].kind else { return None };
                let args = unit.args(args).iter().map(|&arg| self.pattern_value(arg));
                let args = args.collect::<Option<_>>()?;
                if self.names_dependent(symbol) {
                    return Some(DependentValue::Invoke(Box::new(self.pattern_value(callee)?), args));
                }
                DependentValue::Call(self.spelling(symbol).to_owned(), args)
            }
            ExprKind::Cast { ty, operand } | ExprKind::NamedCast { ty, operand, cast: NamedCast::Static } => {
                let code = match unit.exprs[id].kind {
                    ExprKind::Cast { .. } => "cv",
                    _ => "sc",
                };
                let ty = self.types().resolve_type_name(&unit.type_names[ty]).ok()?;
                DependentValue::Cast(code, self.canonical(ty), Box::new(self.pattern_value(operand)?))
            }
            ExprKind::FunctionalCast { ty, args } => {
                let ty = self.types().resolve_type_name(&unit.type_names[ty]).ok()?;
                let ty = self.canonical(ty);
                match *unit.args(args) {
                    [] => DependentValue::Default(ty),
                    [operand] => DependentValue::Cast("cv", ty, Box::new(self.pattern_value(operand)?)),
                    _ => return None,
                }
            }
            ExprKind::CompoundLiteral { ty, init, is_object: false } => {
                let InitKind::List(items) = &unit.inits[init].kind else { return None };
                let ty = self.types().resolve_type_name(&unit.type_names[ty]).ok()?;
                let value = |item: &InitItem| match unit.inits[item.init].kind {
                    InitKind::Expr(expr) if item.designators.is_empty() => self.pattern_value(expr),
                    _ => None,
                };
                let values = items.iter().map(value).collect::<Option<_>>()?;
                DependentValue::List(self.canonical(ty), values)
            }
            ExprKind::SizeofExpr(operand) => {
                DependentValue::Operator("sz", vec![self.pattern_value(operand)?])
            }
            ExprKind::SizeofType(name) => {
                let ty = self.types().resolve_type_name(&unit.type_names[name]).ok()?;
                let ty = self.canonical(ty);
                if !self.module.types.is_dependent(ty) {
                    return self.pattern_constant(id);
                }
                DependentValue::SizeofType(ty)
            }
            _ => self.pattern_constant(id)?,
        })
    }

    /// A pack by its name.
    fn pattern_pack(&self, pack: Symbol) -> Option<DependentValue> {
        match self.names_ref().lookup(pack)?.entity {
            Entity::TemplateParam(idx) => Some(self.known.templates.dependent_values[idx as usize].clone()),
            Entity::Local(local) => Some(DependentValue::FuncParam(local.as_u32())),
            Entity::Typedef(ty) => match self.module.types.dependent(ty) {
                Some(&DependentTy::Param(idx)) => Some(DependentValue::Param(idx)),
                _ => None,
            },
            _ => None,
        }
    }

    fn pattern_constant(&mut self, id: ExprId) -> Option<DependentValue> {
        self.in_scratch(|cx| {
            let value = cx.expressions().check_rvalue(id).ok()?;
            let ty = cx.canonical(cx.ty_of(value));
            match cx.constants().eval(value, Mode::Required).ok()? {
                Value::Int(constant) => Some(DependentValue::Constant(ty, constant)),
                Value::Float(constant) => Some(DependentValue::Float(
                    ty,
                    match cx.module.types.float_ty(ty)? {
                        FloatTy::Float => u64::from((constant as f32).to_bits()),
                        FloatTy::Double => constant.to_bits(),
                        FloatTy::LongDouble => return None,
                    },
                )),
                _ => None,
            }
        })
    }
}

/// `<operator-name>` of the Itanium C++ ABI (5.1.4).
fn unary_code(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "ps",
        UnaryOp::Neg => "ng",
        UnaryOp::BitNot => "co",
        UnaryOp::Not => "nt",
        UnaryOp::Deref => "de",
        UnaryOp::AddrOf => "ad",
        UnaryOp::PreInc => "pp_",
        UnaryOp::PreDec => "mm_",
        UnaryOp::PostInc => "pp",
        UnaryOp::PostDec => "mm",
    }
}

fn binary_code(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "ml",
        BinaryOp::Div => "dv",
        BinaryOp::Rem => "rm",
        BinaryOp::Add => "pl",
        BinaryOp::Sub => "mi",
        BinaryOp::Shl => "ls",
        BinaryOp::Shr => "rs",
        BinaryOp::Lt => "lt",
        BinaryOp::Gt => "gt",
        BinaryOp::Le => "le",
        BinaryOp::Ge => "ge",
        BinaryOp::Eq => "eq",
        BinaryOp::Ne => "ne",
        BinaryOp::BitAnd => "an",
        BinaryOp::BitXor => "eo",
        BinaryOp::BitOr => "or",
        BinaryOp::LogAnd => "aa",
        BinaryOp::LogOr => "oo",
        BinaryOp::Comma => "cm",
    }
}
