//! Expressions: values, effects, and records in memory.
//!
//! The type ([`Shape`](crate::types::Shape)) determines how an expression is evaluated: a scalar to an LLVM
//! value, a record into an object, and `void` only for its effects.

use cranelift_entity::SecondaryMap;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, PointerValue};
use weft_frontend::ir::{
    BinaryOp, Binding, Body, Callee, Change, CompareOp, Conversion, Expr, ExprData, ExprNode, Func,
    LogicalOp, Place, PlaceData, Ty, UnaryOp, Yields,
};
use weft_frontend::source::Span;

use crate::Bug;
use crate::call::Args;
use crate::code::Code;
use crate::context::Cx;
use crate::debug_info::scope::CodeDebug;
use crate::effects;
use crate::frame::Frame;
use crate::place::{Address, LoweredPlace};
use crate::stmt::Flow;
use crate::types::Shape;

/// The result of a read-modify-write.
pub(crate) struct Modified<'ctx> {
    /// The modified place.
    pub(crate) place: LoweredPlace<'ctx>,
    /// The old value.
    old: BasicValueEnum<'ctx>,
    /// The new value, as a read would return it.
    new: BasicValueEnum<'ctx>,
}

/// Expressions, places and calls: it changes the frame and the bound values.
pub(crate) struct Expressions<'f, 'a, 'ctx> {
    /// The module's lowering.
    pub(crate) cx: &'f Cx<'a, 'ctx>,
    /// Where instructions go.
    pub(crate) code: &'f Code<'f, 'a, 'ctx>,
    /// The definition of the function.
    pub(crate) body: &'a Body,
    /// Its parameters and variables.
    pub(crate) frame: Frame<'f, 'a, 'ctx>,
    /// Where its statements lead to.
    pub(crate) flow: Flow<'ctx>,
    /// Its debug information.
    pub(crate) debug: CodeDebug<'f, 'a, 'ctx>,
    /// The values of [`ExprData::Bound`] expressions.
    bound: SecondaryMap<Expr, Option<BasicValueEnum<'ctx>>>,
}

impl<'f, 'a, 'ctx> Expressions<'f, 'a, 'ctx> {
    /// Those of the function's body.
    pub(crate) fn new(
        code: &'f Code<'f, 'a, 'ctx>,
        func: Func,
        body: &'a Body,
        debug: CodeDebug<'f, 'a, 'ctx>,
    ) -> Self {
        Expressions {
            cx: code.cx,
            code,
            body,
            frame: Frame::new(code, func, body),
            flow: Flow::new(code.cx, func),
            debug,
            bound: SecondaryMap::new(),
        }
    }
}

impl<'a, 'ctx> Expressions<'_, 'a, 'ctx> {
    pub(crate) fn expr(&self, expr: Expr) -> &'a ExprNode {
        &self.body.exprs[expr]
    }

    /// Evaluates a scalar.
    pub(crate) fn lower_scalar(&mut self, expr: Expr) -> Result<BasicValueEnum<'ctx>, Bug> {
        let node = self.expr(expr);
        let ty = node.ty;
        match &node.data {
            ExprData::Int(value) => Ok(self.cx.const_int(ty, (*value).into()).into()),
            ExprData::WideInt(value) => Ok(self.cx.const_int(ty, **value).into()),
            ExprData::Float(value) => Ok(self.cx.const_float(ty, *value).into()),
            ExprData::Null => Ok(self.cx.tys.ptr.const_null().into()),
            ExprData::Load(place) => {
                if let Some(value) = self.frame.in_register(*place) {
                    return Ok(value);
                }
                if let Some(handle) = self.builtins().lower_opaque_handle(*place, ty)? {
                    return Ok(handle);
                }
                let place = self.lower_place(*place)?;
                self.debug.locate(node.span);
                self.code.memory().load_place(&place, ty)
            }
            ExprData::AddrOf(_) | ExprData::ArrayDecay(_) | ExprData::PtrOffset { .. } => {
                let ptr = self.lower_pointer(expr)?;
                Ok(self.cx.generic(&self.code.builder, ptr)?.into())
            }
            ExprData::FuncAddr(func) => {
                Ok(self.cx.function(*func).value.as_global_value().as_pointer_value().into())
            }
            ExprData::SpecialReg(reg) => self.builtins().lower_special_reg(*reg),
            ExprData::Unary(op, operand) => self.lower_unary(*op, *operand, node),
            ExprData::Binary(op, left, right) => self.lower_binary(*op, *left, *right, node),
            ExprData::Compare(op, left, right) => self.lower_compare(*op, *left, *right, node),
            ExprData::Not(operand) => {
                let operand = self.lower_scalar(*operand)?.into_int_value();
                Ok(self.code.builder.build_not(operand, "")?.into())
            }
            ExprData::Logical(op, ..) => self.lower_logical(*op, expr),
            ExprData::PtrDiff(left, right) => self.lower_ptr_diff(*left, *right, node),
            ExprData::Convert(conversion, operand) => self.lower_conversion(*conversion, *operand, node),
            ExprData::Conditional { cond, then, otherwise } => {
                self.lower_conditional_scalar(*cond, *then, *otherwise)
            }
            ExprData::Assign { place, value } => {
                let stored = self.lower_assign(*place, *value)?.1;
                stored.ok_or_else(|| Bug::from("a scalar assignment has no value"))
            }
            ExprData::Modify { place, change, yields } => {
                let modified = self.lower_modify(*place, **change)?;
                Ok(match yields {
                    Yields::Old => modified.old,
                    Yields::New => modified.new,
                })
            }
            ExprData::Bound => {
                self.bound[expr].ok_or_else(|| Bug::from("a bound value is used before it is bound"))
            }
            ExprData::Call { callee, args, from_last } => {
                let args = Args { exprs: args, from_last: *from_last };
                self.lower_scalar_call(Callee::Direct(*callee), args, node.span)
            }
            ExprData::CallIndirect { callee, args } => {
                self.lower_scalar_call(Callee::Indirect(*callee), Args::in_order(args), node.span)
            }
            ExprData::Builtin(builtin, args) => {
                let result = self.builtins().lower_builtin(*builtin, args, node)?;
                result.ok_or_else(|| Bug::from("a built-in function with a scalar type gave no value"))
            }
            ExprData::Comma(first, second) => {
                self.lower_effect(*first)?;
                self.lower_scalar(*second)
            }
            ExprData::VaList(_, lists) => self.lower_va_arg(lists, ty),
            ExprData::Block(stmts, value) => {
                let value =
                    value.expand().ok_or_else(|| Bug::from("a block with a scalar type has no value"))?;
                self.scoped(node.span, |exprs| {
                    exprs.statements().lower_stmts(stmts)?;
                    exprs.lower_scalar(value)
                })
            }
            ExprData::Record(_) => Err(Bug::from("a record is not a scalar")),
        }
    }

    /// An operand: a scalar, or the LLVM representation of a half-precision type or `float2`.
    pub(crate) fn lower_number(&mut self, expr: Expr) -> Result<BasicValueEnum<'ctx>, Bug> {
        let node = &self.body.exprs[expr];
        if self.cx.shape(node.ty) != Shape::Record {
            return self.lower_scalar(expr);
        }
        let ty = match (self.cx.ir.types.half_ty(node.ty), &node.data) {
            (Some(half), ExprData::Builtin(builtin, args)) => {
                let value = self.builtins().lower_builtin(*builtin, args, node)?;
                let value = value.ok_or("an operation on half-precision numbers without a result")?;
                return Ok(self.code.builder.build_bit_cast(value, self.cx.half_ty(half), "")?);
            }
            (Some(_), ExprData::Bound) => {
                return self.bound[expr].ok_or_else(|| Bug::from("a bound value is used before it is bound"));
            }
            (Some(half), _) => self.cx.half_ty(half),
            (None, _) => self.cx.tys.f32.vec_type(2).into(),
        };
        let from = self.lower_record(expr)?;
        self.code.memory().load_part(from, ty)
    }

    /// Evaluates an expression for its effects.
    pub(crate) fn lower_effect(&mut self, expr: Expr) -> Result<(), Bug> {
        let node = self.expr(expr);
        match (self.cx.shape(node.ty), &node.data) {
            (_, ExprData::Conditional { cond, then, otherwise }) => {
                self.lower_conditional_effect(*cond, *then, *otherwise)
            }
            (_, ExprData::Comma(first, second)) => {
                self.lower_effect(*first)?;
                self.lower_effect(*second)
            }
            (_, ExprData::VaList(op, lists)) => self.lower_va_list(*op, lists, node.ty),
            (_, ExprData::Block(stmts, value)) => self.scoped(node.span, |exprs| {
                exprs.statements().lower_stmts(stmts)?;
                value.expand().map_or(Ok(()), |value| exprs.lower_effect(value))
            }),
            (_, ExprData::Convert(Conversion::ToVoid, operand)) => self.lower_effect(*operand),
            (_, ExprData::Call { callee, args, from_last }) => {
                let args = Args { exprs: args, from_last: *from_last };
                self.lower_call_for_effect(Callee::Direct(*callee), args, node.span)
            }
            (_, ExprData::CallIndirect { callee, args }) => {
                self.lower_call_for_effect(Callee::Indirect(*callee), Args::in_order(args), node.span)
            }
            (_, ExprData::Builtin(builtin, args)) => {
                self.builtins().lower_builtin(*builtin, args, node).map(drop)
            }
            (_, ExprData::Assign { place, value }) => self.lower_assign(*place, *value).map(drop),
            (Shape::Scalar, _) => self.lower_scalar(expr).map(drop),
            (Shape::Record, _) => self.lower_record(expr).map(drop),
            (Shape::Void, _) => Err(Bug::from("an expression of type void has no effect")),
        }
    }

    /// Lowers the contents of a lexical block.
    fn scoped<R>(&mut self, span: Span, inside: impl FnOnce(&mut Self) -> Result<R, Bug>) -> Result<R, Bug> {
        self.debug.enter(span);
        let value = inside(self)?;
        self.debug.leave();
        Ok(value)
    }

    /// Evaluates a pointer, in the address space of the variable that it points into, if known.
    pub(crate) fn lower_pointer(&mut self, expr: Expr) -> Result<PointerValue<'ctx>, Bug> {
        Ok(self.lower_aligned_pointer(expr)?.0)
    }

    /// The same with the alignment of the pointee if the expression names the object, because an element of a
    /// packed array is less aligned than its type. Otherwise without a bound.
    pub(crate) fn lower_aligned_pointer(&mut self, expr: Expr) -> Result<(PointerValue<'ctx>, u32), Bug> {
        let node = self.expr(expr);
        match node.data {
            ExprData::AddrOf(place) | ExprData::ArrayDecay(place) => {
                let address = self.lower_address(place)?;
                Ok((address.ptr, address.align))
            }
            ExprData::PtrOffset { ptr, index, subtract } => {
                let elem = self.pointee(ptr)?;
                let (ptr, align) = self.lower_aligned_pointer(ptr)?;
                let step_align = 1 << self.cx.step_size(elem).trailing_zeros().min(31);
                let signed = self.cx.is_signed(self.expr(index).ty);
                let last = last_operand(self.body, index);
                let index = self.lower_scalar(index)?.into_int_value();
                self.debug.locate_operation(self.expr(expr).span, last);
                let mut index =
                    self.code.builder.build_int_cast_sign_flag(index, self.cx.tys.word, signed, "")?;
                if subtract {
                    index = self.code.builder.build_int_neg(index, "")?;
                }
                let ptr = self.cx.gep(&self.code.builder, self.cx.step_ty(elem), ptr, index)?;
                Ok((ptr, align.min(step_align)))
            }
            // A cast guarantees the alignment of its type.
            ExprData::Convert(Conversion::PtrToPtr, operand) => Ok((self.lower_pointer(operand)?, u32::MAX)),
            _ => Ok((self.lower_scalar(expr)?.into_pointer_value(), u32::MAX)),
        }
    }

    /// The pointee type.
    pub(crate) fn pointee(&self, ptr: Expr) -> Result<Ty, Bug> {
        let pointee = self.cx.ir.types.pointee(self.expr(ptr).ty);
        pointee.ok_or_else(|| Bug::from("an operand that must be a pointer is not one"))
    }

    /// Evaluates a record: returns the address of an object that has the value for now, which may be one of
    /// the program's.
    pub(crate) fn lower_record(&mut self, expr: Expr) -> Result<Address<'ctx>, Bug> {
        let node = self.expr(expr);
        match node.data {
            ExprData::Load(place) => self.lower_address(place),
            ExprData::Assign { place, value } => self.lower_assign(place, value)?.0.address(),
            ExprData::Comma(first, second) => {
                self.lower_effect(first)?;
                self.lower_record(second)
            }
            _ => {
                let temporary = self.code.temporary(node.ty)?;
                self.lower_record_into(expr, temporary)?;
                Ok(temporary)
            }
        }
    }

    /// Evaluates a record into an object that the expression does not read.
    pub(crate) fn lower_record_into(&mut self, expr: Expr, to: Address<'ctx>) -> Result<(), Bug> {
        let node = self.expr(expr);
        match &node.data {
            // The object of a class that says how it is copied is made where it is wanted.
            ExprData::Load(place)
                if let PlaceData::CompoundLiteral(_, init) = self.body.places[*place].data
                    && (self.cx.ir.types.is_copied_by_call(node.ty)
                        || self.cx.ir.types.is_destroyed(node.ty)) =>
            {
                self.lower_init(to, node.ty, init)
            }
            ExprData::Load(_) | ExprData::Assign { .. } => {
                let from = self.lower_record(expr)?;
                self.debug.locate(node.span);
                self.code.memory().copy(to, from, node.ty)
            }
            ExprData::Call { callee, args, from_last } => {
                let args = Args { exprs: args, from_last: *from_last };
                self.lower_record_call(Callee::Direct(*callee), args, node.span, to)
            }
            ExprData::CallIndirect { callee, args } => {
                self.lower_record_call(Callee::Indirect(*callee), Args::in_order(args), node.span, to)
            }
            ExprData::Conditional { cond, then, otherwise } => {
                let [then_block, else_block, end] =
                    ["then", "else", "end"].map(|name| self.code.new_block(name));
                self.lower_branch(*cond, then_block, else_block)?;
                self.code.continue_in(then_block)?;
                self.lower_record_into(*then, to)?;
                self.code.builder.build_unconditional_branch(end)?;
                self.code.continue_in(else_block)?;
                self.lower_record_into(*otherwise, to)?;
                self.code.fall_into(end)
            }
            ExprData::Comma(first, second) => {
                self.lower_effect(*first)?;
                self.lower_record_into(*second, to)
            }
            ExprData::Builtin(builtin, args) => {
                let value = self.builtins().lower_builtin(*builtin, args, node)?;
                let value = value.ok_or("a built-in function with a record type gave no value")?;
                self.code.memory().store_part(to, value)
            }
            ExprData::VaList(_, lists) => {
                let from = self.next_argument(lists, node.ty)?;
                self.code.memory().copy(to, from, node.ty)
            }
            ExprData::Block(stmts, value) => {
                let value =
                    value.expand().ok_or_else(|| Bug::from("a block with a record type has no value"))?;
                self.scoped(node.span, |exprs| {
                    exprs.statements().lower_stmts(stmts)?;
                    exprs.lower_record_into(value, to)
                })
            }
            ExprData::Modify { place, change, yields } => {
                let modified = self.lower_modify(*place, **change)?;
                self.code.memory().store_part(
                    to,
                    match yields {
                        Yields::Old => modified.old,
                        Yields::New => modified.new,
                    },
                )
            }
            ExprData::Bound => {
                let value = self.bound[expr].ok_or("a bound value is used before it is bound")?;
                self.code.memory().store_part(to, value)
            }
            ExprData::Record(values) => {
                for (field_idx, &value) in values.iter().enumerate() {
                    let field = self.code.memory().field_place(to, node.ty, field_idx as u32)?;
                    let ty = self.expr(value).ty;
                    match self.cx.shape(ty) {
                        Shape::Scalar => {
                            let value = self.lower_scalar(value)?;
                            self.code.memory().store_place(&field, ty, value)?;
                        }
                        Shape::Record => self.lower_record_into(value, field.address()?)?,
                        Shape::Void => return Err(Bug::from("a member of type void")),
                    }
                }
                Ok(())
            }
            ExprData::Int(_)
            | ExprData::WideInt(_)
            | ExprData::Float(_)
            | ExprData::Null
            | ExprData::AddrOf(_)
            | ExprData::ArrayDecay(_)
            | ExprData::FuncAddr(_)
            | ExprData::SpecialReg(_)
            | ExprData::Unary(..)
            | ExprData::Binary(..)
            | ExprData::Compare(..)
            | ExprData::Not(_)
            | ExprData::Logical(..)
            | ExprData::PtrOffset { .. }
            | ExprData::PtrDiff(..)
            | ExprData::Convert(..) => {
                Err(Bug::from("an expression without a record value has a record type"))
            }
        }
    }

    /// `place = value`; for a scalar, returns the value that a read would give.
    pub(crate) fn lower_assign(
        &mut self,
        place: Place,
        value: Expr,
    ) -> Result<(LoweredPlace<'ctx>, Option<BasicValueEnum<'ctx>>), Bug> {
        let ty = self.expr(value).ty;
        if self.cx.shape(ty) == Shape::Record {
            // The place is evaluated after the value, and may change the object that the value came from.
            let is_own = self.cx.ir.types.is_destroyed(ty) && is_literal(self.body, value);
            let from = match is_own || effects::is_pure_place(self.body, place) {
                true => self.lower_record(value)?,
                false => {
                    let temporary = self.code.temporary(ty)?;
                    self.lower_record_into(value, temporary)?;
                    temporary
                }
            };
            let to = self.lower_place(place)?;
            self.debug.locate(self.body.places[place].span);
            self.code.memory().copy(to.address()?, from, ty)?;
            return Ok((to, None));
        }
        let value = self.lower_scalar(value)?;
        let to = self.lower_place(place)?;
        self.debug.locate(self.body.places[place].span);
        let stored = self.code.memory().store_place(&to, ty, value)?;
        Ok((to, Some(stored)))
    }

    /// `place op= rhs`, `++place` and so on.
    pub(crate) fn lower_modify(&mut self, place: Place, change: Change) -> Result<Modified<'ctx>, Bug> {
        let Change { rhs, old, new } = change;
        if let Some(Binding { value, bound }) = rhs {
            self.bound[bound] = Some(self.lower_number(value)?);
        }
        let span = self.body.places[place].span;
        let place = self.lower_place(place)?;
        self.debug.locate(span);
        let old_value = self.code.memory().load_place(&place, self.expr(old).ty)?;
        self.bound[old] = Some(old_value);
        let value = self.lower_number(new)?;
        self.debug.locate(span);
        let new_value = self.code.memory().store_place(&place, self.expr(new).ty, value)?;
        Ok(Modified { place, old: old_value, new: new_value })
    }

    fn lower_unary(
        &mut self,
        op: UnaryOp,
        operand: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let last = last_operand(self.body, operand);
        let operand = self.lower_scalar(operand)?;
        self.debug.locate_operation(node.span, last);
        self.code.numbers().unary(op, operand, node.ty)
    }

    fn lower_binary(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let last = last_operand(self.body, right);
        let left = self.lower_scalar(left)?;
        let right = self.lower_scalar(right)?;
        self.debug.locate_operation(node.span, last);
        self.code.numbers().binary(op, left, right, self.cx.is_signed(node.ty))
    }

    fn lower_compare(
        &mut self,
        op: CompareOp,
        left: Expr,
        right: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let signed = self.cx.is_signed(self.expr(left).ty);
        let last = last_operand(self.body, right);
        let left = self.lower_scalar(left)?;
        let right = self.lower_scalar(right)?;
        self.debug.locate_operation(node.span, last);
        self.code.numbers().compare(op, left, right, signed)
    }

    fn lower_logical(&mut self, op: LogicalOp, expr: Expr) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ExprData::Logical(_, left, right) = self.expr(expr).data else {
            return Err(Bug::from("not a logical operator"));
        };
        let [right_block, end] = ["right", "end"].map(|name| self.code.new_block(name));
        let left = self.lower_scalar(left)?.into_int_value();
        let left_end = self.code.block();
        match op {
            LogicalOp::And => self.code.builder.build_conditional_branch(left, right_block, end)?,
            LogicalOp::Or => self.code.builder.build_conditional_branch(left, end, right_block)?,
        };
        self.code.continue_in(right_block)?;
        let right = self.lower_scalar(right)?;
        let right_end = self.code.block();
        self.code.fall_into(end)?;
        let known = self.cx.tys.i1.const_int(u64::from(op == LogicalOp::Or), false);
        self.code.merge((known.into(), left_end), (right, right_end))
    }

    /// Branches to one of two blocks, depending on a condition.
    pub(crate) fn lower_branch(
        &mut self,
        cond: Expr,
        then: BasicBlock<'ctx>,
        otherwise: BasicBlock<'ctx>,
    ) -> Result<(), Bug> {
        let node = self.expr(cond);
        match node.data {
            ExprData::Not(operand) => self.lower_branch(operand, otherwise, then),
            ExprData::Logical(op, left, right) => {
                let between = self.code.new_block("right");
                match op {
                    LogicalOp::And => self.lower_branch(left, between, otherwise)?,
                    LogicalOp::Or => self.lower_branch(left, then, between)?,
                }
                self.code.continue_in(between)?;
                self.lower_branch(right, then, otherwise)
            }
            _ => {
                let cond = self.lower_scalar(cond)?.into_int_value();
                self.debug.locate(node.span);
                self.code.builder.build_conditional_branch(cond, then, otherwise)?;
                Ok(())
            }
        }
    }

    fn lower_conditional_scalar(
        &mut self,
        cond: Expr,
        then: Expr,
        otherwise: Expr,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [then_block, else_block, end] = ["then", "else", "end"].map(|name| self.code.new_block(name));
        self.lower_branch(cond, then_block, else_block)?;
        self.code.continue_in(then_block)?;
        let first = self.lower_scalar(then)?;
        let then_end = self.code.block();
        self.code.builder.build_unconditional_branch(end)?;
        self.code.continue_in(else_block)?;
        let second = self.lower_scalar(otherwise)?;
        let else_end = self.code.block();
        self.code.fall_into(end)?;
        self.code.merge((first, then_end), (second, else_end))
    }

    fn lower_conditional_effect(&mut self, cond: Expr, then: Expr, otherwise: Expr) -> Result<(), Bug> {
        let [then_block, else_block, end] = ["then", "else", "end"].map(|name| self.code.new_block(name));
        self.lower_branch(cond, then_block, else_block)?;
        self.code.continue_in(then_block)?;
        self.lower_effect(then)?;
        self.code.builder.build_unconditional_branch(end)?;
        self.code.continue_in(else_block)?;
        self.lower_effect(otherwise)?;
        self.code.fall_into(end)
    }

    // C++17 8.7p5
    fn lower_ptr_diff(
        &mut self,
        left: Expr,
        right: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let elem = self.pointee(left)?;
        let size = self.cx.step_size(elem).max(1);
        let left = self.lower_scalar(left)?.into_pointer_value();
        let right = self.lower_scalar(right)?.into_pointer_value();
        self.debug.locate(node.span);
        let b = &self.code.builder;
        let left = b.build_ptr_to_int(left, self.cx.tys.word, "")?;
        let right = b.build_ptr_to_int(right, self.cx.tys.word, "")?;
        let n_bytes = b.build_int_nsw_sub(left, right, "")?;
        let size = self.cx.tys.word.const_int(size, false);
        Ok(b.build_int_exact_signed_div(n_bytes, size, "")?.into())
    }

    /// Evaluates an expression of any non-void type into an object of that type.
    pub(crate) fn lower_value_into(&mut self, value: Expr, to: Address<'ctx>) -> Result<(), Bug> {
        let ty = self.body.exprs[value].ty;
        match self.cx.shape(ty) {
            Shape::Record => self.lower_record_into(value, to),
            Shape::Scalar => {
                let value = self.lower_scalar(value)?;
                self.code.memory().store_scalar(to, ty, value)
            }
            Shape::Void => self.lower_effect(value),
        }
    }
}

/// The span of an operator's last operand: the line of an operation that spans several lines, like in
/// nvcc.
fn last_operand(body: &Body, expr: Expr) -> Span {
    let node = &body.exprs[expr];
    match &node.data {
        ExprData::Binary(_, _, right) | ExprData::Compare(_, _, right) => last_operand(body, *right),
        ExprData::Convert(_, operand) | ExprData::Unary(_, operand) => last_operand(body, *operand),
        _ => node.span,
    }
}

/// Whether the value is that of a variable without a name.
fn is_literal(body: &Body, value: Expr) -> bool {
    match body.exprs[value].data {
        ExprData::Load(place) => matches!(body.places[place].data, PlaceData::CompoundLiteral(..)),
        _ => false,
    }
}
