//! `switch` and its labels (C++17 9.4.2).

use std::collections::BTreeMap;

use thin_vec::ThinVec;

use super::lifetime::Alive;
use crate::ast::{Condition, ExprId, StmtId};
use crate::diag::{Code, Diagnostic, Reported};
use crate::ir::{CaseRange, Exact, Expr, StmtData, SwitchHead, Ty};
use crate::sema::Statements;
use crate::sema::expression::integer_rank::promoted;
use crate::source::Span;

/// A `switch` around a statement.
pub(in crate::sema) struct SwitchCx {
    /// The promoted type of the condition.
    ty: Ty,
    /// In the order of the text.
    cases: ThinVec<CaseRange>,
    /// By the least value: the greatest one, and where.
    seen: BTreeMap<Exact, (Exact, Span)>,
    default: Option<Span>,
    /// What is alive at its head.
    alive: Alive,
    /// The keyword.
    span: Span,
}

impl Statements<'_> {
    pub(super) fn check_switch(
        &mut self,
        cond: &Condition,
        body: StmtId,
        span: Span,
    ) -> Result<StmtData, Reported> {
        self.with_condition(cond, body, None, span, |cx| {
            let value = cx
                .statements()
                .in_head(|cx| cx.expressions().check_rvalue(cond.expr))
                .and_then(|value| cx.conversions().operand_value(value))
                .and_then(|value| cx.statements().switch_value(value))
                .map(|(value, scoped)| (cx.statements().full_expression(value), scoped));
            let value = value.map(|(value, scoped)| (value, scoped.unwrap_or(cx.ty_of(value))));
            let ty = value.map_or(Ty::ERROR, |(_, ty)| ty);
            let func = cx.statements().func_cx();
            let alive = func.alive;
            func.switches.push(SwitchCx {
                ty,
                cases: ThinVec::new(),
                seen: BTreeMap::new(),
                default: None,
                alive,
                span: Span::new(span.lo, span.lo + 6),
            });
            let body = cx.statements().check_breakable(body, false);
            let switch = cx.statements().func_cx().switches.pop().expect("invariant: pushed above");
            let has_default = switch.default.is_some();
            let head = SwitchHead { value: value?.0, cases: switch.cases, has_default };
            Ok(StmtData::Switch { head: Box::new(head), body })
        })
    }

    /// The value as an integer; with the type of the cases, if that is an `enum class`.
    fn switch_value(&mut self, value: Expr) -> Result<(Expr, Option<Ty>), Reported> {
        let ty = self.ty_of(value);
        if let Some(int) = self.module.types.int_ty(ty) {
            return Ok(match self.module.types.is_scoped_enum(ty) {
                true => (self.conversions().numeric(value, Ty::int(promoted(int))), Some(ty)),
                false => (self.conversions().promote(value), None),
            });
        }
        let (ty, span) = (self.show(ty), self.span_of(value));
        let message = format!("statement requires expression of integer type ({ty} invalid)");
        Err(self.error(Code::InvalidCondition, span, message))
    }

    /// `case first:`, or of a range `case first ... last:` (GNU C "Case Ranges").
    pub(super) fn check_case(
        &mut self,
        first: ExprId,
        last: Option<ExprId>,
        span: Span,
    ) -> Result<CaseRange, Reported> {
        let ends = (self.case_value(first), last.map(|last| self.case_value(last)));
        if self.func_cx().switches.is_empty() {
            let keyword = Span::new(span.lo, span.lo + 4);
            return Err(self.error(
                Code::MisplacedLabel,
                keyword,
                "`case` statement not in switch statement",
            ));
        }
        let start = ends.0?;
        let end = ends.1.transpose()?.unwrap_or(start);
        let at = self.unit.exprs[first].span;
        let at = last.map_or(at, |last| at.to(self.unit.exprs[last].span));
        if start > end {
            let message = format!("empty case range specified: {start} is greater than {end}");
            return Err(self.error(Code::EmptyCaseRange, at, message));
        }
        let case = self.new_case(start, end, at)?;
        self.check_switch_jump(at);
        Ok(case)
    }

    /// The value, which must be one of the condition's type.
    fn case_value(&mut self, value: ExprId) -> Result<Exact, Reported> {
        let ty = self.func_cx().switches.last().map_or(Ty::ERROR, |switch| switch.ty);
        if self.module.types.is_scoped_enum(ty) {
            return self.names().scoped_constant(value, ty);
        }
        let constant = self.types().int_constant(value, "case value")?;
        let Some(int) = self.module.types.int_ty(ty) else { return Ok(constant) };
        if constant.fits(int) {
            return Ok(constant);
        }
        let ty = self.show(ty);
        let message = format!("case value evaluates to {constant}, which cannot be narrowed to type {ty}");
        Err(self.cx.error(Code::NarrowingCase, self.unit.exprs[value].span, message))
    }

    fn new_case(&mut self, first: Exact, last: Exact, at: Span) -> Result<CaseRange, Reported> {
        let ty = self.func_cx().switches.last().map_or(Ty::ERROR, |switch| switch.ty);
        // The condition had no such type, which has been reported.
        let Some(int) = self.module.types.int_ty(ty) else { return Err(self.poisoned()) };
        let switch = self.func_cx().switches.last_mut().expect("invariant: a case is in a switch");
        if let Some((&start, &(end, previous))) = switch.seen.range(..=last).next_back()
            && end >= first
        {
            let message = format!("duplicate case value `{}`", first.max(start));
            let diagnostic =
                Diagnostic::new(Code::DuplicateCase, at, message).with_label(previous, "previous case here");
            return Err(self.sink.error(diagnostic));
        }
        switch.seen.insert(first, (last, at));
        let case = CaseRange { first: first.wrapped(int), last: last.wrapped(int) };
        switch.cases.push(case);
        Ok(case)
    }

    pub(super) fn check_default(&mut self, span: Span) -> Result<(), Reported> {
        let keyword = Span::new(span.lo, span.lo + 7);
        let Some(switch) = self.func_cx().switches.last_mut() else {
            return Err(self.error(
                Code::MisplacedLabel,
                keyword,
                "`default` statement not in switch statement",
            ));
        };
        if let Some(previous) = switch.default.replace(keyword) {
            let diagnostic =
                Diagnostic::new(Code::DuplicateCase, keyword, "multiple default labels in one switch")
                    .with_label(previous, "previous `default` here");
            return Err(self.sink.error(diagnostic));
        }
        self.check_switch_jump(keyword);
        Ok(())
    }

    /// `[[fallthrough]];` (C++17 10.6.5p1)
    pub(super) fn check_fallthrough(&mut self, span: Span) -> Result<StmtData, Reported> {
        if self.func_cx().switches.is_empty() {
            let message = "`fallthrough` attribute outside a switch statement";
            return Err(self.error(Code::MisplacedAttribute, span, message));
        }
        Ok(StmtData::Empty)
    }

    /// The jump from the head of the switch to the label passes by no initialization. C++17 9.7p3
    /// forbids it; nvcc takes it with a warning, as C does.
    fn check_switch_jump(&mut self, span: Span) {
        let func = self.func_cx();
        let Some(switch) = func.switches.last() else { return };
        let head = switch.span;
        let Some((at, variable)) = func.lifetimes.bypassed(switch.alive, func.alive) else { return };
        let diagnostic = match variable {
            Some(symbol) => Diagnostic::new(
                Code::SwitchPastInitialization,
                span,
                "jump from `switch` to this label bypasses an initialization",
            )
            .with_label(at, format!("jump bypasses initialization of variable `{}`", self.spelling(symbol)))
            .with_help("enclose the statements of the case in braces"),
            None => {
                Diagnostic::new(Code::JumpIntoExpression, span, "cannot jump into a statement expression")
                    .with_label(at, "the statement expression")
            }
        };
        self.sink.emit(diagnostic.with_label(head, "jump starts here"));
    }
}
