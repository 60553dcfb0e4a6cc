//! Explicit calls of conversion functions and destructors, and of what is in their place for types without one (C++17 8.2.4, 15.4p12).

use super::Operand;
use crate::ast::{ExprId, TypeName, TypeNameId, TypeSpec};
use crate::diag::{Code, Reported};
use crate::ir::{Expr, InitData, PlaceData, Record, Ty};
use crate::sema::Expressions;
use crate::sema::call::overload::Overloads;
use crate::sema::name::qualified::Outer;
use crate::source::Span;

impl Expressions<'_> {
    /// `base.~type()`
    pub(super) fn check_destroy(
        &mut self,
        (base, arrow): (ExprId, bool),
        scope: Option<TypeNameId>,
        ty: TypeNameId,
        span: Span,
    ) -> Result<Expr, Reported> {
        let unit = self.unit;
        let (scope, named) = (scope.map(|scope| &unit.type_names[scope]), &unit.type_names[ty]);
        let object = self.member_base(base, arrow)?;
        let object_ty = self.operand_ty(object)?;
        self.templates().complete(object_ty, span);
        let destroyed = self.destroyed_ty(object_ty, scope, named)?;
        if self.same_unqualified(destroyed, object_ty) && self.module.types.record(destroyed).is_none() {
            let value = self.discard(object)?;
            return Ok(self.discarded(value));
        }
        let class = self.module.types.record(destroyed);
        let own = self.module.types.record(object_ty);
        let is_base = |base: Record| {
            scope.is_some() && own.is_some_and(|own| self.types_ref().path_to_base(own, base).is_some())
        };
        match class {
            Some(class) if own == Some(class) || is_base(class) => {
                self.types().require_complete(destroyed, span)?;
                let object = self.as_part(object, class, named.span)?;
                self.destroy_object(object, named.span, span)
            }
            _ => {
                let (destroyed, shown) = (self.show(destroyed), self.show(object_ty));
                let message = format!("destructor of {destroyed} called for an object of type {shown}");
                Err(self.error(Code::InvalidConversion, named.span, message))
            }
        }
    }

    /// `base.operator type()`: a call of the conversion function to the type.
    pub(super) fn check_conversion_call(
        &mut self,
        (base, arrow): (ExprId, bool),
        ty: TypeNameId,
        span: Span,
    ) -> Result<Operand, Reported> {
        let named = &self.unit.type_names[ty];
        let object = self.member_base(base, arrow)?;
        let object_ty = self.operand_ty(object)?;
        self.templates().complete(object_ty, span);
        let ty = self.types().resolve_type_name(named)?;
        let class = self.module.types.record(object_ty);
        let Some(func) = class.and_then(|class| self.conversions().conversion_to(class, ty)) else {
            let (ty, shown) = (self.show(ty), self.show(object_ty));
            let message = format!("{shown} has no conversion function to {ty}");
            return Err(self.error(Code::InvalidMemberAccess, named.span, message));
        };
        self.calls().call_method(&Overloads::of(func), Some(object), named.span, &[], span)
    }

    fn destroy_object(&mut self, object: Operand, declared: Span, span: Span) -> Result<Expr, Reported> {
        let ty = self.operand_ty(object)?;
        if !self.manners_of(ty).is_destroyed() {
            let value = self.discard(object)?;
            return Ok(self.discarded(value));
        }
        let place = match object {
            Operand::Place(place) | Operand::Member(place) => place,
            Operand::Assigned(expr, ty) => self.place(PlaceData::Assigned(expr), ty, span),
            _ => {
                let value = self.rvalue(object)?;
                let value = self.conversions().own_value(value)?;
                let init = self.init(InitData::Expr(value), span);
                self.conversions().literal_place(init, ty, span)
            }
        };
        self.statements().destructor_call(place, declared, span)
    }

    /// The type after `~`, which is looked up in the class of the object, too (C++17 6.4.5p3).
    fn destroyed_ty(
        &mut self,
        object: Ty,
        scope: Option<&TypeName>,
        named: &TypeName,
    ) -> Result<Ty, Reported> {
        let class = self.module.types.record(object);
        let (TypeSpec::Named(name), Some(scope)) = (&named.specs.ty, scope) else {
            return match class {
                Some(class) if self.is_known_in(class, &named.specs.ty) => {
                    self.within_class(class, |cx| cx.types().resolve_type_name(named))
                }
                _ => self.types().resolve_type_name(named),
            };
        };
        // `T::~T`: the name is that of the scope itself (C++17 6.4.3.1p2).
        let last = match &scope.specs.ty {
            TypeSpec::Named(last) => Some(last.symbol),
            TypeSpec::Nested(nested) => Some(nested.1.symbol),
            TypeSpec::Instance(instance) => match &instance.0 {
                TypeSpec::Named(last) => Some(last.symbol),
                TypeSpec::Nested(nested) => Some(nested.1.symbol),
                _ => None,
            },
            _ => None,
        };
        match self.scope_for_object(object, &scope.specs.ty)? {
            Outer::Type(ty) if last == Some(name.symbol) => Ok(ty),
            Outer::Type(ty) if self.names_class(ty, *name) => Ok(ty),
            _ => self.names().nested_ty(&scope.specs.ty, *name),
        }
    }

    /// A scope before the name of a member, which is looked up in the class of the object, too (C++17 6.4.5p4).
    pub(super) fn scope_for_object(&mut self, object: Ty, scope: &TypeSpec) -> Result<Outer, Reported> {
        match self.module.types.record(object) {
            Some(class) if self.is_known_in(class, scope) => {
                self.within_class(class, |cx| cx.names().scope_of(scope))
            }
            _ => self.names().scope_of(scope),
        }
    }

    fn names_class(&self, ty: Ty, name: crate::ast::Name) -> bool {
        let class = self.module.types.record(ty);
        class.and_then(|class| self.module.types.class_name(class)) == Some(self.spelling(name.symbol))
    }

    /// Whether a class knows a type by the first part of a name: by its own name, or as a member.
    fn is_known_in(&self, class: Record, spec: &TypeSpec) -> bool {
        let mut first = spec;
        loop {
            first = match first {
                TypeSpec::Nested(nested) => &nested.0,
                TypeSpec::Instance(instance) => &instance.0,
                TypeSpec::Named(name) => {
                    return self.module.types.class_name(class) == Some(self.spelling(name.symbol))
                        || self.types_ref().class_member(class, name.symbol).is_some();
                }
                _ => return false,
            }
        }
    }
}
