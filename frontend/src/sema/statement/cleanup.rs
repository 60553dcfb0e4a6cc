//! Destructors of variables (C++17 9.6p2, 15.4): where a scope is left, those of its objects are called, the last one first. The calls are
//! ordinary statements. A destructor ends with those of the members and bases.

use thin_vec::ThinVec;

use crate::diag::Reported;
use crate::ir::{Conversion, Expr, ExprData, Local, Place, PlaceData, Record, Stmt, StmtData, Ty, TyKind};
use crate::sema::Statements;
use crate::sema::call::overload::Overloads;
use crate::sema::expression::Operand;
use crate::source::Span;
use crate::token::Symbol;

/// An object whose destructor is called where its scope is left.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct Cleanup {
    object: Object,
    /// A `bool` that says whether there is such an object.
    guard: Option<Local>,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Object {
    Local(Local),
    /// A member or base of the object whose destructor it is, by its index.
    Part(Record, u32),
}

/// A `return` that names a variable.
pub(in crate::sema) struct NamedReturn {
    pub(super) name: Symbol,
    pub(super) local: Local,
    /// What it gives.
    pub(super) value: Expr,
    /// What is left out where the variable is the result: its move and its destructor.
    pub(super) left_out: ThinVec<Stmt>,
}

impl Cleanup {
    /// Of a temporary, which was made if the flag is set.
    pub(super) fn of_temporary(local: Local, guard: Option<Local>, span: Span) -> Self {
        Cleanup { object: Object::Local(local), guard, span }
    }
}

impl Statements<'_> {
    /// How many objects wait for their destructors.
    pub(in crate::sema) fn n_cleanups(&mut self) -> usize {
        self.func_cx().cleanups.len()
    }

    /// Notes a variable that begins to live.
    pub(in crate::sema) fn note_destructor(&mut self, local: Local, span: Span) {
        let ty = self.func_cx().locals[local].ty;
        if !ty.is_plain_number() && self.manners_of(ty).is_destroyed() {
            let func = self.func_cx();
            func.cleanups.push(Cleanup { object: Object::Local(local), guard: None, span });
            func.has_cleanups = true;
        }
    }

    /// Notes the members and bases that the destructor of a class ends with.
    pub(in crate::sema) fn note_parts(&mut self, class: Record, span: Span) {
        let n_fields = self.module.types.records[class].fields.as_ref().map_or(0, Vec::len) as u32;
        for idx in 0..n_fields {
            let ty = self.conversions_ref().declared_field(class, idx);
            if self.manners_of(ty).is_destroyed() {
                let func = self.func_cx();
                func.cleanups.push(Cleanup { object: Object::Part(class, idx), guard: None, span });
                func.has_cleanups = true;
            }
        }
    }

    /// Calls the destructors of a scope at its end, if that is reached.
    pub(in crate::sema) fn end_scope(&mut self, from: usize, list: &mut ThinVec<Stmt>, end: Span) {
        if self.n_cleanups() == from {
            return;
        }
        let is_left = list.last().is_some_and(|&last| !self.falls_through(last));
        if !is_left {
            self.leave_scopes(from, list, end);
        }
        self.func_cx().cleanups.truncate(from);
    }

    /// Calls the destructors of all objects since there were so many, the last one first.
    pub(super) fn leave_scopes(&mut self, from: usize, list: &mut ThinVec<Stmt>, span: Span) {
        for idx in (from..self.n_cleanups()).rev() {
            let cleanup = self.func_cx().cleanups[idx];
            if let Ok(stmt) = self.destroy(cleanup, span) {
                list.push(stmt);
            }
        }
    }

    fn destroy(&mut self, cleanup: Cleanup, span: Span) -> Result<Stmt, Reported> {
        let (place, base) = match cleanup.object {
            Object::Local(local) => {
                let ty = self.func_cx().locals[local].ty;
                (self.place(PlaceData::Local(local), ty, span), None)
            }
            Object::Part(class, idx) => {
                let class_ty = self.module.types.record_ty(class);
                let Some(this) = self.expressions().this_pointer(span) else { return Err(self.poisoned()) };
                let object = self.place(PlaceData::Deref(this), class_ty, span);
                let base = self.declarations_ref().base_at(class, idx);
                (self.declarations().own_field(object, class, idx, span), base)
            }
        };
        let destroyed = self.destroy_place(place, base, cleanup.span, span)?;
        Ok(match cleanup.guard {
            None => destroyed,
            Some(flag) => {
                let flag = self.place(PlaceData::Local(flag), Ty::BOOL, span);
                let cond = self.expr(ExprData::Load(flag), Ty::BOOL, span);
                self.stmt(StmtData::If { cond, then: destroyed, otherwise: None.into() }, span)
            }
        })
    }

    /// The call of the destructor of an object, or of each element of an array, from the last to the first.
    pub(in crate::sema) fn destroy_place(
        &mut self,
        place: Place,
        base: Option<Record>,
        declared: Span,
        span: Span,
    ) -> Result<Stmt, Reported> {
        let ty = self.place_ty(place);
        if let TyKind::Array(elem, len) = *self.module.types.kind(ty) {
            return self.destroy_elements(place, (elem, len.unwrap_or(0)), declared, span);
        }
        let call = self
            .names()
            .for_part_of_base(base, |cx| cx.statements().destructor_call(place, declared, span))?;
        if base.is_some()
            && let ExprData::Call { callee: func, .. } = self.arena.exprs[call].data
        {
            let twin = self.declarations().function_for_base(func);
            if let ExprData::Call { callee, .. } = &mut self.arena.exprs[call].data {
                *callee = twin;
            }
        }
        Ok(self.stmt(StmtData::Expr(call), span))
    }

    /// The call of the destructor of an object, which does something.
    pub(in crate::sema) fn destructor_call(
        &mut self,
        place: Place,
        declared: Span,
        span: Span,
    ) -> Result<Expr, Reported> {
        let ty = self.place_ty(place);
        let Some(class) = self.module.types.record(ty) else { return Err(self.poisoned()) };
        // Of a const object it is called, too (C++17 15.4p2).
        let bare = self.module.types.unqualified(ty);
        let object = if self.module.types.quals(ty).is_empty() {
            place
        } else {
            let own = self.module.types.pointer_to(ty);
            let address = self.expr(ExprData::AddrOf(place), own, span);
            let pointer = self.module.types.pointer_to(bare);
            let address = self.expressions().conversion(Conversion::PtrToPtr, address, pointer);
            self.place(PlaceData::Deref(address), bare, span)
        };
        let func = self.declarations().destructor_of(class)?;
        let methods = Overloads::of(func);
        let call = self.calls().call_method(&methods, Some(Operand::Place(object)), declared, &[], span)?;
        match call {
            Operand::Value(call) => Ok(call),
            _ => Err(self.poisoned()),
        }
    }

    fn destroy_elements(
        &mut self,
        array: Place,
        (elem, len): (Ty, u64),
        declared: Span,
        span: Span,
    ) -> Result<Stmt, Reported> {
        let quals = self.module.types.quals(self.place_ty(array)) | self.module.types.quals(elem);
        let elem = self.module.types.with_quals(elem, quals);
        let pointer = self.module.types.pointer_to(elem);
        let ptr = self.expr(ExprData::ArrayDecay(array), pointer, span);
        let count = self.expr(ExprData::int(len), Ty::ULONG, span);
        self.destroy_each(ptr, count, declared, span)
    }

    /// A `return` where objects wait for their destructors: its value comes before them.
    pub(super) fn return_past_cleanups(
        &mut self,
        data: StmtData,
        list: &mut ThinVec<Stmt>,
        span: Span,
    ) -> StmtData {
        let n_cleanups = self.n_cleanups();
        if let StmtData::Return(Some(value)) = data {
            self.begin_result(value, list);
        }
        if self.n_cleanups() == 0 {
            return data;
        }
        let data = self.return_value(data, list, span);
        self.func_cx().cleanups.truncate(n_cleanups);
        data
    }

    fn return_value(&mut self, data: StmtData, list: &mut ThinVec<Stmt>, span: Span) -> StmtData {
        let value = match data {
            StmtData::Return(Some(value)) => value,
            data => {
                self.leave_scopes(0, list, span);
                return data;
            }
        };
        let ty = self.ty_of(value);
        if self.canonical(ty) == Ty::VOID {
            list.push(self.stmt(StmtData::Expr(value), span));
            self.leave_scopes(0, list, span);
            return StmtData::Return(None);
        }
        let at = self.span_of(value);
        let result = self.conversions().unnamed_local(ty, at);
        let init = self.conversions().init_of_value(value, at);
        let made = self.stmt(StmtData::Local(result, Some(init)), at);
        list.push(made);
        if self.module.types.record(ty).is_some() && !self.module.types.is_trivially_copyable(ty) {
            self.func_cx().results.push(result);
        }
        let first = list.len();
        let objects: Vec<Object> =
            self.func_cx().cleanups.iter().rev().map(|cleanup| cleanup.object).collect();
        self.leave_scopes(0, list, span);
        let place = self.place(PlaceData::Local(result), ty, at);
        let given = self.expr(ExprData::Load(place), ty, at);
        // Where the variable turns out to be the result itself, it is neither moved nor destroyed.
        let destroyed: Vec<Stmt> = list[first..].to_vec();
        if let Some(named) = self.func_cx().named_returns.last_mut()
            && named.value == value
        {
            named.value = given;
            named.left_out.push(made);
            let own = objects.iter().position(|&object| object == Object::Local(named.local));
            named.left_out.extend(own.and_then(|idx| destroyed.get(idx)).copied());
        }
        StmtData::Return(Some(given))
    }
}
