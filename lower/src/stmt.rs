//! Statements and the initializers of local variables.

use inkwell::basic_block::BasicBlock;
use weft_frontend::ir::{
    ConstInit, Expr, ExprData, Init, InitData, Label, Stmt, StmtData, Ty, TyKind, Unroll,
};

use crate::Bug;
use crate::abi::signature::Passing;
use crate::function::FnCx;
use crate::place::{Address, LoweredPlace};
use crate::switch::SwitchTargets;
use crate::unroll::{self, UnrollRequest};

/// The number of values from which a constant initializer is copied, rather than stored value by value.
const MIN_COPIED_VALUES: usize = 8;

/// The targets of `break` and `continue`.
pub(crate) struct JumpTargets<'ctx> {
    pub(crate) on_break: BasicBlock<'ctx>,
    /// `None` in a `switch`.
    pub(crate) on_continue: Option<BasicBlock<'ctx>>,
}

impl<'a, 'ctx> FnCx<'_, 'a, 'ctx> {
    /// Lowers a statement.
    pub(crate) fn lower_stmt(&mut self, stmt: Stmt) -> Result<(), Bug> {
        let node = &self.body.stmts[stmt];
        self.locate(node.span);
        match &node.data {
            StmtData::Expr(expr) => self.lower_effect(*expr),
            StmtData::Local(local, init) => {
                let address = self.local(*local)?;
                self.describe_local(*local, address);
                self.start_lifetime(*local, address)?;
                match init {
                    Some(init) => self.lower_init(address, self.body.locals[*local].ty, *init),
                    None => Ok(()),
                }
            }
            StmtData::Static(global) => {
                self.describe_static(*global);
                Ok(())
            }
            StmtData::Empty => Ok(()),
            StmtData::Block(stmts) => {
                self.scoped(node.span, |fcx| fcx.with_lives(|fcx| fcx.lower_stmts(stmts)))
            }
            StmtData::If { cond, then, otherwise } => self.lower_if(*cond, *then, otherwise.expand()),
            StmtData::While { cond, body, unroll } => {
                self.lower_while(*cond, *body, self.unroll_request(stmt, *unroll))
            }
            StmtData::DoWhile { body, cond, unroll } => {
                self.lower_do_while(*body, *cond, self.unroll_request(stmt, *unroll))
            }
            StmtData::For(head, body) => self.scoped(node.span, |fcx| {
                fcx.with_lives(|fcx| {
                    fcx.lower_stmts(&head.init)?;
                    fcx.lower_for(head.cond, head.step, *body, fcx.unroll_request(stmt, head.unroll))
                })
            }),
            StmtData::Switch { head, body } => self.lower_switch(head, *body),
            StmtData::Case(value, body) => {
                let switch = self.switches.last_mut().ok_or("a case outside its switch")?;
                let block = switch.next_case(**value).ok_or("a case out of order")?;
                self.fall_into(block)?;
                self.lower_stmt(*body)
            }
            StmtData::Default(body) => {
                let block = self.switches.last().and_then(SwitchTargets::default);
                self.fall_into(block.ok_or_else(|| Bug::from("a default outside its switch"))?)?;
                self.lower_stmt(*body)
            }
            StmtData::Label(label, body) => {
                let block = self.label_block(*label);
                self.fall_into(block)?;
                self.lower_stmt(*body)
            }
            StmtData::Asm(asm) => self.lower_asm(asm, node.span),
            StmtData::Goto(label) => {
                let block = self.label_block(*label);
                self.lower_jump(Some(block))
            }
            StmtData::Break => self.lower_jump(self.jumps.last().map(|jump| jump.on_break)),
            StmtData::Continue => self.lower_jump(self.jumps.iter().rev().find_map(|jump| jump.on_continue)),
            StmtData::Return(value) => self.lower_return(*value),
        }
    }

    pub(crate) fn lower_stmts(&mut self, stmts: &[Stmt]) -> Result<(), Bug> {
        stmts.iter().try_for_each(|&stmt| self.lower_stmt(stmt))
    }

    fn lower_jump(&self, to: Option<BasicBlock<'ctx>>) -> Result<(), Bug> {
        let to = to.ok_or_else(|| Bug::from("a jump without a target"))?;
        self.builder.build_unconditional_branch(to)?;
        self.continue_unreachable()
    }

    fn label_block(&mut self, label: Label) -> BasicBlock<'ctx> {
        if let Some(block) = self.labels[label] {
            return block;
        }
        let block = self.new_block(&self.body.labels[label].name);
        self.labels[label] = Some(block);
        block
    }

    fn lower_if(&mut self, cond: Expr, then: Stmt, otherwise: Option<Stmt>) -> Result<(), Bug> {
        let then_block = self.new_block("then");
        let end = self.new_block("endif");
        let else_block = otherwise.map_or(end, |_| self.new_block("else"));
        self.lower_branch(cond, then_block, else_block)?;
        self.continue_in(then_block)?;
        self.lower_stmt(then)?;
        if let Some(otherwise) = otherwise {
            self.builder.build_unconditional_branch(end)?;
            self.continue_in(else_block)?;
            self.lower_stmt(otherwise)?;
        }
        self.fall_into(end)
    }

    /// The unroll request of a loop's pragma.
    fn unroll_request(&self, stmt: Stmt, unroll: Option<Unroll>) -> Option<UnrollRequest> {
        let span = || self.body.unroll_pragmas.get(&stmt).copied();
        unroll.map(|unroll| UnrollRequest { unroll, pragma: span().unwrap_or(self.body.stmts[stmt].span) })
    }

    fn lower_while(&mut self, cond: Expr, body: Stmt, unroll: Option<UnrollRequest>) -> Result<(), Bug> {
        let [test, body_block, end] = ["while", "body", "endwhile"].map(|name| self.new_block(name));
        // A loop's metadata is on its only branch back.
        let next = unroll.map_or(test, |_| self.new_block("next"));
        self.fall_into(test)?;
        self.lower_branch(cond, body_block, end)?;
        self.continue_in(body_block)?;
        self.lower_loop_body(body, end, next)?;
        if unroll.is_some() {
            self.fall_into(next)?;
        }
        self.branch_back(test, unroll)?;
        self.continue_in(end)
    }

    fn lower_do_while(&mut self, body: Stmt, cond: Expr, unroll: Option<UnrollRequest>) -> Result<(), Bug> {
        let [body_block, test, end] = ["do", "while", "enddo"].map(|name| self.new_block(name));
        let next = unroll.map_or(body_block, |_| self.new_block("next"));
        self.fall_into(body_block)?;
        self.lower_loop_body(body, end, test)?;
        self.fall_into(test)?;
        self.lower_branch(cond, next, end)?;
        if unroll.is_some() {
            self.continue_in(next)?;
            self.branch_back(body_block, unroll)?;
        }
        self.continue_in(end)
    }

    /// The branch to the first block of a loop.
    fn branch_back(&self, to: BasicBlock<'ctx>, unroll: Option<UnrollRequest>) -> Result<(), Bug> {
        let back = self.builder.build_unconditional_branch(to)?;
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
            ["for", "body", "next", "endfor"].map(|name| self.new_block(name));
        self.fall_into(test)?;
        match cond {
            Some(cond) => self.lower_branch(cond, body_block, end)?,
            None => self.builder.build_unconditional_branch(body_block).map(drop)?,
        }
        self.continue_in(body_block)?;
        self.lower_loop_body(body, end, next)?;
        self.fall_into(next)?;
        if let Some(step) = step {
            self.lower_effect(step)?;
        }
        self.branch_back(test, unroll)?;
        self.continue_in(end)
    }

    fn lower_loop_body(
        &mut self,
        body: Stmt,
        on_break: BasicBlock<'ctx>,
        on_continue: BasicBlock<'ctx>,
    ) -> Result<(), Bug> {
        self.jumps.push(JumpTargets { on_break, on_continue: Some(on_continue) });
        self.lower_stmt(body)?;
        self.jumps.pop();
        Ok(())
    }

    fn lower_return(&mut self, value: Option<Expr>) -> Result<(), Bug> {
        match (value, self.ret) {
            (None, _) => self.return_nothing()?,
            (Some(value), (Passing::Void, _)) => {
                self.lower_effect(value)?;
                self.builder.build_return(None)?;
            }
            (Some(value), (Passing::Direct { .. }, _)) => {
                let span = self.body.exprs[value].span;
                let value = self.lower_scalar(value)?;
                self.locate(span);
                self.builder.build_return(Some(&value))?;
            }
            (Some(value), (Passing::Indirect { .. }, _)) => {
                let to = self.result_address()?;
                self.lower_record_into(value, to)?;
                self.builder.build_return(None)?;
            }
            (Some(value), (Passing::Memory { .. }, ty)) => {
                let span = self.body.exprs[value].span;
                let from = self.lower_record(value)?;
                self.locate(span);
                let value = self.load_passed(from, ty)?;
                self.builder.build_return(Some(&value))?;
            }
        }
        self.continue_unreachable()
    }

    /// Writes the initial value of an object of type `ty`.
    pub(crate) fn lower_init(&mut self, to: Address<'ctx>, ty: Ty, init: Init) -> Result<(), Bug> {
        // A new object is written once, even if it is `const`.
        if let Some(value) = self.constant_init(init) {
            let value = self.cx.const_init(ty, &value)?;
            let from = self.cx.constant_object(value, to.align);
            let size = self.cx.tys.word.const_int(self.cx.layout(ty).size, false);
            self.builder.build_memcpy(to.ptr, to.align, from, to.align, size)?;
            return Ok(());
        }
        if !self.init_covers(ty, init) {
            self.zero(to, ty)?;
        }
        self.lower_init_elements(to, ty, init)
    }

    /// The value of an initializer that is constant and large enough for a copy to be better than separate
    /// stores.
    fn constant_init(&self, init: Init) -> Option<ConstInit> {
        let mut n_values = 0;
        let value = self.constant_part(init, &mut n_values)?;
        (n_values >= MIN_COPIED_VALUES).then_some(value)
    }

    fn constant_part(&self, init: Init, n_values: &mut usize) -> Option<ConstInit> {
        match &self.body.inits[init].data {
            InitData::Expr(value) => {
                *n_values += 1;
                match self.body.exprs[*value].data {
                    ExprData::Int(value) => Some(ConstInit::Int(value.into())),
                    ExprData::WideInt(ref value) => Some(ConstInit::Int(**value)),
                    ExprData::Float(value) => Some(ConstInit::Float(value)),
                    ExprData::Null => Some(ConstInit::Zero),
                    _ => None,
                }
            }
            InitData::Array(elems) => {
                let values =
                    elems.iter().map(|&(idx, init)| Some((idx, self.constant_part(init, n_values)?)));
                let mut values: Vec<_> = values.collect::<Option<_>>()?;
                // Designators need not be in order.
                values.sort_by_key(|&(idx, _)| idx);
                Some(ConstInit::Array(values))
            }
            InitData::Record(members) => {
                let values =
                    members.iter().map(|&(idx, init)| Some((idx, self.constant_part(init, n_values)?)));
                Some(ConstInit::Record(values.collect::<Option<_>>()?))
            }
            InitData::Bytes(bytes) => Some(ConstInit::Bytes(bytes.to_vec())),
        }
    }

    /// Whether the initializer writes every byte of the object except padding.
    fn init_covers(&self, ty: Ty, init: Init) -> bool {
        match (&self.body.inits[init].data, self.cx.ir.types.kind(ty)) {
            (InitData::Expr(_), _) => true,
            (InitData::Array(elems), &TyKind::Array(elem, Some(len))) => {
                elems.len() as u64 == len && elems.iter().all(|&(_, init)| self.init_covers(elem, init))
            }
            (InitData::Record(members), &TyKind::Record(record)) => {
                let record = &self.cx.ir.types.records[record];
                let fields = record.fields.as_deref().unwrap_or_default();
                !record.is_union
                    && members.len() == fields.len()
                    && members
                        .iter()
                        .all(|&(field_idx, init)| self.init_covers(fields[field_idx as usize].ty, init))
            }
            (InitData::Bytes(bytes), &TyKind::Array(_, Some(len))) => bytes.len() as u64 == len,
            (InitData::Array(_) | InitData::Record(_) | InitData::Bytes(_), _) => false,
        }
    }

    fn lower_init_elements(&mut self, to: Address<'ctx>, ty: Ty, init: Init) -> Result<(), Bug> {
        let node = &self.body.inits[init];
        self.locate(node.span);
        match &node.data {
            InitData::Expr(value) => self.lower_value_into(*value, to),
            InitData::Array(elems) => {
                let &TyKind::Array(elem, _) = self.cx.ir.types.kind(ty) else {
                    return Err(Bug::from("an array initializer for a type that is not an array"));
                };
                let size = self.cx.layout(elem).size;
                elems.iter().try_for_each(|&(elem_idx, init)| {
                    let address = self.byte_offset(to, elem_idx * size)?;
                    self.lower_init_elements(address, elem, init)
                })
            }
            InitData::Record(members) => members.iter().try_for_each(|&(field_idx, init)| {
                let record = self
                    .cx
                    .ir
                    .types
                    .record(ty)
                    .ok_or("a record initializer for a type that is not a record")?;
                let field = self.cx.ir.types.records[record]
                    .fields
                    .as_deref()
                    .and_then(|fields| fields.get(field_idx as usize));
                let field_ty = field.ok_or("an initializer for a missing member")?.ty;
                let place = self.field_place(to, ty, field_idx)?;
                self.lower_member_init(&place, field_ty, init)
            }),
            InitData::Bytes(bytes) => self.lower_bytes_init(to, bytes),
        }
    }

    fn lower_member_init(&mut self, to: &LoweredPlace<'ctx>, ty: Ty, init: Init) -> Result<(), Bug> {
        match (to, &self.body.inits[init].data) {
            (LoweredPlace::Bits(..), InitData::Expr(value)) => {
                let value = self.lower_scalar(*value)?;
                self.store_place(to, ty, value).map(drop)
            }
            _ => self.lower_init_elements(to.address()?, ty, init),
        }
    }

    fn lower_bytes_init(&mut self, to: Address<'ctx>, bytes: &[u8]) -> Result<(), Bug> {
        if bytes.is_empty() {
            return Ok(());
        }
        let from = self.cx.constant_bytes(bytes);
        let size = self.cx.tys.word.const_int(bytes.len() as u64, false);
        self.builder.build_memcpy(to.ptr, to.align, from, 1, size)?;
        Ok(())
    }
}
