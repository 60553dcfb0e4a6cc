//! The range-based `for` (C++17 9.5.4): a loop over an iterator from the first element to the end, in which the declared variable is
//! initialized from the element. Of arrays and lists the iterator is a pointer; [`super::class_range`] finds that of a class.

use thin_vec::ThinVec;

use super::Breakable;
use crate::ast::{ExprId, ExprKind, InitId, InitKind, StmtId};
use crate::diag::{Code, Reported};
use crate::ir::{
    CompareOp, Expr, ExprData, ForHead, Local, Place, PlaceData, Quals, Stmt, StmtData, Ty, TyKind, Unroll,
};
use crate::sema::Statements;
use crate::sema::conversion::Target;
use crate::sema::expression::Operand;
use crate::source::Span;

/// A loop whose declaration is being checked.
#[derive(Clone, Copy)]
pub(in crate::sema) enum Range {
    /// The pointer to the element, and the element's type.
    Pointer { at: Local, elem: Ty },
    /// The iterator, an object or a pointer.
    Iterator(Local),
}

/// What is iterated over.
pub(super) enum Elements {
    /// The array, the type of its elements and how many there are.
    Array(Place, Ty, u64),
    /// Something else, with the type that it has.
    Object(Operand, Ty),
}

/// The parts of the loop but for its body.
pub(super) struct RangeHead {
    pub(super) init: ThinVec<Stmt>,
    pub(super) cond: Expr,
    pub(super) step: Expr,
    pub(super) range: Range,
}

impl Statements<'_> {
    pub(super) fn check_range_for(
        &mut self,
        decl: StmtId,
        range: ExprId,
        body: StmtId,
        unroll: Option<Unroll>,
        span: Span,
    ) -> Result<StmtData, Reported> {
        let at = self.unit.exprs[range].span;
        let made = self.in_head(|cx| match cx.statements().check_range(range)? {
            Elements::Array(array, elem, len) => Ok(cx.statements().array_range(array, elem, len)),
            Elements::Object(object, ty) => cx.statements().object_range(object, ty, at),
        })?;
        let RangeHead { init, cond, step, range } = made;
        let func = self.func_cx();
        let breakable = Breakable::new(true, func);
        func.breakables.push(breakable);
        let body = self.in_scope(|cx| {
            let mut list = ThinVec::new();
            let n_cleanups = cx.statements().n_cleanups();
            cx.statements().func_cx().ranges.push(range);
            cx.statements().check_stmt(decl, &mut list);
            cx.statements().func_cx().ranges.pop();
            cx.statements().check_not_redeclared_in(body);
            list.push(cx.statements().check_body(body));
            cx.statements().end_scope(n_cleanups, &mut list, span.end());
            cx.statements().stmt(StmtData::Block(list), span)
        });
        self.end_breakable(body);
        let head = ForHead { init, cond: Some(cond), step: Some(step), unroll };
        Ok(StmtData::For(Box::new(head), body))
    }

    fn array_range(&mut self, array: Place, elem: Ty, len: u64) -> RangeHead {
        let at = self.arena.places[array].span;
        let pointer = self.module.types.pointer_to(elem);
        let first = self.expr(ExprData::ArrayDecay(array), pointer, at);
        let mut init = ThinVec::new();
        let found = self.temporaries_of_bound(first);
        self.begin_temporaries(&found, &mut init);
        let current = self.declare_value(first, pointer, at, &mut init);
        self.end_temporaries(found, &mut init, at);
        let last = self.moved_on(current, pointer, len.into(), at);
        let end = self.declare_value(last, pointer, at, &mut init);
        let (here, there) = (self.local_value(current, pointer, at), self.local_value(end, pointer, at));
        let cond = self.expr(ExprData::Compare(CompareOp::Ne, here, there), Ty::BOOL, at);
        let next = self.moved_on(current, pointer, 1, at);
        let place = self.place(PlaceData::Local(current), pointer, at);
        let step = self.expr(ExprData::Assign { place, value: next }, pointer, at);
        RangeHead { init, cond, step, range: Range::Pointer { at: current, elem } }
    }

    /// What the loop goes over.
    fn check_range(&mut self, range: ExprId) -> Result<Elements, Reported> {
        if let ExprKind::Braced(init) = self.unit.exprs[range].kind {
            let (array, elem, len) = self.check_list_range(init)?;
            return Ok(Elements::Array(array, elem, len));
        }
        let operand = self.expressions().check_expr(range)?;
        let (ty, span) = (self.expressions().operand_ty(operand)?, self.unit.exprs[range].span);
        match (operand, self.module.types.kind(ty)) {
            (_, TyKind::Error) => Err(self.poisoned()),
            (Operand::Place(array), &TyKind::Array(elem, Some(len))) => Ok(Elements::Array(array, elem, len)),
            (Operand::Member(array), &TyKind::Array(elem, Some(len))) => {
                self.conversions().keep_temporary(array);
                Ok(Elements::Array(array, elem, len))
            }
            (_, TyKind::Array(_, None)) => {
                let message = "cannot use an array of unknown length as a range";
                Err(self.error(Code::IncompleteType, span, message))
            }
            _ => Ok(Elements::Object(operand, ty)),
        }
    }

    /// A list of values of one type, which is a constant array (C++17 10.1.7.4.1p4, 11.6.4p5).
    fn check_list_range(&mut self, init: InitId) -> Result<(Place, Ty, u64), Reported> {
        let unit = self.unit;
        let span = unit.inits[init].span;
        let InitKind::List(items) = &unit.inits[init].kind else { return Err(self.poisoned()) };
        let elem = self.conversions().type_of_items(items, span)?;
        let elem = self.module.types.with_quals(elem, Quals::CONST);
        let len = items.len() as u64;
        let array = self.module.types.array_of(elem, Some(len));
        let (init, array) = self.conversions().check_init(array, init, Target::Initialize)?;
        Ok((self.conversions().literal_place(init, array, span), elem, len))
    }

    fn moved_on(&mut self, local: Local, ty: Ty, count: i128, span: Span) -> Expr {
        let ptr = self.local_value(local, ty, span);
        let index = self.expr(ExprData::int(count), Ty::LONG, span);
        self.expr(ExprData::PtrOffset { ptr, index, subtract: false }, ty, span)
    }

    /// The element of the innermost loop, of which the declared variable is made.
    pub(in crate::sema) fn range_element(&mut self, span: Span) -> Result<Operand, Reported> {
        match self.func.as_ref().and_then(|func| func.ranges.last()) {
            Some(&Range::Pointer { at, elem }) => {
                let ty = self.func_cx().locals[at].ty;
                let pointer = self.local_value(at, ty, span);
                Ok(Operand::Place(self.place(PlaceData::Deref(pointer), elem, span)))
            }
            Some(&Range::Iterator(at)) => self.iterated_element(at, span),
            None => Err(self.poisoned()),
        }
    }
}
