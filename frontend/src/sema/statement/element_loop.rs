//! Loops that the program does not write, over the elements of an array: a counter, and what is done with the element that it leads to.

use thin_vec::{ThinVec, thin_vec};

use crate::diag::Reported;
use crate::ir::{
    BinaryOp, CompareOp, Expr, ExprData, ForHead, Init, InitData, Local, Place, PlaceData, Stmt, StmtData, Ty,
};
use crate::sema::Statements;
use crate::source::Span;

impl Statements<'_> {
    /// Initializes each of `count` elements, from the `first` on.
    pub(in crate::sema) fn initialize_each(
        &mut self,
        first: Expr,
        count: Expr,
        init: Init,
        span: Span,
    ) -> Stmt {
        let ty = self.ty_of(count);
        let mut before = ThinVec::new();
        let zero = self.expr(ExprData::int(0), ty, span);
        let counter = self.declare_value(zero, ty, span, &mut before);
        let at = self.local_value(counter, ty, span);
        let cond = self.expr(ExprData::Compare(CompareOp::Ne, at, count), Ty::BOOL, span);
        let step = self.step_of_counter(counter, BinaryOp::Add, ty, span);
        let place = self.counted_element(first, counter, ty, span);
        let made = self.stmt(StmtData::Init(place, init), span);
        let body = self.stmt(StmtData::Block(thin_vec![made]), span);
        let head = ForHead { init: before, cond: Some(cond), step: Some(step), unroll: None };
        self.stmt(StmtData::For(Box::new(head), body), span)
    }

    /// Calls the destructor of each of `count` elements, from the last to the `first`.
    pub(in crate::sema) fn destroy_each(
        &mut self,
        first: Expr,
        count: Expr,
        declared: Span,
        span: Span,
    ) -> Result<Stmt, Reported> {
        let ty = self.ty_of(count);
        let mut before = ThinVec::new();
        let counter = self.declare_value(count, ty, span, &mut before);
        let (at, zero) = (self.local_value(counter, ty, span), self.expr(ExprData::int(0), ty, span));
        let cond = self.expr(ExprData::Compare(CompareOp::Ne, at, zero), Ty::BOOL, span);
        let next = self.step_of_counter(counter, BinaryOp::Sub, ty, span);
        let next = self.stmt(StmtData::Expr(next), span);
        let element = self.counted_element(first, counter, ty, span);
        let destroyed = self.destroy_place(element, None, declared, span)?;
        let body = self.stmt(StmtData::Block(thin_vec![next, destroyed]), span);
        let head = ForHead { init: before, cond: Some(cond), step: None, unroll: None };
        Ok(self.stmt(StmtData::For(Box::new(head), body), span))
    }

    /// A variable without a name that holds the value.
    pub(in crate::sema) fn declare_value(
        &mut self,
        value: Expr,
        ty: Ty,
        span: Span,
        list: &mut ThinVec<Stmt>,
    ) -> Local {
        let local = self.conversions().unnamed_local(ty, span);
        let init = self.init(InitData::Expr(value), span);
        list.push(self.stmt(StmtData::Local(local, Some(init)), span));
        local
    }

    /// The value of a variable.
    pub(in crate::sema) fn local_value(&mut self, local: Local, ty: Ty, span: Span) -> Expr {
        let place = self.place(PlaceData::Local(local), ty, span);
        self.expr(ExprData::Load(place), ty, span)
    }

    /// `counter = counter op 1`
    fn step_of_counter(&mut self, counter: Local, op: BinaryOp, ty: Ty, span: Span) -> Expr {
        let (at, one) = (self.local_value(counter, ty, span), self.expr(ExprData::int(1), ty, span));
        let value = self.expr(ExprData::Binary(op, at, one), ty, span);
        let place = self.place(PlaceData::Local(counter), ty, span);
        self.expr(ExprData::Assign { place, value }, ty, span)
    }

    /// `first[counter]`
    fn counted_element(&mut self, first: Expr, counter: Local, counter_ty: Ty, span: Span) -> Place {
        let pointer = self.ty_of(first);
        let elem = self.module.types.pointee(pointer).unwrap_or(Ty::ERROR);
        let index = self.local_value(counter, counter_ty, span);
        let moved = self.expr(ExprData::PtrOffset { ptr: first, index, subtract: false }, pointer, span);
        self.place(PlaceData::Deref(moved), elem, span)
    }
}
