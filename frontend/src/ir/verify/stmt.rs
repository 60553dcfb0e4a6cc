//! Statements.

use super::super::{Asm, AsmPieceData, CaseRange, Exact, Expr, ForHead, Quals, Stmt, StmtData, SwitchHead};
use super::body::BodyCx;
use super::types::{is_promoted_int, same_unqualified};
use super::{Check, get, require};

/// What encloses a statement.
#[derive(Default)]
pub(super) struct Enclosing {
    in_loop: bool,
    in_breakable: bool,
    /// The cases of the innermost switch so far.
    switch: Option<Switch>,
}

#[derive(Default)]
struct Switch {
    cases: Vec<CaseRange>,
    n_defaults: usize,
}

impl BodyCx<'_> {
    /// Checks a statement and all in it.
    pub(super) fn check_stmt(&mut self, stmt: Stmt) -> Check {
        let body = self.body;
        let node = get(&body.stmts, stmt)?;
        self.reach_stmt(stmt)?;
        match &node.data {
            StmtData::Expr(expr) => self.check_expr(*expr),
            StmtData::Local(local, init) => {
                self.declare(*local)?;
                require(!body.locals[*local].is_param, *local, "a parameter is not declared by a statement")?;
                init.map_or(Ok(()), |init| self.check_init(init, body.locals[*local].ty))
            }
            StmtData::Init(place, init) => {
                self.check_place(*place)?;
                self.check_init(*init, self.body.places[*place].ty)
            }
            StmtData::Static(global) => self.declare_static(*global),
            StmtData::Block(stmts) => stmts.iter().try_for_each(|&stmt| self.check_stmt(stmt)),
            StmtData::If { cond, then, otherwise } => {
                self.check_cond(*cond)?;
                self.check_stmt(*then)?;
                otherwise.expand().map_or(Ok(()), |otherwise| self.check_stmt(otherwise))
            }
            StmtData::While { cond, body, .. } | StmtData::DoWhile { body, cond, .. } => {
                self.check_cond(*cond)?;
                self.check_loop_body(*body)
            }
            StmtData::For(head, body) => {
                let ForHead { init, cond, step, unroll: _ } = &**head;
                for &first in init {
                    self.check_for_init(first)?;
                }
                cond.map_or(Ok(()), |cond| self.check_cond(cond))?;
                step.map_or(Ok(()), |step| self.check_expr(step))?;
                self.check_loop_body(*body)
            }
            StmtData::Switch { head, body } => {
                self.check_switch_value(stmt, head.value, &head.cases)?;
                self.check_switch_body(stmt, head, *body)
            }
            StmtData::Case(value, body) => {
                let switch = self.enclosing.switch.as_mut();
                require(switch.is_some(), stmt, "`case` is within a switch")?;
                switch.into_iter().for_each(|switch| switch.cases.push(**value));
                self.check_stmt(*body)
            }
            StmtData::Default(body) => {
                let switch = self.enclosing.switch.as_mut();
                require(switch.is_some(), stmt, "`default` is within a switch")?;
                switch.into_iter().for_each(|switch| switch.n_defaults += 1);
                self.check_stmt(*body)
            }
            StmtData::Label(label, labelled) => {
                self.set_label(*label)?;
                self.check_stmt(*labelled)
            }
            StmtData::Goto(label) => self.go_to(*label),
            StmtData::Break => {
                require(self.enclosing.in_breakable, stmt, "`break` is within a loop or switch")
            }
            StmtData::Continue => require(self.enclosing.in_loop, stmt, "`continue` is within a loop"),
            StmtData::Return(value) => self.check_return(stmt, *value),
            StmtData::Asm(asm) => self.check_asm(stmt, asm),
            StmtData::Empty => Ok(()),
        }
    }

    /// A block within an expression. What is around it can be left, but a `case` of a switch around
    /// it would lead into it, as a `goto` would.
    pub(super) fn check_inner_block(&mut self, block: Expr, stmts: &[Stmt]) -> Check {
        let outer = self.enclosing.switch.take();
        self.inner_blocks.push(block);
        stmts.iter().try_for_each(|&stmt| self.check_stmt(stmt))?;
        self.inner_blocks.pop();
        self.enclosing.switch = outer;
        Ok(())
    }

    fn check_cond(&mut self, cond: Expr) -> Check {
        self.check_expr(cond)?;
        require(self.facts.is_bool(self.body.exprs[cond].ty), cond, "a condition is a `bool`")
    }

    fn check_loop_body(&mut self, body: Stmt) -> Check {
        let outer = (self.enclosing.in_loop, self.enclosing.in_breakable);
        (self.enclosing.in_loop, self.enclosing.in_breakable) = (true, true);
        self.check_stmt(body)?;
        (self.enclosing.in_loop, self.enclosing.in_breakable) = outer;
        Ok(())
    }

    fn check_for_init(&mut self, stmt: Stmt) -> Check {
        let is_simple = match get(&self.body.stmts, stmt)?.data {
            StmtData::Expr(_) | StmtData::Local(..) | StmtData::Static(_) | StmtData::Empty => true,
            StmtData::Block(_)
            | StmtData::Init(..)
            | StmtData::If { .. }
            | StmtData::While { .. }
            | StmtData::DoWhile { .. }
            | StmtData::For(..)
            | StmtData::Switch { .. }
            | StmtData::Case(..)
            | StmtData::Default(_)
            | StmtData::Label(..)
            | StmtData::Goto(_)
            | StmtData::Break
            | StmtData::Continue
            | StmtData::Asm(_)
            | StmtData::Return(_) => false,
        };
        require(is_simple, stmt, "a `for` begins with declarations and expressions")?;
        self.check_stmt(stmt)
    }

    fn check_switch_value(&mut self, stmt: Stmt, value: Expr, cases: &[CaseRange]) -> Check {
        self.check_expr(value)?;
        let ty = self.body.exprs[value].ty;
        require(is_promoted_int(self.types, ty), stmt, "a switch's value is of a promoted integer type")?;
        let Some(int) = self.types.int_ty(ty) else { return Ok(()) };
        let in_range = |case: &CaseRange| int.has_constant(case.first) && int.has_constant(case.last);
        require(cases.iter().all(in_range), stmt, "case values are in range of the switch's type")?;
        let ends = |case: &CaseRange| (Exact::of(int, case.first), Exact::of(int, case.last));
        let mut sorted: Vec<(Exact, Exact)> = cases.iter().map(ends).collect();
        sorted.sort();
        let is_ordered = sorted.iter().all(|(first, last)| first <= last);
        require(is_ordered, stmt, "a case begins before it ends")?;
        let distinct = sorted.iter().zip(sorted.iter().skip(1)).all(|(case, next)| case.1 < next.0);
        require(distinct, stmt, "case values are unique")
    }

    fn check_switch_body(&mut self, stmt: Stmt, head: &SwitchHead, body: Stmt) -> Check {
        let outer = self.enclosing.switch.replace(Switch::default());
        let outer_breakable = std::mem::replace(&mut self.enclosing.in_breakable, true);
        self.check_stmt(body)?;
        self.enclosing.in_breakable = outer_breakable;
        let inner = std::mem::replace(&mut self.enclosing.switch, outer).unwrap_or_default();
        let agrees = inner.cases == *head.cases && inner.n_defaults == usize::from(head.has_default);
        require(agrees, stmt, "the cases of a switch are those in its body, in order")
    }

    fn check_asm(&mut self, stmt: Stmt, asm: &Asm) -> Check {
        let fits = "an operand of an `asm` has a type for its register";
        for output in &asm.outputs {
            self.check_place(output.place)?;
            let ty = self.body.places[output.place].ty;
            require(!self.types.quals(ty).contains(Quals::CONST), output.place, "an output is not const")?;
            require(output.register.takes(self.types, ty), output.place, fits)?;
        }
        for input in &asm.inputs {
            self.check_expr(input.value)?;
            let ty = self.body.exprs[input.value].ty;
            require(input.register.takes(self.types, ty), input.value, fits)?;
        }
        let n_operands = asm.n_operands();
        let has_operand = |data: &AsmPieceData| match data {
            AsmPieceData::Operand(idx) => (*idx as usize) < n_operands,
            AsmPieceData::Text(_) | AsmPieceData::Unique => true,
        };
        let are_operands_valid = asm.pieces.iter().all(|piece| has_operand(&piece.data));
        require(are_operands_valid, stmt, "the text of an `asm` names only its operands")?;
        let does_something = asm.has_effects || !asm.outputs.is_empty();
        require(does_something, stmt, "an `asm` without outputs has effects")
    }

    fn check_return(&mut self, stmt: Stmt, value: Option<Expr>) -> Check {
        // Without a value it is the end of the function, also of one that has a result.
        let Some(value) = value else { return Ok(()) };
        self.check_expr(value)?;
        let agrees = same_unqualified(self.types, self.body.exprs[value].ty, self.ret);
        require(agrees, stmt, "the value of `return` is of the function's return type")
    }
}
