//! Whether control can reach the end of a function that should return a value.
//!
//! Works on the finished statements. Conditions that are constant are followed, as clang does for
//! `while (1)`; everything else is taken to go both ways.

use super::LeftWithin;
use crate::ir::{Expr, Stmt, StmtData};
use crate::sema::Statements;
use crate::sema::constant::const_eval::{Mode, Value};

impl Statements<'_> {
    /// Whether control can leave the statement at its end.
    pub(in crate::sema) fn falls_through(&self, stmt: Stmt) -> bool {
        match self.stmt_data(stmt) {
            StmtData::Expr(_)
            | StmtData::Local(..)
            | StmtData::Init(..)
            | StmtData::Static(_)
            | StmtData::Asm(_)
            | StmtData::Empty => true,
            // Where the last one jumps, those before it make no difference.
            StmtData::Block(stmts) if stmts.last().is_some_and(|&last| self.is_jump(last)) => false,
            StmtData::Block(stmts) => {
                let mut falls = true;
                for &stmt in stmts {
                    if falls || self.has_label(stmt) {
                        falls = self.falls_through(stmt);
                    }
                }
                falls
            }
            StmtData::If { then, otherwise, .. } => {
                self.falls_through(*then) || otherwise.expand().is_none_or(|s| self.falls_through(s))
            }
            StmtData::While { cond, body, .. } => !self.always(*cond) || self.breaks(*body),
            StmtData::DoWhile { body, cond, .. } => {
                self.breaks(*body)
                    || !self.always(*cond) && (self.falls_through(*body) || self.continues(*body))
            }
            StmtData::For(head, body) => head.cond.is_some_and(|c| !self.always(c)) || self.breaks(*body),
            StmtData::Switch { head, body } => {
                !head.has_default || self.falls_through(*body) || self.breaks(*body)
            }
            StmtData::Case(_, body) | StmtData::Default(body) | StmtData::Label(_, body) => {
                self.falls_through(*body)
            }
            StmtData::Goto(_) | StmtData::Break | StmtData::Continue | StmtData::Return(_) => false,
        }
    }

    fn is_jump(&self, stmt: Stmt) -> bool {
        let data = self.stmt_data(stmt);
        matches!(data, StmtData::Goto(_) | StmtData::Break | StmtData::Continue | StmtData::Return(_))
    }

    fn stmt_data(&self, stmt: Stmt) -> &StmtData {
        let func = self.func.as_ref().expect("invariant: statements belong to the function being checked");
        &func.stmts[stmt].data
    }

    fn left_within(&self, body: Stmt) -> LeftWithin {
        let func = self.func.as_ref().expect("invariant: statements belong to the function being checked");
        func.left_within.get(&body).copied().unwrap_or_default()
    }

    fn always(&self, cond: Expr) -> bool {
        matches!(self.constants().eval(cond, Mode::Optional), Ok(Value::Int(1)))
    }

    /// A jump can lead into the statement.
    fn has_label(&self, stmt: Stmt) -> bool {
        let is_label =
            |data: &StmtData| matches!(data, StmtData::Label(..) | StmtData::Case(..) | StmtData::Default(_));
        self.any(stmt, &is_label, &|_| true)
    }

    /// A `break` in the statement leaves the loop or switch of which it is the body.
    fn breaks(&self, stmt: Stmt) -> bool {
        if self.left_within(stmt).by_break {
            return true;
        }
        let nested = |data: &StmtData| {
            !matches!(
                data,
                StmtData::While { .. }
                    | StmtData::DoWhile { .. }
                    | StmtData::For(..)
                    | StmtData::Switch { .. }
            )
        };
        self.any(stmt, &|data| matches!(data, StmtData::Break), &nested)
    }

    fn continues(&self, stmt: Stmt) -> bool {
        if self.left_within(stmt).by_continue {
            return true;
        }
        let nested = |data: &StmtData| {
            !matches!(data, StmtData::While { .. } | StmtData::DoWhile { .. } | StmtData::For(..))
        };
        self.any(stmt, &|data| matches!(data, StmtData::Continue), &nested)
    }

    /// Whether `found` holds for the statement or one within, as far as `enter` lets in.
    fn any(&self, stmt: Stmt, found: &dyn Fn(&StmtData) -> bool, enter: &dyn Fn(&StmtData) -> bool) -> bool {
        let data = self.stmt_data(stmt);
        if found(data) {
            return true;
        }
        if !enter(data) {
            return false;
        }
        match data {
            StmtData::Block(stmts) => stmts.iter().any(|&s| self.any(s, found, enter)),
            StmtData::If { then, otherwise, .. } => {
                self.any(*then, found, enter) || otherwise.expand().is_some_and(|s| self.any(s, found, enter))
            }
            StmtData::While { body, .. }
            | StmtData::DoWhile { body, .. }
            | StmtData::For(_, body)
            | StmtData::Switch { body, .. }
            | StmtData::Case(_, body)
            | StmtData::Default(body)
            | StmtData::Label(_, body) => self.any(*body, found, enter),
            StmtData::Expr(_)
            | StmtData::Local(..)
            | StmtData::Init(..)
            | StmtData::Static(_)
            | StmtData::Asm(_)
            | StmtData::Goto(_)
            | StmtData::Break
            | StmtData::Continue
            | StmtData::Return(_)
            | StmtData::Empty => false,
        }
    }
}
