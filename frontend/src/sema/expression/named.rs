//! What names mean in expressions (C++17 8.1.4).

use super::Operand;
use crate::ast::Name;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Axis, Expr, ExprData, Linkage, Local, Place, PlaceData, Quals, SpecialReg, Ty};
use crate::predeclared::SpecialVar;
use crate::sema::constant::const_eval::Value;
use crate::sema::name::scope::{Binding, Entity};
use crate::sema::{Evaluation, Expressions};
use crate::source::Span;
use crate::token::Symbol;

impl Expressions<'_> {
    pub(super) fn special_value(&mut self, var: SpecialVar, span: Span) -> Expr {
        let ty = self.names().special_ty(var);
        let ty = self.module.types.unqualified(ty);
        if var == SpecialVar::WarpSize {
            return self.expr(ExprData::SpecialReg(SpecialReg::WarpSize), ty, span);
        }
        let registers = [Axis::X, Axis::Y, Axis::Z]
            .map(|axis| self.expr(ExprData::SpecialReg(var.register(axis)), Ty::UINT, span));
        self.expr(ExprData::Record(registers.into()), ty, span)
    }

    /// The variable of the function or its parameter, which most names are. It is the shorter way to what
    /// [`Expressions::check_name`] gives.
    #[inline(always)]
    pub(super) fn local_named(&mut self, symbol: Symbol, span: Span) -> Option<Place> {
        if self.deducing == Some(symbol) {
            return None;
        }
        match self.names_ref().lookup(symbol)?.entity {
            Entity::Local(local) => self.local_place(local, span),
            _ => None,
        }
    }

    /// A member of the variable without a name, by its own name.
    fn anonymous_member_place(&mut self, local: Local, name: Name) -> Result<Place, Reported> {
        let Some(union) = self.local_place(local, name.span) else { return Err(self.poisoned()) };
        self.member_of(union, name, name.span)
    }

    /// The variable, or what it refers to; none if that is a function.
    #[inline(always)]
    pub(in crate::sema) fn local_place(&mut self, local: Local, span: Span) -> Option<Place> {
        let data = &mut self.statements().func_cx().locals[local];
        data.is_referenced = true;
        let ty = data.ty;
        if !ty.is_plain_number()
            && let Some((referred, _)) = self.module.types.reference(ty)
        {
            let is_object = self.module.types.func(referred).is_none();
            return is_object.then(|| {
                self.conversions().referred_place(PlaceData::Local(local), referred, Quals::empty(), span)
            });
        }
        Some(self.place(PlaceData::Local(local), ty, span))
    }

    /// What the name of a variable of the type means.
    fn held_operand(&mut self, held: PlaceData, ty: Ty, span: Span) -> Operand {
        match self.module.types.reference(ty) {
            None => Operand::Place(self.place(held, ty, span)),
            Some((referred, _)) if self.module.types.func(referred).is_some() => {
                Operand::FuncDeref(self.conversions().held_address(held, referred, Quals::empty(), span))
            }
            Some((referred, _)) => {
                Operand::Place(self.conversions().referred_place(held, referred, Quals::empty(), span))
            }
        }
    }

    /// What the name of the variable means.
    fn local_operand(&mut self, local: Local, span: Span) -> Operand {
        if let Some(place) = self.local_place(local, span) {
            return Operand::Place(place);
        }
        let ty = self.statements().func_cx().locals[local].ty;
        let func = self.conversions_ref().unreferenced(ty);
        Operand::FuncDeref(self.conversions().held_address(
            PlaceData::Local(local),
            func,
            Quals::empty(),
            span,
        ))
    }

    pub(in crate::sema) fn check_name(&mut self, symbol: Symbol, span: Span) -> Result<Operand, Reported> {
        let name = Name { symbol, span };
        if self.deducing == Some(symbol) {
            let spelling = self.spelling(symbol);
            let message =
                format!("variable `{spelling}` declared with `auto` cannot appear in its own initializer");
            return Err(self.error(Code::InvalidAuto, span, message));
        }
        let Some(binding) = self.names_ref().lookup(symbol) else {
            if let Some(function) = self.builtins().builtin_named(symbol) {
                return Ok(Operand::Builtin(function, span));
            }
            if let Some(func) = self.names().system_function(symbol, span) {
                return Ok(Operand::Func(func, span));
            }
            let function_name = self.function_name(symbol, span);
            return function_name
                .map(Operand::Place)
                .ok_or_else(|| self.names().undeclared(name, "identifier"));
        };
        self.names().advise_use(binding, name);
        self.names().require_inherited(binding, name)?;
        self.entity_operand(binding, name)
    }

    /// What a name means in an expression.
    pub(in crate::sema) fn entity_operand(
        &mut self,
        binding: Binding,
        name: Name,
    ) -> Result<Operand, Reported> {
        let Name { symbol, span } = name;
        match binding.entity {
            Entity::Template(template) => {
                let message = format!("`{}` is a template, and lacks arguments", self.spelling(symbol));
                let diagnostic = Diagnostic::new(Code::InvalidTemplate, span, message)
                    .with_label(self.templates_ref().template_span(template), "template is declared here");
                Err(self.sink.error(diagnostic))
            }
            Entity::TemplateParam(_) | Entity::Pack(_) => {
                let message = "this use of a template parameter in a signature is not supported";
                Err(self.error(Code::UnsupportedTemplate, span, message))
            }
            Entity::Func(func) => {
                self.declarations().require_deduced(func, span)?;
                self.module.functions[func].is_referenced = true;
                Ok(Operand::Func(func, span))
            }
            Entity::Overloads(overloads) => Ok(Operand::Overloads(overloads, span)),
            Entity::Global(global) => {
                if self.module.globals[global].linkage == Linkage::Internal {
                    self.known.used_globals.insert(global);
                }
                let ty = self.module.globals[global].ty;
                if self.canonical(ty) == Ty::ERROR {
                    return Err(self.poisoned());
                }
                if self.evaluation == Evaluation::AtRunTime && self.known.host_objects.contains(&global) {
                    return Err(self.host_object_used(name));
                }
                Ok(self.held_operand(PlaceData::Global(global), ty, span))
            }
            Entity::Local(local) => Ok(self.local_operand(local, span)),
            Entity::Element(local, idx) => self.declarations().bound_element(local, idx, name),
            Entity::Field(class) => self.member_of_this(class, name),
            Entity::Member(local) => self.anonymous_member_place(local, name).map(Operand::Place),
            Entity::Enumerator(ty, idx) => {
                let value = self.types_ref().enumerator_value(ty, idx);
                Ok(Operand::Value(self.value_expr(value, ty, span)))
            }
            Entity::Const(idx) => {
                let constant = &mut self.known.named_consts[idx as usize];
                constant.is_referenced = true;
                if let Value::Addr(base, offset) = constant.value {
                    let ty = constant.ty;
                    return self.constant_address(base, offset, ty, span);
                }
                let is_value = constant.is_value;
                let operand = Operand::Const(idx, span);
                if is_value { self.rvalue(operand).map(Operand::Value) } else { Ok(operand) }
            }
            Entity::Special(var) => Ok(Operand::Special(var, span)),
            Entity::Constant(value) => Ok(Operand::Value(self.expr(ExprData::int(value), Ty::INT, span))),
            Entity::Typedef(_) => {
                let spelling = self.spelling(symbol);
                let message = format!("expected an expression, found the type `{spelling}`");
                Err(self.error(Code::ExpectedExpression, span, message))
            }
            Entity::Namespace(_) => {
                let spelling = self.spelling(symbol);
                let message = format!("unexpected namespace name `{spelling}`: expected expression");
                Err(self.error(Code::ExpectedExpression, span, message))
            }
            Entity::Several => {
                let binding = self.names().several_named(name)?;
                self.entity_operand(binding, name)
            }
            Entity::Host(host) => match self.declarations_ref().host_constexpr(binding) {
                Some(Entity::Func(func)) => Ok(Operand::Func(func, span)),
                Some(Entity::Overloads(overloads)) => Ok(Operand::Overloads(overloads, span)),
                // Device code may ask for its type.
                None if self.evaluation == Evaluation::Unevaluated
                    && let Some(ty) =
                        binding.span.and_then(|span| self.known.names.host_variables.get(&span)) =>
                {
                    let ty = *ty;
                    let pointer = self.module.types.pointer_to(ty);
                    let null = self.expr(ExprData::Null, pointer, span);
                    Ok(Operand::Place(self.place(PlaceData::Deref(null), ty, span)))
                }
                Some(_) | None => Err(self.names().host_entity_used(host, name, binding.span)),
            },
            Entity::Captured(variable) => self.captured_operand(variable, name, binding.span),
            Entity::Enclosing => Err(self.names().enclosing_local_used(name, binding.span)),
            Entity::Poison => Err(self.names().poisoned_name(name)),
        }
    }
}
