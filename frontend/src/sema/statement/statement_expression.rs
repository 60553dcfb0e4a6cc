//! Statement expressions (GNU C "Statements and Declarations in Expressions").

use thin_vec::ThinVec;

use crate::ast::{StmtId, StmtKind};
use crate::diag::{Code, Reported};
use crate::ir::{Expr, ExprData, InitData, PlaceData, Stmt, StmtData, Ty};
use crate::sema::Statements;
use crate::source::Span;

impl Statements<'_> {
    /// A statement expression `({ … })` (GNU C "Statements and Declarations in Expressions"): its value
    /// is that of its last statement, if that is an expression.
    pub(in crate::sema) fn check_statements(&mut self, block: StmtId, span: Span) -> Result<Expr, Reported> {
        if self.func.is_none() {
            let message = "statement expression not allowed at file scope";
            return Err(self.error(Code::MisplacedStatements, span, message));
        }
        let unit = self.unit;
        let StmtKind::Block(stmts) = unit.stmts[block].kind else { return Err(self.poisoned()) };
        let stmts = unit.stmt_list(stmts);
        self.func_cx().expr_depth += 1;
        let outer = std::mem::replace(&mut self.initializes_variable, false);
        let (list, value) = self.in_scope(|cx| {
            let func = cx.statements().func_cx();
            func.alive = func.lifetimes.begin(func.alive, span, None);
            let (last, first) = match stmts.split_last() {
                Some((&last, first)) => (Some(last), first),
                None => (None, stmts),
            };
            let mut list = ThinVec::new();
            let n_cleanups = cx.statements().n_cleanups();
            first.iter().for_each(|&stmt| cx.statements().check_stmt(stmt, &mut list));
            let value = last.and_then(|last| cx.statements().check_last_statement(last, &mut list));
            let value = match value.transpose() {
                Ok(value) => cx.statements().end_statements(value, n_cleanups, &mut list, span),
                Err(reported) => Err(reported),
            };
            (list, value)
        });
        self.func_cx().expr_depth -= 1;
        self.initializes_variable = outer;
        let value = value?;
        let ty = value.map_or(Ty::VOID, |value| self.ty_of(value));
        Ok(self.expr(ExprData::Block(list, value.into()), ty, span))
    }

    /// The value of a statement expression, which is kept while objects in it are destroyed.
    fn end_statements(
        &mut self,
        value: Option<Expr>,
        n_cleanups: usize,
        list: &mut ThinVec<Stmt>,
        span: Span,
    ) -> Result<Option<Expr>, Reported> {
        let ty = value.map_or(Ty::VOID, |value| self.ty_of(value));
        let is_plain = self.module.types.is_trivially_copyable(ty) && !self.manners_of(ty).is_destroyed();
        if !is_plain {
            self.refuse_destroyed_value(ty, span)?;
        }
        let value = match value {
            Some(value) if is_plain => Some(self.full_expression(value)),
            value => value,
        };
        if self.n_cleanups() == n_cleanups {
            return Ok(value);
        }
        let kept = match value {
            None => None,
            Some(value) if self.canonical(ty) == Ty::VOID => {
                list.push(self.stmt(StmtData::Expr(value), span));
                None
            }
            Some(_) if !is_plain => {
                let message = "an object with a destructor in a statement expression whose value is copied by a constructor is not supported";
                return Err(self.error(Code::UnsupportedMember, span, message));
            }
            Some(value) => {
                let local = self.conversions().unnamed_local(ty, span);
                let init = self.init(InitData::Expr(value), span);
                list.push(self.stmt(StmtData::Local(local, Some(init)), span));
                let place = self.place(PlaceData::Local(local), ty, span);
                Some(self.expr(ExprData::Load(place), ty, span))
            }
        };
        self.end_scope(n_cleanups, list, span.end());
        Ok(kept)
    }

    /// When an object that a statement expression gives ends, is not known.
    fn refuse_destroyed_value(&mut self, ty: Ty, span: Span) -> Result<(), Reported> {
        if !self.manners_of(ty).is_destroyed() {
            return Ok(());
        }
        let message = format!(
            "a statement expression whose value has type {}, which has a destructor, is not supported",
            self.show(ty)
        );
        Err(self.error(Code::UnsupportedMember, span, message))
    }

    /// The last statement of a statement expression: its value, or into the list.
    fn check_last_statement(
        &mut self,
        id: StmtId,
        list: &mut ThinVec<Stmt>,
    ) -> Option<Result<Expr, Reported>> {
        let unit = self.unit;
        let node = &unit.stmts[id];
        match &node.kind {
            StmtKind::Expr(expr) => Some(self.expressions().check_rvalue(*expr)),
            StmtKind::Label { name, body } => {
                let label = self.check_label(*name);
                let empty = self.stmt(StmtData::Empty, name.span);
                if let Ok(label) = label {
                    let labelled = self.stmt(StmtData::Label(label, empty), name.span);
                    list.push(labelled);
                }
                self.check_last_statement(*body, list)
            }
            _ => {
                self.check_stmt(id, list);
                None
            }
        }
    }
}
