//! `this`, and the members of its class by their names alone (C++17 8.1.2, 12.2.2).

use crate::ast::Name;
use crate::diag::{Code, Reported};
use crate::ir::{Expr, ExprData, PlaceData, Record};
use crate::sema::Expressions;
use crate::sema::expression::Operand;
use crate::source::Span;

impl Expressions<'_> {
    /// `this`, where there is one.
    pub(in crate::sema) fn this_pointer(&mut self, span: Span) -> Option<Expr> {
        if let Some(class) = self.known.expressions.value_of {
            let ty = self.module.types.record_ty(class);
            let ty = self.module.types.pointer_to(ty);
            return Some(self.expr(ExprData::Null, ty, span));
        }
        if let Some(captured) = self.captured_this(span) {
            return captured;
        }
        let func = self.func.as_ref()?.func;
        let local = self.declarations_ref().this_param(func)?;
        let ty = self.func.as_ref()?.locals.get(local)?.ty;
        let place = self.place(PlaceData::Local(local), ty, span);
        let pointer = self.module.types.unqualified(ty);
        Some(self.expr(ExprData::Load(place), pointer, span))
    }

    /// `this` (C++17 8.1.2).
    pub(in crate::sema) fn check_this(&mut self, span: Span) -> Result<Expr, Reported> {
        self.this_pointer(span).ok_or_else(|| {
            let message = "invalid use of `this` outside of a non-static member function";
            self.error(Code::InvalidThis, span, message)
        })
    }

    /// A data member of the class whose member function is checked, by its name alone (C++17 12.2.2p3).
    pub(in crate::sema) fn member_of_this(&mut self, class: Record, name: Name) -> Result<Operand, Reported> {
        let span = name.span;
        let own = self.own_method();
        let is_derived = |derived: Record| self.types_ref().path_to_base(derived, class).is_some();
        let is_own = own.is_some_and(|method| method.class == class || is_derived(method.class))
            || self.known.expressions.value_of.is_some_and(|of| of == class || is_derived(of));
        let Some(pointer) = self.this_pointer(span).filter(|_| is_own) else {
            let spelling = self.spelling(name.symbol);
            let message = match own {
                Some(method) if method.is_static && is_own => {
                    format!("invalid use of member `{spelling}` in static member function")
                }
                _ => format!("invalid use of non-static data member `{spelling}`"),
            };
            return Err(self.error(Code::InvalidMemberAccess, span, message));
        };
        let Some(ty) = self.module.types.pointee(self.ty_of(pointer)) else { return Err(self.poisoned()) };
        let object = self.place(PlaceData::Deref(pointer), ty, span);
        self.member_of_object(object, name, span)
    }
}
