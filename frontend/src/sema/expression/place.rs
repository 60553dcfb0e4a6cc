//! Expressions that designate objects: dereference, subscript, address, and what can be assigned to.

use super::Operand;
use crate::ast::ExprId;
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, Global, Place, PlaceData, PlaceNode, Scalar, Space, TyKind, View};
use crate::sema::Expressions;
use crate::source::Span;
use crate::token::Punct;

impl Expressions<'_> {
    /// `*operand` (C++17 8.3.1p1).
    pub(in crate::sema) fn deref(&mut self, operand: Expr, span: Span) -> Result<Operand, Reported> {
        let ty = self.ty_of(operand);
        let Some(pointee) = self.module.types.pointee(ty) else {
            let ty = self.show(ty);
            let message = format!("indirection requires pointer operand ({ty} invalid)");
            return Err(self.error(Code::InvalidDereference, span, message));
        };
        match self.module.types.view(pointee) {
            View::Func(_) => {
                self.arena.exprs[operand].span = span;
                Ok(Operand::FuncDeref(operand))
            }
            View::Void => {
                let ty = self.show(ty);
                let message = format!("cannot dereference a pointer of type {ty}");
                Err(self.error(Code::InvalidDereference, span, message))
            }
            View::Scalar(Scalar::Opaque(_)) => Err(self.types().opaque_misuse(span)),
            View::Scalar(_) | View::Error | View::Array(..) | View::Record(_) => {
                self.refuse_long_doubles_in(pointee, span)?;
                Ok(Operand::Place(self.place(PlaceData::Deref(operand), pointee, span)))
            }
        }
    }

    /// `&operand` (C++17 8.3.1p3).
    pub(in crate::sema) fn address_of(&mut self, operand: Operand, span: Span) -> Result<Expr, Reported> {
        if let Operand::Place(place) = operand
            && self.module.types.opaque(self.place_ty(place)).is_some()
        {
            return Err(self.types().opaque_misuse(span));
        }
        let place = match operand {
            Operand::Place(place) => place,
            Operand::Assigned(expr, ty) => {
                let at = self.span_of(expr);
                self.place(PlaceData::Assigned(expr), ty, at)
            }
            Operand::Func(..) | Operand::Overloads(..) | Operand::Builtin(..) => {
                let expr = self.rvalue(operand)?;
                self.arena.exprs[expr].span = span;
                return Ok(expr);
            }
            Operand::FuncDeref(expr) => {
                self.arena.exprs[expr].span = span;
                return Ok(expr);
            }
            Operand::Const(idx, at) => {
                if let Some(captured) = self.captured_constant(idx) {
                    return self.address_of(captured?, span);
                }
                let name = self.known.named_consts[idx as usize].name.clone();
                let message = format!("`{name}` has no address in device code");
                let diagnostic = Diagnostic::new(Code::HostConstAddress, at, message)
                    .with_note("a `const` variable without `__device__` or `__constant__` is a host variable; device code can use only its value")
                    .with_help("declare it as `__device__ const` or `__constant__`");
                return Err(self.sink.error(diagnostic));
            }
            Operand::Special(var, _) => {
                let name = var.name();
                let message = format!("cannot take the address of built-in variable `{name}`");
                return Err(self.error(Code::NotAnLvalue, span, message));
            }
            Operand::Value(_) | Operand::Member(_) => {
                let ty = self.operand_ty(operand)?;
                let ty = self.show(ty);
                let message = format!("cannot take the address of an rvalue of type {ty}");
                return Err(self.error(Code::NotAnLvalue, span, message));
            }
        };
        if self.bit_field_width(place).is_some() {
            return Err(self.error(Code::NotAnLvalue, span, "address of bit-field requested"));
        }
        let ty = self.place_ty(place);
        let pointer = self.module.types.pointer_to(ty);
        Ok(self.expr(ExprData::AddrOf(place), pointer, span))
    }

    /// The width of the bit-field that the place is, if it is one.
    pub(in crate::sema) fn bit_field_width(&self, place: Place) -> Option<u32> {
        match self.arena.places[place].data {
            PlaceData::Field(outer, idx) => {
                let record = self.module.types.record(self.place_ty(outer))?;
                let fields = self.module.types.records[record].fields.as_ref()?;
                fields.get(idx as usize)?.bit_width
            }
            PlaceData::Conditional(_, choice) => {
                self.arena.choices[choice].into_iter().find_map(|place| self.bit_field_width(place))
            }
            PlaceData::Comma(_, place) => self.bit_field_width(place),
            PlaceData::Assigned(assign) => match self.arena.exprs[assign].data {
                ExprData::Assign { place, .. } | ExprData::Modify { place, .. } => {
                    self.bit_field_width(place)
                }
                _ => None,
            },
            PlaceData::Local(_)
            | PlaceData::Global(_)
            | PlaceData::Deref(_)
            | PlaceData::Temporary(_)
            | PlaceData::CompoundLiteral(..) => None,
        }
    }

    /// `base[index]` (C++17 8.2.1): either operand may be the pointer.
    pub(super) fn check_index(
        &mut self,
        base: ExprId,
        index: ExprId,
        span: Span,
    ) -> Result<Operand, Reported> {
        if self.known.has_operators {
            let object = self.check_expr(base)?;
            if let Some(methods) = self.class_operator(object, Punct::LBracket)? {
                let index = self.calls().check_object_arg(index)?;
                let at = Span::new(self.unit.exprs[base].span.hi, span.hi);
                return self.calls().call_method(&methods, Some(object), at, &[index], span);
            }
            let base = self.rvalue(object);
            let index = self.check_rvalue(index);
            let base = self.conversions().operand_value(base?)?;
            let index = self.conversions().operand_value(index?)?;
            return self.element(base, index, span).map(Operand::Place);
        }
        let (base, index) = (self.check_rvalue(base), self.check_rvalue(index));
        self.element(base?, index?, span).map(Operand::Place)
    }

    /// What the built-in operator designates.
    fn element(&mut self, base: Expr, index: Expr, span: Span) -> Result<Place, Reported> {
        let is_pointer = |expr| self.module.types.pointee(self.ty_of(expr)).is_some();
        let (ptr, index) = match (is_pointer(base), is_pointer(index)) {
            (true, _) => (base, index),
            (false, true) => (index, base),
            (false, false) => {
                let ty = self.show(self.ty_of(base));
                let message = format!("subscripted value is not an array or pointer: it has type {ty}");
                return Err(self.cx.error(Code::InvalidSubscript, self.span_of(base), message));
            }
        };
        if self.module.types.operand_int_ty(self.ty_of(index)).is_none() {
            let ty = self.show(self.ty_of(index));
            let message = format!("array subscript is not an integer: it has type {ty}");
            return Err(self.cx.error(Code::InvalidSubscript, self.span_of(index), message));
        }
        let pointer = self.ty_of(ptr);
        let Some(elem) = self.module.types.pointee(pointer) else { return Err(self.poisoned()) };
        if matches!(self.module.types.kind(elem), TyKind::Void | TyKind::Func(_) | TyKind::Opaque(_)) {
            let ty = self.show(pointer);
            let message = format!("subscript of a pointer of type {ty}, which does not point to an object");
            return Err(self.cx.error(Code::InvalidSubscript, self.span_of(ptr), message));
        }
        let at = self.span_of(ptr);
        self.types().require_complete(elem, at)?;
        self.refuse_long_double_steps(elem, span)?;
        self.warnings().warn_char_subscript(index);
        let index = self.index_value(index);
        let moved = self.expr(ExprData::PtrOffset { ptr, index, subtract: false }, pointer, span);
        Ok(self.place(PlaceData::Deref(moved), elem, span))
    }

    /// An index as an integer: an enum's value as its promoted type.
    pub(super) fn index_value(&mut self, index: Expr) -> Expr {
        self.conversions().promote(index)
    }

    /// The place that an assignment or increment writes to; it must be a modifiable lvalue.
    pub(in crate::sema) fn modifiable(&mut self, operand: Operand, op_span: Span) -> Result<Place, Reported> {
        if let Operand::Place(place) = operand
            && self.module.types.opaque(self.place_ty(place)).is_some()
        {
            return Err(self.types().opaque_misuse(op_span));
        }
        let place = match operand {
            Operand::Place(place) => place,
            Operand::Assigned(expr, ty) => {
                let at = self.span_of(expr);
                self.place(PlaceData::Assigned(expr), ty, at)
            }
            Operand::Value(expr) if matches!(self.arena.exprs[expr].data, ExprData::SpecialReg(_)) => {
                let span = self.span_of(expr);
                let message = "cannot assign to a component of a built-in variable";
                return Err(self.error(Code::ConstAssignment, span, message));
            }
            Operand::Value(_)
            | Operand::Member(_)
            | Operand::Func(..)
            | Operand::Overloads(..)
            | Operand::FuncDeref(_) => {
                return Err(self.error(Code::NotAssignable, op_span, "expression is not assignable"));
            }
            Operand::Builtin(..) => {
                self.rvalue(operand)?;
                return Err(self.error(Code::NotAssignable, op_span, "expression is not assignable"));
            }
            Operand::Const(idx, at) => {
                let name = self.known.named_consts[idx as usize].name.clone();
                let message = format!("cannot assign to constant `{name}`");
                return Err(self.error(Code::ConstAssignment, at, message));
            }
            Operand::Special(var, at) => {
                let message = format!("cannot assign to built-in variable `{}`", var.name());
                return Err(self.error(Code::ConstAssignment, at, message));
            }
        };
        let node = &self.arena.places[place];
        // The shorter way to what most of them are.
        if !(node.ty.is_plain_number() && matches!(node.data, PlaceData::Local(_))) {
            self.require_modifiable(place, op_span)?;
        }
        Ok(place)
    }

    fn require_modifiable(&mut self, place: Place, op_span: Span) -> Result<(), Reported> {
        let ty = self.place_ty(place);
        if matches!(self.module.types.kind(ty), TyKind::Array(..)) {
            let ty = self.show(ty);
            let message = format!("array type {ty} is not assignable");
            return Err(self.error(Code::NotAssignable, op_span, message));
        }
        if self.is_const(ty) {
            return Err(self.const_assignment(place, op_span));
        }
        if let Some(global) = self.root_global(place)
            && self.module.globals[global].space == Space::Constant
        {
            return Err(self.const_assignment(place, op_span));
        }
        self.names().require_device_assignment(ty, op_span)?;
        if self
            .module
            .types
            .record(ty)
            .is_some_and(|record| self.module.types.records[record].lambda.is_some())
        {
            let shown = self.show(ty);
            let message = format!("an object of type {shown} cannot be assigned to");
            return Err(self.error(Code::InvalidLambda, op_span, message));
        }
        if let Some(record) = self.module.types.record(ty)
            && let Some((what, name, span)) = self.fixed_member(record)
        {
            let shown = self.show(ty);
            let message = format!("cannot assign to object of type {shown}: its member `{name}` is {what}");
            let diagnostic = Diagnostic::new(Code::ConstAssignment, op_span, message)
                .with_label(span, format!("`{name}` declared {what} here"));
            return Err(self.sink.error(diagnostic));
        }
        Ok(())
    }

    /// The variable of which the place is a part, as far as the syntax shows.
    fn root_global(&self, place: Place) -> Option<Global> {
        match self.arena.places[place].data {
            PlaceData::Global(global) => Some(global),
            PlaceData::Field(outer, _) => self.root_global(outer),
            PlaceData::Deref(ptr) => {
                let ExprData::PtrOffset { ptr, .. } = self.arena.exprs[ptr].data else { return None };
                let ExprData::ArrayDecay(array) = self.arena.exprs[ptr].data else { return None };
                self.root_global(array)
            }
            PlaceData::Local(_)
            | PlaceData::Temporary(_)
            | PlaceData::Assigned(_)
            | PlaceData::Conditional(..)
            | PlaceData::Comma(..)
            | PlaceData::CompoundLiteral(..) => None,
        }
    }

    /// What holds the reference that leads to the place.
    fn held_by(&self, place: Place) -> Option<&PlaceNode> {
        let PlaceData::Deref(pointer) = self.arena.places[place].data else { return None };
        let ExprData::Load(held) = self.arena.exprs[pointer].data else { return None };
        let PlaceData::Local(local) = self.arena.places[held].data else { return None };
        let ty = self.func.as_ref()?.locals[local].ty;
        self.module.types.reference(ty).map(|_| &self.arena.places[held])
    }

    fn const_assignment(&mut self, place: Place, op_span: Span) -> Reported {
        let shown = self.show(self.place_ty(place));
        let node = &self.arena.places[place];
        let span = node.span;
        let func = self.func.as_ref();
        if let Some(global) = self.root_global(place)
            && self.module.globals[global].space == Space::Constant
        {
            let data = &self.module.globals[global];
            let name = data.name.clone().unwrap_or_default();
            let message = format!("cannot assign to `{name}` in `__constant__` memory");
            let diagnostic = Diagnostic::new(Code::ConstAssignment, span, message)
                .with_label(data.span, format!("`{name}` declared here"))
                .with_note("only the host can write `__constant__` variables");
            return self.sink.error(diagnostic);
        }
        let (message, declared) = match self.held_by(place).unwrap_or(node).data {
            PlaceData::Local(local) => {
                let data = func.map(|f| &f.locals[local]);
                let shown = data.map_or(shown.clone(), |data| self.show(data.ty));
                let name = data.and_then(|d| d.name.as_deref()).unwrap_or_default();
                let what = if data.is_some_and(|d| d.is_param) { "parameter" } else { "variable" };
                let message = format!("cannot assign to {what} `{name}` with const-qualified type {shown}");
                (message, data.map(|d| (d.span, name)))
            }
            PlaceData::Global(global) => {
                let data = &self.module.globals[global];
                let name = data.name.as_deref().unwrap_or_default();
                let message = format!("cannot assign to variable `{name}` with const-qualified type {shown}");
                (message, Some((data.span, name)))
            }
            PlaceData::Deref(_)
            | PlaceData::Field(..)
            | PlaceData::Temporary(_)
            | PlaceData::Assigned(_)
            | PlaceData::Conditional(..)
            | PlaceData::Comma(..)
            | PlaceData::CompoundLiteral(..) => {
                (format!("cannot assign to object of const-qualified type {shown}"), None)
            }
        };
        let mut diagnostic = Diagnostic::new(Code::ConstAssignment, span, message);
        if let Some((declared, name)) = declared {
            diagnostic = diagnostic.with_label(declared, format!("`{name}` declared here"));
        } else {
            diagnostic = diagnostic.with_label(op_span, "assigned here");
        }
        self.sink.error(diagnostic)
    }
}
