//! Conditions, `if` and loops (C++17 9.4.1, 9.5), and what `#pragma unroll` asks of loops.
//!
//! A condition that declares a variable becomes statements that the IR has: of an `if` or `switch`, a
//! block around it; of a loop, an endless one whose body begins with the declaration and the test
//! (C++17 9.5.1p2).

use std::mem;

use smallvec::SmallVec;
use thin_vec::{ThinVec, thin_vec};

use super::{Breakable, LeftWithin};
use crate::ast::{Condition, DeclKind, ExprId, Name, StmtId, StmtKind, Written};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{Expr, ExprData, ForHead, Stmt, StmtData, Ty, TyKind, Unroll};
use crate::sema::Statements;
use crate::sema::constant::const_eval::{Mode, Value};
use crate::sema::warn::Dropped;
use crate::source::Span;

impl Statements<'_> {
    /// What a condition declares, and in its scope `check`.
    pub(super) fn with_condition(
        &mut self,
        cond: &Condition,
        body: StmtId,
        otherwise: Option<StmtId>,
        span: Span,
        check: impl FnOnce(&mut Self) -> Result<StmtData, Reported>,
    ) -> Result<StmtData, Reported> {
        if cond.first.is_empty() {
            return check(self);
        }
        self.in_scope(|cx| {
            let mut list = ThinVec::new();
            let n_cleanups = cx.statements().n_cleanups();
            cx.statements().in_head(|cx| {
                cx.unit
                    .stmt_list(cond.first)
                    .iter()
                    .for_each(|&first| cx.statements().check_stmt(first, &mut list))
            });
            cx.statements().check_not_redeclared_in(body);
            if let Some(otherwise) = otherwise {
                cx.statements().check_not_redeclared_in(otherwise);
            }
            let data = check(cx)?;
            let stmt = cx.statements().stmt(data, span);
            list.push(stmt);
            cx.statements().end_scope(n_cleanups, &mut list, span.end());
            Ok(StmtData::Block(list))
        })
    }

    /// The test of a condition.
    fn check_test(&mut self, cond: &Condition) -> Result<Expr, Reported> {
        self.in_head(|cx| {
            if cond.declares {
                let declared = cx.expressions().check_expr(cond.expr)?;
                let ty = cx.expressions().operand_ty(declared)?;
                if matches!(cx.module.types.kind(ty), TyKind::Array(..)) {
                    let span = cx.unit.exprs[cond.expr].span;
                    let message = "array declaration is not allowed in a condition";
                    return Err(cx.error(Code::InvalidCondition, span, message));
                }
            }
            let test = cx.conversions().check_condition(cond.expr)?;
            Ok(cx.statements().full_expression(test))
        })
    }

    /// Checks what stands in the head of a loop or switch. To which statement a `break` in it would
    /// belong, compilers do not agree on.
    pub(super) fn in_head<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        let func = self.func_cx();
        let around = mem::take(&mut func.breakables);
        func.head_depth += 1;
        let result = check(self);
        let func = self.func_cx();
        func.head_depth -= 1;
        func.breakables = around;
        result
    }

    pub(super) fn check_if(
        &mut self,
        constexpr: Written,
        cond: &Condition,
        then: StmtId,
        otherwise: Option<StmtId>,
        span: Span,
    ) -> Result<StmtData, Reported> {
        self.with_condition(cond, then, otherwise, span, |cx| {
            let test = cx.statements().check_test(cond);
            let mut taken = None;
            if let (true, Ok(test)) = (constexpr.is_some(), test) {
                taken = cx.statements().require_constant_test(test);
            }
            // C++17 9.4.1p2: what an instance discards is not made.
            if let Some(taken) = taken
                && cx.horizon.is_some()
            {
                let branch = if taken { Some(then) } else { otherwise };
                let list = branch.into_iter().map(|branch| cx.statements().check_body(branch)).collect();
                return Ok(StmtData::Block(list));
            }
            let then = cx.statements().check_body(then);
            let otherwise = otherwise.map(|s| cx.statements().check_body(s));
            Ok(StmtData::If { cond: test?, then, otherwise: otherwise.into() })
        })
    }

    /// The condition of `if constexpr` (C++17 9.4.1p2): whether it holds. Outside of templates both branches are checked,
    /// so nothing else sets it apart.
    fn require_constant_test(&mut self, test: Expr) -> Option<bool> {
        match self.constants().eval(test, Mode::Required) {
            Ok(value) => Some(!matches!(value, Value::Int(0))),
            Err(not) => {
                let message = "constexpr if condition is not a constant expression";
                let diagnostic = Diagnostic::new(Code::NotConstant, self.span_of(test), message);
                let _reported = self.expressions().not_constant(diagnostic, &not);
                None
            }
        }
    }

    /// Checks the body of a loop or switch.
    pub(super) fn check_breakable(&mut self, body: StmtId, is_loop: bool) -> Stmt {
        let func = self.func_cx();
        let breakable = Breakable::new(is_loop, func);
        func.breakables.push(breakable);
        let body = self.check_body(body);
        self.end_breakable(body);
        body
    }

    pub(super) fn end_breakable(&mut self, body: Stmt) {
        let func = self.func_cx();
        let breakable = func.breakables.pop().expect("invariant: pushed before the body");
        if breakable.left != LeftWithin::default() {
            func.left_within.insert(body, breakable.left);
        }
    }

    pub(super) fn check_loop(&mut self, id: StmtId, unroll: Option<Unroll>) -> Result<StmtData, Reported> {
        let unit = self.unit;
        let node = &unit.stmts[id];
        match &node.kind {
            StmtKind::While { cond, body } if cond.first.is_empty() => {
                let cond = self.check_test(cond);
                let body = self.check_breakable(*body, true);
                Ok(StmtData::While { cond: cond?, body, unroll })
            }
            StmtKind::While { cond, body } => self.in_scope(|cx| {
                cx.statements().check_declaring_loop(ThinVec::new(), cond, None, *body, unroll, node.span)
            }),
            StmtKind::DoWhile { body, cond } => {
                let body = self.check_breakable(*body, true);
                let cond = self.in_head(|cx| cx.conversions().check_condition(*cond))?;
                let cond = self.full_expression(cond);
                Ok(StmtData::DoWhile { body, cond, unroll })
            }
            StmtKind::For { init, cond, step, body } => self.in_scope(|cx| {
                let mut list = ThinVec::new();
                let n_cleanups = cx.statements().n_cleanups();
                if let Some(init) = *init {
                    cx.statements().in_head(|cx| cx.statements().check_stmt(init, &mut list));
                }
                let data = match cond {
                    Some(cond) if !cond.first.is_empty() => {
                        cx.statements().check_declaring_loop(list, cond, *step, *body, unroll, node.span)
                    }
                    Some(_) | None => cx.statements().check_for(list, cond.as_ref(), *step, *body, unroll),
                }?;
                Ok(cx.statements().end_loop(data, n_cleanups, node.span))
            }),
            StmtKind::RangeFor { decl, range, body } => self.in_scope(|cx| {
                let n_cleanups = cx.statements().n_cleanups();
                let data = cx.statements().check_range_for(*decl, *range, *body, unroll, node.span)?;
                Ok(cx.statements().end_loop(data, n_cleanups, node.span))
            }),
            _ => unreachable!("invariant: the caller has seen a loop"),
        }
    }

    /// A loop, and after it the destructors of what its head has made.
    fn end_loop(&mut self, data: StmtData, n_cleanups: usize, span: Span) -> StmtData {
        if self.n_cleanups() == n_cleanups {
            return data;
        }
        let mut list = thin_vec![self.stmt(data, span)];
        self.end_scope(n_cleanups, &mut list, span.end());
        StmtData::Block(list)
    }

    fn check_step(&mut self, step: ExprId) -> Result<Expr, Reported> {
        let step = self.in_head(|cx| cx.expressions().check_discarded(step, Dropped::Statement))?;
        Ok(self.full_effect(step))
    }

    // C++17 9.5.3
    fn check_for(
        &mut self,
        init: ThinVec<Stmt>,
        cond: Option<&Condition>,
        step: Option<ExprId>,
        body: StmtId,
        unroll: Option<Unroll>,
    ) -> Result<StmtData, Reported> {
        let cond = cond.map(|cond| self.check_test(cond));
        let step = step.map(|step| self.check_step(step));
        self.check_not_redeclared_in(body);
        let body = self.check_breakable(body, true);
        let head = ForHead { init, cond: cond.transpose()?, step: step.transpose()?, unroll };
        Ok(StmtData::For(Box::new(head), body))
    }

    /// A loop whose condition declares a variable, which lives for one turn. The step sees it as well.
    fn check_declaring_loop(
        &mut self,
        init: ThinVec<Stmt>,
        cond: &Condition,
        step: Option<ExprId>,
        body: StmtId,
        unroll: Option<Unroll>,
        span: Span,
    ) -> Result<StmtData, Reported> {
        let mut list = ThinVec::new();
        let n_cleanups = self.n_cleanups();
        self.in_head(|cx| {
            cx.unit
                .stmt_list(cond.first)
                .iter()
                .for_each(|&first| cx.statements().check_stmt(first, &mut list))
        });
        let test = self.check_test(cond);
        let step = step.map(|step| self.check_step(step));
        self.check_not_redeclared_in(body);
        let func = self.func_cx();
        let mut breakable = Breakable::new(true, func);
        breakable.n_cleanups = n_cleanups;
        func.breakables.push(breakable);
        let body = self.check_body(body);
        let (test, step) = match (test, step.transpose()) {
            (Ok(test), Ok(step)) => (test, step),
            (Err(reported), _) | (_, Err(reported)) => {
                self.end_breakable(body);
                return Err(reported);
            }
        };
        let at = self.span_of(test);
        let ends = self.expr(ExprData::Not(test), Ty::BOOL, at);
        let mut then = self.stmt(StmtData::Break, at);
        if self.n_cleanups() > n_cleanups {
            if let Some(step) = step {
                let message =
                    "an object with a destructor in the condition of a loop with a step is not supported";
                let reported = self.cx.error(Code::UnsupportedMember, self.cx.span_of(step), message);
                self.end_breakable(body);
                return Err(reported);
            }
            let mut left = ThinVec::new();
            self.leave_scopes(n_cleanups, &mut left, at);
            left.push(then);
            then = self.stmt(StmtData::Block(left), at);
        }
        list.push(self.stmt(StmtData::If { cond: ends, then, otherwise: None.into() }, at));
        list.push(body);
        self.end_scope(n_cleanups, &mut list, span.end());
        let body = self.stmt(StmtData::Block(list), span);
        self.end_breakable(body);
        Ok(StmtData::For(Box::new(ForHead { init, cond: None, step, unroll }), body))
    }

    /// The names of a `for`'s declaration and of a condition are not to be declared again in the
    /// outermost block of what they govern (C++17 6.3.3p4).
    pub(super) fn check_not_redeclared_in(&mut self, body: StmtId) {
        let unit = self.unit;
        let StmtKind::Block(stmts) = unit.stmts[body].kind else { return };
        let stmts = unit.stmt_list(stmts);
        for &stmt in stmts {
            let StmtKind::Decl(decl) = unit.stmts[stmt].kind else { continue };
            let decl = &unit.local_decls[decl];
            let names: SmallVec<[Name; 4]> = match &decl.kind {
                DeclKind::Declarators { declarators, .. } => {
                    declarators.iter().filter_map(|d| d.declarator.name).collect()
                }
                DeclKind::Binding(binding) => binding.names.clone(),
                _ => continue,
            };
            for name in names {
                if let Some(previous) = self.scopes.get_here(name.symbol) {
                    self.names().redefinition(name, previous);
                }
            }
        }
    }

    /// `#pragma unroll [count]` before a statement (CUDA C++ Programming Guide "#pragma unroll").
    pub(super) fn check_unrolled(
        &mut self,
        pragma: Span,
        count: Option<ExprId>,
        body: StmtId,
        list: &mut ThinVec<Stmt>,
    ) {
        let unroll = match count {
            Some(count) => self.unroll_count(count),
            None => Some(Unroll::FULL),
        };
        if self.leads_to_loop(body) {
            // Of several, the last counts.
            let func = self.func_cx();
            func.unroll = unroll.map(|unroll| (unroll, pragma));
        } else {
            let message = "`#pragma unroll` is not followed by a loop and has no effect";
            self.sink.emit(Diagnostic::new(Code::MisplacedPragma, pragma, message));
        }
        self.check_stmt(body, list);
    }

    fn leads_to_loop(&self, stmt: StmtId) -> bool {
        let mut at = stmt;
        loop {
            match self.unit.stmts[at].kind {
                StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
                | StmtKind::For { .. }
                | StmtKind::RangeFor { .. } => return true,
                StmtKind::Label { body, .. }
                | StmtKind::Case { body, .. }
                | StmtKind::Default { body }
                | StmtKind::Unroll { body, .. } => at = body,
                StmtKind::Expr(_)
                | StmtKind::Decl(_)
                | StmtKind::Block(_)
                | StmtKind::If { .. }
                | StmtKind::Switch { .. }
                | StmtKind::Goto(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(_)
                | StmtKind::Asm(_)
                | StmtKind::Fallthrough
                | StmtKind::Empty
                | StmtKind::Error => return false,
            }
        }
    }

    fn unroll_count(&mut self, count: ExprId) -> Option<Unroll> {
        let value = self.types().int_constant(count, "count of `#pragma unroll`").ok()?;
        match u32::try_from(value).ok().and_then(Unroll::by) {
            Some(unroll) => Some(unroll),
            None => {
                let message = format!("`#pragma unroll` count {value} is invalid and is ignored");
                let diagnostic = Diagnostic::new(Code::MisplacedPragma, self.unit.exprs[count].span, message)
                    .with_help("the count must be a positive `int`");
                self.sink.emit(diagnostic);
                None
            }
        }
    }
}
