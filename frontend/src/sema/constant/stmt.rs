//! Statements.

use super::value::Datum;
use super::{Eval, Evaluator, Frame};
use crate::ir::{CaseRange, Expr, ForHead, Init, Local, Stmt, StmtData, SwitchHead};
use crate::source::Span;

/// How a statement is left.
#[derive(Debug)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Datum),
}

/// The label to which a `switch` goes.
#[derive(Clone, Copy)]
enum Target {
    Case(CaseRange),
    Default,
}

impl<'c> Evaluator<'c, '_> {
    pub(super) fn stmt(&mut self, frame: &mut Frame<'c>, stmt: Stmt) -> Eval<Flow> {
        let Some(stmts) = frame.nodes.stmts else { return self.stop(Span::default(), "executes statements") };
        let span = stmts[stmt].span;
        self.step(span)?;
        self.nested(span, |evaluator| evaluator.stmt_of(frame, stmt))
    }

    fn stmt_of(&mut self, frame: &mut Frame<'c>, stmt: Stmt) -> Eval<Flow> {
        let Some(stmts) = frame.nodes.stmts else { return self.stop(Span::default(), "executes statements") };
        let node = &stmts[stmt];
        let span = node.span;
        match &node.data {
            StmtData::Expr(expr) => {
                let n_living = frame.living.len();
                self.discarded(frame, *expr)?;
                self.end_objects(frame, n_living);
                Ok(Flow::Next)
            }
            StmtData::Local(local, init) => self.declare(frame, *local, *init, span),
            StmtData::Init(place, init) => {
                let ty = frame.nodes.places[*place].ty;
                let datum = self.init(frame, *init, ty)?;
                let address = self.place(frame, *place)?;
                self.write_as(&address, datum, true, span)?;
                Ok(Flow::Next)
            }
            StmtData::Block(list) => {
                let n_living = frame.living.len();
                let flow = self.list(frame, list);
                self.end_objects(frame, n_living);
                flow
            }
            StmtData::If { cond, then, otherwise } => {
                if self.truth(frame, *cond)? {
                    return self.stmt(frame, *then);
                }
                otherwise.expand().map_or(Ok(Flow::Next), |otherwise| self.stmt(frame, otherwise))
            }
            StmtData::While { cond, body, .. } => {
                while self.truth(frame, *cond)? {
                    if let Some(flow) = self.turn(frame, *body, span)? {
                        return Ok(flow);
                    }
                }
                Ok(Flow::Next)
            }
            StmtData::DoWhile { body, cond, .. } => loop {
                if let Some(flow) = self.turn(frame, *body, span)? {
                    return Ok(flow);
                }
                if !self.truth(frame, *cond)? {
                    return Ok(Flow::Next);
                }
            },
            StmtData::For(head, body) => {
                let n_living = frame.living.len();
                let flow = self.repeat(frame, head, *body, span);
                self.end_objects(frame, n_living);
                flow
            }
            StmtData::Switch { head, body } => self.switch(frame, head, *body, span),
            StmtData::Case(_, body) | StmtData::Default(body) | StmtData::Label(_, body) => {
                self.stmt(frame, *body)
            }
            StmtData::Break => Ok(Flow::Break),
            StmtData::Continue => Ok(Flow::Continue),
            StmtData::Return(None) => Ok(Flow::Return(Datum::Nothing)),
            StmtData::Return(Some(value)) => self.value(frame, *value).map(Flow::Return),
            StmtData::Empty => Ok(Flow::Next),
            StmtData::Static(_) => self.stop(span, "declares a variable of static storage duration"),
            StmtData::Goto(_) => self.stop(span, "executes a `goto`"),
            StmtData::Asm(_) => self.stop(span, "executes an `asm` statement"),
        }
    }

    fn list(&mut self, frame: &mut Frame<'c>, list: &[Stmt]) -> Eval<Flow> {
        for &stmt in list {
            match self.stmt(frame, stmt)? {
                Flow::Next => {}
                flow @ (Flow::Break | Flow::Continue | Flow::Return(_)) => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn declare(&mut self, frame: &mut Frame<'c>, local: Local, init: Option<Init>, span: Span) -> Eval<Flow> {
        let Some(locals) = frame.nodes.locals else { return self.stop(span, "executes statements") };
        let ty = locals[local].ty;
        let datum = match init {
            Some(init) => self.init(frame, init, ty)?,
            None => return self.stop(span, "the variable is not initialized"),
        };
        let slot = self.memory.create(ty, datum);
        frame.locals.insert(local, slot);
        frame.living.push(slot);
        Ok(Flow::Next)
    }

    /// A turn of a loop; how the loop is left, if it is.
    fn turn(&mut self, frame: &mut Frame<'c>, body: Stmt, span: Span) -> Eval<Option<Flow>> {
        self.step(span)?;
        match self.stmt(frame, body)? {
            Flow::Next | Flow::Continue => Ok(None),
            Flow::Break => Ok(Some(Flow::Next)),
            flow @ Flow::Return(_) => Ok(Some(flow)),
        }
    }

    fn repeat(&mut self, frame: &mut Frame<'c>, head: &ForHead, body: Stmt, span: Span) -> Eval<Flow> {
        self.list(frame, &head.init)?;
        loop {
            if let Some(cond) = head.cond
                && !self.truth(frame, cond)?
            {
                return Ok(Flow::Next);
            }
            if let Some(flow) = self.turn(frame, body, span)? {
                return Ok(flow);
            }
            if let Some(step) = head.step {
                self.discarded(frame, step)?;
            }
        }
    }

    fn switch(&mut self, frame: &mut Frame<'c>, head: &SwitchHead, body: Stmt, span: Span) -> Eval<Flow> {
        let Datum::Int(value) = self.value(frame, head.value)? else {
            return self.stop(span, "the value of the `switch` is not a constant");
        };
        let ty = frame.nodes.exprs[head.value].ty;
        let is_unsigned = self.cx.module.types.int_ty(ty).is_some_and(|int| !int.is_signed());
        let is_within = |case: &&CaseRange| match is_unsigned {
            true => (case.first as u128..=case.last as u128).contains(&(value as u128)),
            false => (case.first..=case.last).contains(&value),
        };
        let target = match head.cases.iter().find(is_within) {
            Some(&case) => Target::Case(case),
            None if head.has_default => Target::Default,
            None => return Ok(Flow::Next),
        };
        let n_living = frame.living.len();
        let flow = self.after_label(frame, body, target)?;
        self.end_objects(frame, n_living);
        match flow {
            Some(Flow::Break) => Ok(Flow::Next),
            Some(flow) => Ok(flow),
            None => self.stop(span, "the `switch` goes into the body of another statement"),
        }
    }

    /// Executes a statement from the label on; nothing if it is not in it.
    fn after_label(&mut self, frame: &mut Frame<'c>, stmt: Stmt, target: Target) -> Eval<Option<Flow>> {
        let Some(stmts) = frame.nodes.stmts else { return Ok(None) };
        let node = &stmts[stmt];
        self.step(node.span)?;
        match (&node.data, target) {
            (StmtData::Case(case, body), Target::Case(wanted)) if **case == wanted => {
                self.stmt(frame, *body).map(Some)
            }
            (StmtData::Default(body), Target::Default) => self.stmt(frame, *body).map(Some),
            (StmtData::Case(_, body) | StmtData::Default(body) | StmtData::Label(_, body), _) => {
                self.nested(node.span, |evaluator| evaluator.after_label(frame, *body, target))
            }
            (StmtData::Block(list), _) => {
                let n_living = frame.living.len();
                for (idx, &stmt) in list.iter().enumerate() {
                    let flow =
                        self.nested(node.span, |evaluator| evaluator.after_label(frame, stmt, target))?;
                    let flow = match flow {
                        None => continue,
                        Some(Flow::Next) => self.list(frame, &list[idx + 1..])?,
                        Some(flow @ (Flow::Break | Flow::Continue | Flow::Return(_))) => flow,
                    };
                    self.end_objects(frame, n_living);
                    return Ok(Some(flow));
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// The value of statements in an expression.
    pub(super) fn statements(
        &mut self,
        frame: &mut Frame<'c>,
        list: &[Stmt],
        value: Option<Expr>,
        span: Span,
    ) -> Eval<Datum> {
        match self.list(frame, list)? {
            Flow::Next => value.map_or(Ok(Datum::Nothing), |value| self.value(frame, value)),
            Flow::Break | Flow::Continue | Flow::Return(_) => {
                self.stop(span, "leaves an expression by a jump")
            }
        }
    }

    /// Ends the objects that came after the first ones.
    pub(super) fn end_objects(&mut self, frame: &mut Frame<'c>, n_living: usize) {
        for slot in frame.living.drain(n_living..) {
            self.memory.end(slot);
        }
    }
}
