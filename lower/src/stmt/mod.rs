//! Statements: control flow.
//!
//! - [`asm`]: inline PTX
//! - [`lifetime`]: lifetimes of variables
//! - [`switch`]: case values

mod asm;
mod lifetime;
mod switch;

use cranelift_entity::SecondaryMap;
use inkwell::basic_block::BasicBlock;
use weft_frontend::ir::{Body, Expr, ExprData, Func, Label, PlaceData, Stmt, StmtData, Ty, Unroll};
use weft_frontend::source::Span;

use crate::Bug;
use crate::abi::signature::Passing;
use crate::code::{Code, undef};
use crate::context::Cx;
use crate::expr::Expressions;
use crate::place::Address;
use crate::stmt::switch::SwitchTargets;
use crate::unroll::{self, UnrollRequest};

/// The targets of `break` and `continue`.
struct JumpTargets<'ctx> {
    on_break: BasicBlock<'ctx>,
    /// `None` in a `switch`.
    on_continue: Option<BasicBlock<'ctx>>,
}

/// Where statements lead to. An expression can contain some ([`ExprData::Block`](weft_frontend::ir::ExprData::Block)), so
/// [`Expressions`] carries it; only statements use it.
pub(crate) struct Flow<'ctx> {
    /// How the result is passed, and its type.
    ret: (Passing, Ty),
    /// The blocks of labels.
    labels: SecondaryMap<Label, Option<BasicBlock<'ctx>>>,
    /// The targets of `break` and `continue`, the innermost last.
    jumps: Vec<JumpTargets<'ctx>>,
    /// The enclosing `switch` statements, the innermost last.
    switches: Vec<SwitchTargets<'ctx>>,
    /// The variables whose lifetime is to be ended, the innermost last.
    living: Vec<Address<'ctx>>,
}

impl Flow<'_> {
    /// That of the function, at its beginning.
    pub(crate) fn new(cx: &Cx<'_, '_>, func: Func) -> Self {
        let func_ty = cx.ir.types.func(cx.ir.functions[func].ty);
        let func_ty = func_ty.expect("invariant: a function has a function type");
        Flow {
            ret: (cx.function(func).signature.ret, func_ty.ret),
            labels: SecondaryMap::new(),
            jumps: Vec::new(),
            switches: Vec::new(),
            living: Vec::new(),
        }
    }
}

/// Control flow: it changes the [`Flow`], and evaluates expressions.
pub(crate) struct Statements<'e, 'f, 'a, 'ctx> {
    cx: &'f Cx<'a, 'ctx>,
    code: &'f Code<'f, 'a, 'ctx>,
    exprs: &'e mut Expressions<'f, 'a, 'ctx>,
}

impl<'f, 'a, 'ctx> Expressions<'f, 'a, 'ctx> {
    /// The statements that expressions are in.
    pub(crate) fn statements(&mut self) -> Statements<'_, 'f, 'a, 'ctx> {
        Statements { cx: self.cx, code: self.code, exprs: self }
    }
}

impl<'ctx> Statements<'_, '_, '_, 'ctx> {
    /// Lowers a statement.
    pub(crate) fn lower_stmt(&mut self, stmt: Stmt) -> Result<(), Bug> {
        let node = &self.exprs.body.stmts[stmt];
        self.exprs.debug.locate(node.span);
        match &node.data {
            StmtData::Expr(expr) => self.exprs.lower_effect(*expr),
            StmtData::Local(local, init) => {
                let address = self.exprs.frame.local(*local)?;
                self.exprs.debug.variable(self.exprs.body, *local, address.ptr);
                self.start_lifetime(*local, address)?;
                match init {
                    Some(init) => self.exprs.lower_init(address, self.exprs.body.locals[*local].ty, *init),
                    None => Ok(()),
                }
            }
            StmtData::Init(place, init) => {
                let to = self.exprs.lower_place(*place)?;
                self.exprs.lower_init_of(&to, self.exprs.body.places[*place].ty, *init)
            }
            StmtData::Static(global) => {
                self.exprs.debug.static_variable(*global);
                Ok(())
            }
            StmtData::Empty => Ok(()),
            StmtData::Block(stmts) => self.scoped(node.span, |this| this.lower_stmts(stmts)),
            StmtData::If { cond, then, otherwise } => self.lower_if(*cond, *then, otherwise.expand()),
            StmtData::While { cond, body, unroll } => {
                self.lower_while(*cond, *body, unroll_request(self.exprs.body, stmt, *unroll))
            }
            StmtData::DoWhile { body, cond, unroll } => {
                self.lower_do_while(*body, *cond, unroll_request(self.exprs.body, stmt, *unroll))
            }
            StmtData::For(head, body) => self.scoped(node.span, |this| {
                this.lower_stmts(&head.init)?;
                let unroll = unroll_request(this.exprs.body, stmt, head.unroll);
                this.lower_for(head.cond, head.step, *body, unroll)
            }),
            StmtData::Switch { head, body } => self.lower_switch(head, *body),
            StmtData::Case(value, body) => {
                let switch = self.exprs.flow.switches.last_mut().ok_or("a case outside its switch")?;
                let block = switch.next_case(**value).ok_or("a case out of order")?;
                self.code.fall_into(block)?;
                self.lower_stmt(*body)
            }
            StmtData::Default(body) => {
                let block = self.exprs.flow.switches.last().and_then(SwitchTargets::default);
                self.code.fall_into(block.ok_or_else(|| Bug::from("a default outside its switch"))?)?;
                self.lower_stmt(*body)
            }
            StmtData::Label(label, body) => {
                let block = self.label_block(*label);
                self.code.fall_into(block)?;
                self.lower_stmt(*body)
            }
            StmtData::Asm(asm) => self.lower_asm(asm, node.span),
            StmtData::Goto(label) => {
                let block = self.label_block(*label);
                self.lower_jump(Some(block))
            }
            StmtData::Break => self.lower_jump(self.exprs.flow.jumps.last().map(|jump| jump.on_break)),
            StmtData::Continue => {
                self.lower_jump(self.exprs.flow.jumps.iter().rev().find_map(|jump| jump.on_continue))
            }
            StmtData::Return(value) => self.lower_return(*value),
        }
    }

    /// Lowers a lexical block, and ends the lifetimes of its variables.
    fn scoped(&mut self, span: Span, inside: impl FnOnce(&mut Self) -> Result<(), Bug>) -> Result<(), Bug> {
        self.exprs.debug.enter(span);
        self.with_lives(inside)?;
        self.exprs.debug.leave();
        Ok(())
    }

    pub(crate) fn lower_stmts(&mut self, stmts: &[Stmt]) -> Result<(), Bug> {
        stmts.iter().try_for_each(|&stmt| self.lower_stmt(stmt))
    }

    fn lower_jump(&self, to: Option<BasicBlock<'ctx>>) -> Result<(), Bug> {
        let to = to.ok_or_else(|| Bug::from("a jump without a target"))?;
        self.code.builder.build_unconditional_branch(to)?;
        self.code.continue_unreachable()
    }

    fn label_block(&mut self, label: Label) -> BasicBlock<'ctx> {
        if let Some(block) = self.exprs.flow.labels[label] {
            return block;
        }
        let block = self.code.new_block(&self.exprs.body.labels[label].name);
        self.exprs.flow.labels[label] = Some(block);
        block
    }

    fn lower_if(&mut self, cond: Expr, then: Stmt, otherwise: Option<Stmt>) -> Result<(), Bug> {
        let then_block = self.code.new_block("then");
        let end = self.code.new_block("endif");
        let else_block = otherwise.map_or(end, |_| self.code.new_block("else"));
        self.exprs.lower_branch(cond, then_block, else_block)?;
        self.code.continue_in(then_block)?;
        self.lower_stmt(then)?;
        if let Some(otherwise) = otherwise {
            self.code.builder.build_unconditional_branch(end)?;
            self.code.continue_in(else_block)?;
            self.lower_stmt(otherwise)?;
        }
        self.code.fall_into(end)
    }

    fn lower_while(&mut self, cond: Expr, body: Stmt, unroll: Option<UnrollRequest>) -> Result<(), Bug> {
        let [test, body_block, end] = ["while", "body", "endwhile"].map(|name| self.code.new_block(name));
        // A loop's metadata is on its only branch back.
        let next = unroll.map_or(test, |_| self.code.new_block("next"));
        self.code.fall_into(test)?;
        self.exprs.lower_branch(cond, body_block, end)?;
        self.code.continue_in(body_block)?;
        self.lower_loop_body(body, end, next)?;
        if unroll.is_some() {
            self.code.fall_into(next)?;
        }
        self.branch_back(test, unroll)?;
        self.code.continue_in(end)
    }

    fn lower_do_while(&mut self, body: Stmt, cond: Expr, unroll: Option<UnrollRequest>) -> Result<(), Bug> {
        let [body_block, test, end] = ["do", "while", "enddo"].map(|name| self.code.new_block(name));
        let next = unroll.map_or(body_block, |_| self.code.new_block("next"));
        self.code.fall_into(body_block)?;
        self.lower_loop_body(body, end, test)?;
        self.code.fall_into(test)?;
        self.exprs.lower_branch(cond, next, end)?;
        if unroll.is_some() {
            self.code.continue_in(next)?;
            self.branch_back(body_block, unroll)?;
        }
        self.code.continue_in(end)
    }

    /// The branch to the first block of a loop.
    fn branch_back(&self, to: BasicBlock<'ctx>, unroll: Option<UnrollRequest>) -> Result<(), Bug> {
        let back = self.code.builder.build_unconditional_branch(to)?;
        if let Some(unroll) = unroll {
            unroll::mark(self.cx, back, unroll);
        }
        Ok(())
    }

    fn lower_for(
        &mut self,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Stmt,
        unroll: Option<UnrollRequest>,
    ) -> Result<(), Bug> {
        let [test, body_block, next, end] =
            ["for", "body", "next", "endfor"].map(|name| self.code.new_block(name));
        self.code.fall_into(test)?;
        match cond {
            Some(cond) => self.exprs.lower_branch(cond, body_block, end)?,
            None => self.code.builder.build_unconditional_branch(body_block).map(drop)?,
        }
        self.code.continue_in(body_block)?;
        self.lower_loop_body(body, end, next)?;
        self.code.fall_into(next)?;
        if let Some(step) = step {
            self.exprs.lower_effect(step)?;
        }
        self.branch_back(test, unroll)?;
        self.code.continue_in(end)
    }

    fn lower_loop_body(
        &mut self,
        body: Stmt,
        on_break: BasicBlock<'ctx>,
        on_continue: BasicBlock<'ctx>,
    ) -> Result<(), Bug> {
        self.exprs.flow.jumps.push(JumpTargets { on_break, on_continue: Some(on_continue) });
        self.lower_stmt(body)?;
        self.exprs.flow.jumps.pop();
        Ok(())
    }

    fn lower_return(&mut self, value: Option<Expr>) -> Result<(), Bug> {
        match (value, self.exprs.flow.ret) {
            (None, _) => self.return_nothing()?,
            (Some(value), (Passing::Void, _)) => {
                self.exprs.lower_effect(value)?;
                self.code.builder.build_return(None)?;
            }
            (Some(value), (Passing::Direct { .. }, _)) => {
                let span = self.exprs.body.exprs[value].span;
                let value = self.exprs.lower_scalar(value)?;
                self.exprs.debug.locate(span);
                self.code.builder.build_return(Some(&value))?;
            }
            (Some(value), (Passing::Indirect { .. }, _)) if self.is_result(value) => {
                self.code.builder.build_return(None)?;
            }
            (Some(value), (Passing::Indirect { .. }, _)) => {
                let to = self.result_address()?;
                self.exprs.lower_record_into(value, to)?;
                self.code.builder.build_return(None)?;
            }
            (Some(value), (Passing::Memory { .. }, ty)) => {
                let span = self.exprs.body.exprs[value].span;
                let from = self.exprs.lower_record(value)?;
                self.exprs.debug.locate(span);
                let value = self.code.memory().load_passed(from, ty)?;
                self.code.builder.build_return(Some(&value))?;
            }
        }
        self.code.continue_unreachable()
    }

    /// Whether the value is that of a variable that lies where the result is wanted.
    fn is_result(&self, value: Expr) -> bool {
        let body = self.exprs.body;
        let ExprData::Load(place) = body.exprs[value].data else { return false };
        matches!(body.places[place].data, PlaceData::Local(local) if body.results.contains(&local))
    }

    /// The address for a result returned in memory.
    fn result_address(&self) -> Result<Address<'ctx>, Bug> {
        let (Passing::Indirect { align, .. }, Some(param)) =
            (self.exprs.flow.ret.0, self.code.function.get_first_param())
        else {
            return Err(Bug::from("a result has no address"));
        };
        Ok(Address { ptr: param.into_pointer_value(), align, volatile: false })
    }

    /// Returns without a value, from any function.
    pub(crate) fn return_nothing(&self) -> Result<(), Bug> {
        match self.exprs.flow.ret.0 {
            Passing::Void | Passing::Indirect { .. } => self.code.builder.build_return(None)?,
            // C++17 9.6.3p2: undefined; like nvcc, this returns an arbitrary value.
            Passing::Direct { .. } => {
                let undefined = undef(self.cx.scalar_ty(self.exprs.flow.ret.1));
                self.code.builder.build_return(Some(&undefined))?
            }
            Passing::Memory { .. } => {
                let undefined = undef(self.cx.returned_ty(self.exprs.flow.ret.1));
                self.code.builder.build_return(Some(&undefined))?
            }
        };
        Ok(())
    }
}

/// The unroll request of a loop's pragma.
fn unroll_request(body: &Body, stmt: Stmt, unroll: Option<Unroll>) -> Option<UnrollRequest> {
    let span = || body.unroll_pragmas.get(&stmt).copied();
    unroll.map(|unroll| UnrollRequest { unroll, pragma: span().unwrap_or(body.stmts[stmt].span) })
}
