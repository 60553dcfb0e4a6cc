//! Temporaries with destructors (C++17 15.2): where the full expression that makes them ends, they are destroyed, the last one first.
//!
//! Input: the tree of a full expression, once it is whole: only then is it known which objects are temporaries, and which are the variable,
//! the member or the result that they initialize. Each temporary becomes a compound literal; so does an argument passed by value, which
//! the caller destroys, as in nvcc. What is evaluated under a condition sets a flag. A temporary that a reference is bound to lives as long
//! as the reference does.

use thin_vec::ThinVec;

use super::cleanup::Cleanup;
use super::temporary_walk::{Use, Walk};
use crate::diag::{Code, Reported};
use crate::ir::{Expr, ExprData, Init, InitData, Local, PlaceData, Stmt, StmtData, Ty};
use crate::sema::{Cx, Statements};
use crate::source::Span;

/// The temporaries of a full expression.
#[derive(Default)]
pub(in crate::sema) struct Temporaries {
    /// Those that are destroyed at its end, in the order in which they are made.
    pub(super) ended: Vec<Cleanup>,
    /// Those that references are bound to.
    pub(super) kept: Vec<Cleanup>,
    /// What says whether a conditional part of it was evaluated.
    pub(super) flags: Vec<Local>,
}

impl Temporaries {
    /// Whether nothing is to be done.
    pub(in crate::sema) fn is_empty(&self) -> bool {
        self.ended.is_empty() && self.kept.is_empty()
    }
}

impl Cx<'_> {
    /// Notes that an expression makes an object whose destructor is called at the end of the full expression, if it is not the object that
    /// another one is initialized with.
    pub(in crate::sema) fn note_temporary(&mut self, ty: Ty) {
        if !ty.is_plain_number()
            && self.manners_of(ty).is_destroyed()
            && let Some(func) = &mut self.func
        {
            func.may_have_temporaries = true;
        }
    }
}

impl Statements<'_> {
    /// The temporaries of an expression that is read or dropped.
    pub(in crate::sema) fn temporaries_of_expr(&mut self, expr: Expr) -> Temporaries {
        self.temporaries(|walk| walk.expr(expr, Use::Read))
    }

    /// Those of the value that a function gives.
    fn temporaries_of_result(&mut self, value: Expr) -> Temporaries {
        self.temporaries(|walk| walk.expr(value, Use::Initializes))
    }

    /// Those of the initial value of a variable of the type.
    pub(in crate::sema) fn temporaries_of_init(&mut self, ty: Ty, init: Init) -> Temporaries {
        self.temporaries(|walk| {
            walk.keep(ty, init);
            walk.variable(ty, init);
        })
    }

    /// Those of an address that is held as a reference would be.
    pub(super) fn temporaries_of_bound(&mut self, address: Expr) -> Temporaries {
        self.temporaries(|walk| {
            walk.keep_bound(address);
            walk.expr(address, Use::Read);
        })
    }

    /// Those of the initial value of a member, where a constructor initializes it.
    pub(in crate::sema) fn temporaries_of_member(&mut self, ty: Ty, init: Init) -> Temporaries {
        self.temporaries(|walk| walk.variable(ty, init))
    }

    fn temporaries(&mut self, walk: impl FnOnce(&mut Walk<'_, '_>)) -> Temporaries {
        if !self.func.as_ref().is_some_and(|func| func.may_have_temporaries) {
            return Temporaries::default();
        }
        let mut walker = Walk::new(self, false);
        walk(&mut walker);
        let found = walker.into_found();
        if !found.is_empty() && self.func_cx().jumps_within {
            let span = found.ended.iter().chain(&found.kept).next().map_or_else(Span::default, |c| c.span);
            let message =
                "a temporary with a destructor beside a jump out of a statement expression is not supported";
            self.error(Code::UnsupportedMember, span, message);
        }
        found
    }

    /// The statements before the one that makes the temporaries.
    pub(in crate::sema) fn begin_temporaries(&mut self, found: &Temporaries, list: &mut ThinVec<Stmt>) {
        for &flag in &found.flags {
            let span = self.func_cx().locals[flag].span;
            let value = self.expr(ExprData::int(0), Ty::BOOL, span);
            let init = self.init(InitData::Expr(value), span);
            list.push(self.stmt(StmtData::Local(flag, Some(init)), span));
        }
    }

    /// The statements after it.
    pub(in crate::sema) fn end_temporaries(
        &mut self,
        found: Temporaries,
        list: &mut ThinVec<Stmt>,
        span: Span,
    ) {
        if found.is_empty() {
            return;
        }
        let from = self.n_cleanups();
        let func = self.func_cx();
        func.has_cleanups = true;
        func.cleanups.extend(found.ended);
        self.leave_scopes(from, list, span);
        let func = self.func_cx();
        func.cleanups.truncate(from);
        func.cleanups.extend(found.kept);
    }

    /// Adds a statement that is a full expression to the list.
    pub(in crate::sema) fn push_full(&mut self, stmt: Stmt, found: Temporaries, list: &mut ThinVec<Stmt>) {
        self.begin_temporaries(&found, list);
        list.push(stmt);
        let span = self.func_cx().stmts[stmt].span;
        self.end_temporaries(found, list, span.end());
    }

    /// A full expression of which only the effect counts, as an expression.
    pub(super) fn full_effect(&mut self, expr: Expr) -> Expr {
        let found = self.temporaries_of_expr(expr);
        if found.is_empty() {
            return expr;
        }
        let span = self.span_of(expr);
        let mut list = ThinVec::new();
        let stmt = self.stmt(StmtData::Expr(expr), span);
        self.push_full(stmt, found, &mut list);
        self.expr(ExprData::Block(list, None.into()), Ty::VOID, span)
    }

    /// A full expression whose value a statement needs, such as a condition: it is kept while the temporaries are destroyed.
    pub(in crate::sema) fn full_expression(&mut self, expr: Expr) -> Expr {
        let ty = self.ty_of(expr);
        if self.canonical(ty) == Ty::VOID {
            return self.full_effect(expr);
        }
        let found = self.temporaries_of_expr(expr);
        self.kept_value(expr, found)
    }

    /// The value, which is kept while the temporaries are destroyed.
    pub(super) fn kept_value(&mut self, expr: Expr, found: Temporaries) -> Expr {
        if found.is_empty() {
            return expr;
        }
        let (ty, span) = (self.ty_of(expr), self.span_of(expr));
        let mut list = ThinVec::new();
        let value = self.conversions().unnamed_local(ty, span);
        let init = self.init(InitData::Expr(expr), span);
        let stmt = self.stmt(StmtData::Local(value, Some(init)), span);
        self.push_full(stmt, found, &mut list);
        let place = self.place(PlaceData::Local(value), ty, span);
        let value = self.expr(ExprData::Load(place), ty, span);
        self.expr(ExprData::Block(list, Some(value).into()), ty, span)
    }

    /// The initializer that a class gives a member, which is a full expression within another one, as for nvcc.
    pub(in crate::sema) fn full_initializer(&mut self, ty: Ty, init: Init) -> Result<Init, Reported> {
        if let InitData::Expr(value) = self.arena.inits[init].data
            && self.module.types.reference(ty).is_none()
            && self.module.types.is_trivially_copyable(ty)
        {
            let whole = self.full_expression(value);
            self.arena.inits[init].data = InitData::Expr(whole);
            return Ok(init);
        }
        let found = self.temporaries_of_member(ty, init);
        match found.ended.iter().chain(&found.kept).next() {
            Some(cleanup) => Err(self.refuse_temporary(cleanup.span)),
            None => Ok(init),
        }
    }

    /// Adds a temporary's end to a `return`: it comes before those of the variables.
    pub(super) fn begin_result(&mut self, value: Expr, list: &mut ThinVec<Stmt>) {
        let found = self.temporaries_of_result(value);
        self.begin_temporaries(&found, list);
        let func = self.func_cx();
        func.has_cleanups |= !found.is_empty();
        func.cleanups.extend(found.ended);
    }

    pub(super) fn refuse_temporary(&mut self, span: Span) -> Reported {
        let message = "a temporary with a destructor is not supported here";
        self.error(Code::UnsupportedMember, span, message)
    }

    /// Refuses temporaries whose full expression has no end that the checks know.
    pub(in crate::sema) fn check_temporaries(&mut self, root: Stmt) {
        if !self.func_cx().may_have_temporaries {
            return;
        }
        let mut walker = Walk::new(self, true);
        walker.stmt(root);
        for cleanup in walker.into_found().ended {
            self.refuse_temporary(cleanup.span);
        }
    }
}
