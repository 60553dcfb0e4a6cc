//! Members that are named with their class: `object.Base::f()`, `Base::x` (C++17 6.4.5p2, 12.2.2p3).

use super::Operand;
use crate::ast::{ExprId, ExprKind, Name, TypeName};
use crate::diag::{Code, Reported};
use crate::ir::{PlaceData, Record, Ty};
use crate::sema::Expressions;
use crate::sema::name::qualified::Outer;
use crate::source::Span;

/// An object, as the class by which a member of it is named sees it.
pub(in crate::sema) struct ScopedObject {
    pub(in crate::sema) object: Operand,
    pub(in crate::sema) class: Record,
    pub(in crate::sema) name: Name,
}

impl Expressions<'_> {
    /// `base.scope::name`, which is no function.
    pub(super) fn check_scoped_member(
        &mut self,
        base: ExprId,
        arrow: bool,
        member: ExprId,
        span: Span,
    ) -> Result<Operand, Reported> {
        let ScopedObject { object, name, .. } = self.scoped_object(base, arrow, member)?;
        let op_span = Span::new(self.unit.exprs[base].span.hi, name.span.lo);
        self.member_of_operand(object, false, op_span, name, span)
    }

    /// The part of the object that the scope of the member names.
    pub(in crate::sema) fn scoped_object(
        &mut self,
        base: ExprId,
        arrow: bool,
        member: ExprId,
    ) -> Result<ScopedObject, Reported> {
        let unit = self.unit;
        let ExprKind::Scoped { ty: scope, name } = unit.exprs[member].kind else {
            return Err(self.poisoned());
        };
        let scope = &unit.type_names[scope];
        let object = self.member_base(base, arrow)?;
        let object_ty = self.operand_ty(object)?;
        let class = self.class_of_scope(object_ty, scope)?;
        let object = self.as_part(object, class, scope.span)?;
        Ok(ScopedObject { object, class, name })
    }

    /// What `.` or `->` leads to.
    pub(super) fn member_base(&mut self, base: ExprId, arrow: bool) -> Result<Operand, Reported> {
        let at = self.unit.exprs[base].span;
        let operand = self.check_expr(base)?;
        if !arrow {
            return Ok(operand);
        }
        let pointer = self.arrow_pointer(operand)?;
        let ty = self.ty_of(pointer);
        let Some(pointee) = self.module.types.pointee(ty) else {
            if self.canonical(ty) == Ty::ERROR {
                return Err(self.poisoned());
            }
            let message = format!("member reference type {} is not a pointer", self.show(ty));
            return Err(self.error(Code::InvalidMemberAccess, at, message));
        };
        Ok(Operand::Place(self.place(PlaceData::Deref(pointer), pointee, at)))
    }

    /// The class that a scope names, looked up in the class of the object, too (C++17 6.4.5p1).
    fn class_of_scope(&mut self, object: Ty, scope: &TypeName) -> Result<Record, Reported> {
        match self.scope_for_object(object, &scope.specs.ty)? {
            Outer::Type(ty) if let Some(class) = self.module.types.record(ty) => {
                self.types().require_complete(ty, scope.span)?;
                Ok(class)
            }
            Outer::Type(Ty::ERROR) => Err(self.poisoned()),
            Outer::Type(_) | Outer::Namespace(_) => {
                let message = "the qualifier of a member does not name a class";
                Err(self.error(Code::InvalidMemberAccess, scope.span, message))
            }
        }
    }

    /// The part of an object that has the class.
    pub(super) fn as_part(
        &mut self,
        object: Operand,
        class: Record,
        span: Span,
    ) -> Result<Operand, Reported> {
        let ty = self.operand_ty(object)?;
        let own = self.module.types.record(ty);
        if own == Some(class) {
            return Ok(object);
        }
        let Some(path) = own.and_then(|own| self.types_ref().path_to_base(own, class)) else {
            if self.canonical(ty) == Ty::ERROR {
                return Err(self.poisoned());
            }
            let class = self.module.types.record_ty(class);
            let message = format!("{} is not {} or a base class of it", self.show(class), self.show(ty));
            return Err(self.error(Code::InvalidMemberAccess, span, message));
        };
        let base = self.module.types.record_ty(class);
        self.names().require_base_access(ty, base, span)?;
        let at = self.operand_span(object);
        Ok(match object {
            Operand::Place(place) => Operand::Place(self.types().part_of_base(place, &path, at)),
            Operand::Assigned(expr, ty) => {
                let place = self.place(PlaceData::Assigned(expr), ty, at);
                Operand::Place(self.types().part_of_base(place, &path, at))
            }
            Operand::Member(place) => Operand::Member(self.types().part_of_base(place, &path, at)),
            _ => {
                let value = self.rvalue(object)?;
                let value = self.conversions().own_value(value)?;
                let place = self.place(PlaceData::Temporary(value), ty, at);
                Operand::Member(self.types().part_of_base(place, &path, at))
            }
        })
    }

    /// A data member that a member function names with a base class: `Base::x`. None: it is something else.
    pub(in crate::sema) fn member_of_own_base(
        &mut self,
        ty: Ty,
        name: Name,
        span: Span,
    ) -> Option<Result<Operand, Reported>> {
        let class = self.module.types.record(ty)?;
        self.find_member(class, name.symbol)?;
        let own = self.own_method()?;
        if own.is_static || self.types_ref().path_to_base(own.class, class).is_none() {
            return None;
        }
        let pointer = self.this_pointer(span)?;
        let this = self.module.types.pointee(self.ty_of(pointer))?;
        let object = self.place(PlaceData::Deref(pointer), this, span);
        let part = self.as_part(Operand::Place(object), class, span);
        Some(match part {
            Ok(Operand::Place(part)) => self.member_of_object(part, name, span),
            Ok(operand) => Ok(operand),
            Err(reported) => Err(reported),
        })
    }
}
