//! Expressions: values, effects, and records in memory.
//!
//! The type ([`Shape`](crate::types::Shape)) determines how an expression is evaluated: a scalar to an LLVM
//! value, a record into an object, and `void` only for its effects.

use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValue, BasicValueEnum, FastMathFlags, FloatValue, PointerValue};
use inkwell::{FloatPredicate, IntPredicate};
use weft_frontend::ir::{
    BinaryOp, Binding, Callee, Change, CompareOp, Conversion, Expr, ExprData, ExprNode, LogicalOp, Place, Ty,
    UnaryOp, Yields,
};
use weft_frontend::source::Span;

use crate::Bug;
use crate::function::FnCx;
use crate::place::{Address, LoweredPlace};
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

impl<'a, 'ctx> FnCx<'_, 'a, 'ctx> {
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
                if let Some(value) = self.in_register(*place) {
                    return Ok(value);
                }
                if let Some(handle) = self.lower_opaque_handle(*place, ty)? {
                    return Ok(handle);
                }
                let place = self.lower_place(*place)?;
                self.locate(node.span);
                self.load_place(&place, ty)
            }
            ExprData::AddrOf(_) | ExprData::ArrayDecay(_) | ExprData::PtrOffset { .. } => {
                let ptr = self.lower_pointer(expr)?;
                Ok(self.cx.generic(&self.builder, ptr)?.into())
            }
            ExprData::FuncAddr(func) => {
                Ok(self.cx.function(*func).value.as_global_value().as_pointer_value().into())
            }
            ExprData::SpecialReg(reg) => self.lower_special_reg(*reg),
            ExprData::Unary(op, operand) => self.lower_unary(*op, *operand, node),
            ExprData::Binary(op, left, right) => self.lower_binary(*op, *left, *right, node),
            ExprData::Compare(op, left, right) => self.lower_compare(*op, *left, *right, node),
            ExprData::Not(operand) => {
                let operand = self.lower_scalar(*operand)?.into_int_value();
                Ok(self.builder.build_not(operand, "")?.into())
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
            ExprData::Call { callee, args } => {
                self.lower_scalar_call(Callee::Direct(*callee), args, node.span)
            }
            ExprData::CallIndirect { callee, args } => {
                self.lower_scalar_call(Callee::Indirect(*callee), args, node.span)
            }
            ExprData::Builtin(builtin, args) => {
                let result = self.lower_builtin(*builtin, args, node)?;
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
                self.scoped(node.span, |fcx| {
                    fcx.lower_stmts(stmts)?;
                    fcx.lower_scalar(value)
                })
            }
            ExprData::Record(_) => Err(Bug::from("a record is not a scalar")),
        }
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
            (_, ExprData::Block(stmts, value)) => self.scoped(node.span, |fcx| {
                fcx.lower_stmts(stmts)?;
                value.expand().map_or(Ok(()), |value| fcx.lower_effect(value))
            }),
            (_, ExprData::Convert(Conversion::ToVoid, operand)) => self.lower_effect(*operand),
            (_, ExprData::Call { callee, args }) => {
                self.lower_call_for_effect(Callee::Direct(*callee), args, node.span)
            }
            (_, ExprData::CallIndirect { callee, args }) => {
                self.lower_call_for_effect(Callee::Indirect(*callee), args, node.span)
            }
            (_, ExprData::Builtin(builtin, args)) => self.lower_builtin(*builtin, args, node).map(drop),
            (_, ExprData::Assign { place, value }) => self.lower_assign(*place, *value).map(drop),
            (Shape::Scalar, _) => self.lower_scalar(expr).map(drop),
            (Shape::Record, _) => self.lower_record(expr).map(drop),
            (Shape::Void, _) => Err(Bug::from("an expression of type void has no effect")),
        }
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
                let last = self.last_operand(index);
                let index = self.lower_scalar(index)?.into_int_value();
                self.locate_operation(self.expr(expr).span, last);
                let mut index = self.builder.build_int_cast_sign_flag(index, self.cx.tys.word, signed, "")?;
                if subtract {
                    index = self.builder.build_int_neg(index, "")?;
                }
                let ptr = self.cx.gep(&self.builder, self.cx.step_ty(elem), ptr, index)?;
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
                let temporary = self.temporary(node.ty)?;
                self.lower_record_into(expr, temporary)?;
                Ok(temporary)
            }
        }
    }

    /// Evaluates a record into an object that the expression does not read.
    pub(crate) fn lower_record_into(&mut self, expr: Expr, to: Address<'ctx>) -> Result<(), Bug> {
        let node = self.expr(expr);
        match &node.data {
            ExprData::Load(_) | ExprData::Assign { .. } => {
                let from = self.lower_record(expr)?;
                self.locate(node.span);
                self.copy(to, from, node.ty)
            }
            ExprData::Call { callee, args } => {
                self.lower_record_call(Callee::Direct(*callee), args, node.span, to)
            }
            ExprData::CallIndirect { callee, args } => {
                self.lower_record_call(Callee::Indirect(*callee), args, node.span, to)
            }
            ExprData::Conditional { cond, then, otherwise } => {
                let [then_block, else_block, end] = ["then", "else", "end"].map(|name| self.new_block(name));
                self.lower_branch(*cond, then_block, else_block)?;
                self.continue_in(then_block)?;
                self.lower_record_into(*then, to)?;
                self.builder.build_unconditional_branch(end)?;
                self.continue_in(else_block)?;
                self.lower_record_into(*otherwise, to)?;
                self.fall_into(end)
            }
            ExprData::Comma(first, second) => {
                self.lower_effect(*first)?;
                self.lower_record_into(*second, to)
            }
            ExprData::Builtin(builtin, args) => {
                let value = self.lower_builtin(*builtin, args, node)?;
                let value = value.ok_or("a built-in function with a record type gave no value")?;
                self.store_part(to, value)
            }
            ExprData::VaList(_, lists) => {
                let from = self.next_argument(lists, node.ty)?;
                self.copy(to, from, node.ty)
            }
            ExprData::Block(stmts, value) => {
                let value =
                    value.expand().ok_or_else(|| Bug::from("a block with a record type has no value"))?;
                self.scoped(node.span, |fcx| {
                    fcx.lower_stmts(stmts)?;
                    fcx.lower_record_into(value, to)
                })
            }
            ExprData::Modify { place, change, yields } => {
                let modified = self.lower_modify(*place, **change)?;
                self.store_part(
                    to,
                    match yields {
                        Yields::Old => modified.old,
                        Yields::New => modified.new,
                    },
                )
            }
            ExprData::Bound => {
                let value = self.bound[expr].ok_or("a bound value is used before it is bound")?;
                self.store_part(to, value)
            }
            ExprData::Record(values) => {
                for (field_idx, &value) in values.iter().enumerate() {
                    let field = self.field_place(to, node.ty, field_idx as u32)?;
                    let ty = self.expr(value).ty;
                    match self.cx.shape(ty) {
                        Shape::Scalar => {
                            let value = self.lower_scalar(value)?;
                            self.store_place(&field, ty, value)?;
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
            let from = match self.is_pure_place(place) {
                true => self.lower_record(value)?,
                false => {
                    let temporary = self.temporary(ty)?;
                    self.lower_record_into(value, temporary)?;
                    temporary
                }
            };
            let to = self.lower_place(place)?;
            self.locate(self.body.places[place].span);
            self.copy(to.address()?, from, ty)?;
            return Ok((to, None));
        }
        let value = self.lower_scalar(value)?;
        let to = self.lower_place(place)?;
        self.locate(self.body.places[place].span);
        let stored = self.store_place(&to, ty, value)?;
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
        self.locate(span);
        let old_value = self.load_place(&place, self.expr(old).ty)?;
        self.bound[old] = Some(old_value);
        let value = self.lower_number(new)?;
        self.locate(span);
        let new_value = self.store_place(&place, self.expr(new).ty, value)?;
        Ok(Modified { place, old: old_value, new: new_value })
    }

    fn lower_unary(
        &mut self,
        op: UnaryOp,
        operand: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let last = self.last_operand(operand);
        let operand = self.lower_scalar(operand)?;
        self.locate_operation(node.span, last);
        let b = &self.builder;
        Ok(match (op, operand) {
            (UnaryOp::Neg, BasicValueEnum::FloatValue(float)) => {
                self.contract(b.build_float_neg(float, "")?.into())?
            }
            (UnaryOp::Neg, operand) if self.cx.is_signed(node.ty) => {
                b.build_int_nsw_sub(self.cx.const_int(node.ty, 0), operand.into_int_value(), "")?.into()
            }
            (UnaryOp::Neg, operand) => b.build_int_neg(operand.into_int_value(), "")?.into(),
            (UnaryOp::BitNot, operand) => b.build_not(operand.into_int_value(), "")?.into(),
        })
    }

    /// The span of an operator's last operand: the line of an operation that spans several lines, like in
    /// nvcc.
    fn last_operand(&self, expr: Expr) -> Span {
        let node = self.expr(expr);
        match &node.data {
            ExprData::Binary(_, _, right) | ExprData::Compare(_, _, right) => self.last_operand(*right),
            ExprData::Convert(_, operand) | ExprData::Unary(_, operand) => self.last_operand(*operand),
            _ => node.span,
        }
    }

    fn lower_binary(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let last = self.last_operand(right);
        let left = self.lower_scalar(left)?;
        let right = self.lower_scalar(right)?;
        self.locate_operation(node.span, last);
        match (left, right) {
            (BasicValueEnum::FloatValue(left), BasicValueEnum::FloatValue(right)) => {
                let b = &self.builder;
                let value = match op {
                    BinaryOp::Add => b.build_float_add(left, right, "")?,
                    BinaryOp::Sub => b.build_float_sub(left, right, "")?,
                    BinaryOp::Mul => b.build_float_mul(left, right, "")?,
                    BinaryOp::Div => return self.quotient(left, right),
                    BinaryOp::Rem
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Xor
                    | BinaryOp::Shl
                    | BinaryOp::Shr => return Err(Bug::from("an integer operator on floating operands")),
                };
                self.contract(value.into())
            }
            (left, right) => self.lower_int_binary(op, left, right, self.cx.is_signed(node.ty)),
        }
    }

    /// A quotient; for `float`, as precise as the options require.
    pub(crate) fn quotient(
        &self,
        dividend: FloatValue<'ctx>,
        divisor: FloatValue<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let options = self.cx.options;
        let is_single = dividend.get_type() == self.cx.tys.f32;
        let is_reciprocal = dividend.get_constant().is_some_and(|(dividend, _)| dividend == 1.0);
        if is_single && !options.prec_div && !options.fast_math && !is_reciprocal {
            let ftz = if options.ftz { ".ftz" } else { "" };
            return self.call_intrinsic(
                &format!("llvm.nvvm.div.full{ftz}"),
                &[],
                &[dividend.into(), divisor.into()],
            );
        }
        let quotient = self.contract(self.builder.build_float_div(dividend, divisor, "")?.into())?;
        self.approximate(quotient, is_single && !options.prec_div)
    }

    /// Permits an approximate result, if the options do.
    pub(crate) fn approximate(
        &self,
        value: BasicValueEnum<'ctx>,
        may_be: bool,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if may_be && let Some(instruction) = value.as_instruction_value() {
            instruction.set_fast_math_flags(FastMathFlags::ApproxFunc)?;
        }
        Ok(value)
    }

    // Signed overflow is undefined (C++17 8p4), and nvcc exploits that.
    fn lower_int_binary(
        &self,
        op: BinaryOp,
        left: BasicValueEnum<'ctx>,
        right: BasicValueEnum<'ctx>,
        signed: bool,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let b = &self.builder;
        let (l, r) = (left.into_int_value(), right.into_int_value());
        Ok(match (op, signed) {
            (BinaryOp::Add, true) => b.build_int_nsw_add(l, r, "")?,
            (BinaryOp::Add, false) => b.build_int_add(l, r, "")?,
            (BinaryOp::Sub, true) => b.build_int_nsw_sub(l, r, "")?,
            (BinaryOp::Sub, false) => b.build_int_sub(l, r, "")?,
            (BinaryOp::Mul, true) => b.build_int_nsw_mul(l, r, "")?,
            (BinaryOp::Mul, false) => b.build_int_mul(l, r, "")?,
            (BinaryOp::Div, true) => b.build_int_signed_div(l, r, "")?,
            (BinaryOp::Div, false) => b.build_int_unsigned_div(l, r, "")?,
            (BinaryOp::Rem, true) => b.build_int_signed_rem(l, r, "")?,
            (BinaryOp::Rem, false) => b.build_int_unsigned_rem(l, r, "")?,
            (BinaryOp::And, _) => b.build_and(l, r, "")?,
            (BinaryOp::Or, _) => b.build_or(l, r, "")?,
            (BinaryOp::Xor, _) => b.build_xor(l, r, "")?,
            // The shift count has a separate type; a count out of range is undefined.
            (BinaryOp::Shl, _) => {
                let r = b.build_int_cast_sign_flag(r, l.get_type(), false, "")?;
                b.build_left_shift(l, r, "")?
            }
            (BinaryOp::Shr, signed) => {
                let r = b.build_int_cast_sign_flag(r, l.get_type(), false, "")?;
                b.build_right_shift(l, r, signed, "")?
            }
        }
        .into())
    }

    /// Permits contraction of the operation, if the options do.
    pub(crate) fn contract(&self, value: BasicValueEnum<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        if self.cx.options.fmad
            && let Some(instruction) = value.as_instruction_value()
            && instruction.can_use_fast_math_flags()
        {
            instruction.set_fast_math_flags(FastMathFlags::AllowContract)?;
        }
        Ok(value)
    }

    fn lower_compare(
        &mut self,
        op: CompareOp,
        left: Expr,
        right: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let signed = self.cx.is_signed(self.expr(left).ty);
        let last = self.last_operand(right);
        let left = self.lower_scalar(left)?;
        let right = self.lower_scalar(right)?;
        self.locate_operation(node.span, last);
        let b = &self.builder;
        Ok(match left {
            BasicValueEnum::FloatValue(left) => {
                b.build_float_compare(float_predicate(op), left, right.into_float_value(), "")?
            }
            BasicValueEnum::PointerValue(left) => {
                b.build_int_compare(int_predicate(op, false), left, right.into_pointer_value(), "")?
            }
            left => b.build_int_compare(
                int_predicate(op, signed),
                left.into_int_value(),
                right.into_int_value(),
                "",
            )?,
        }
        .into())
    }

    fn lower_logical(&mut self, op: LogicalOp, expr: Expr) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ExprData::Logical(_, left, right) = self.expr(expr).data else {
            return Err(Bug::from("not a logical operator"));
        };
        let [right_block, end] = ["right", "end"].map(|name| self.new_block(name));
        let left = self.lower_scalar(left)?.into_int_value();
        let left_end = self.block();
        match op {
            LogicalOp::And => self.builder.build_conditional_branch(left, right_block, end)?,
            LogicalOp::Or => self.builder.build_conditional_branch(left, end, right_block)?,
        };
        self.continue_in(right_block)?;
        let right = self.lower_scalar(right)?;
        let right_end = self.block();
        self.fall_into(end)?;
        let known = self.cx.tys.i1.const_int(u64::from(op == LogicalOp::Or), false);
        self.merge((known.into(), left_end), (right, right_end))
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
                let between = self.new_block("right");
                match op {
                    LogicalOp::And => self.lower_branch(left, between, otherwise)?,
                    LogicalOp::Or => self.lower_branch(left, then, between)?,
                }
                self.continue_in(between)?;
                self.lower_branch(right, then, otherwise)
            }
            _ => {
                let cond = self.lower_scalar(cond)?.into_int_value();
                self.locate(node.span);
                self.builder.build_conditional_branch(cond, then, otherwise)?;
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
        let [then_block, else_block, end] = ["then", "else", "end"].map(|name| self.new_block(name));
        self.lower_branch(cond, then_block, else_block)?;
        self.continue_in(then_block)?;
        let first = self.lower_scalar(then)?;
        let then_end = self.block();
        self.builder.build_unconditional_branch(end)?;
        self.continue_in(else_block)?;
        let second = self.lower_scalar(otherwise)?;
        let else_end = self.block();
        self.fall_into(end)?;
        self.merge((first, then_end), (second, else_end))
    }

    fn lower_conditional_effect(&mut self, cond: Expr, then: Expr, otherwise: Expr) -> Result<(), Bug> {
        let [then_block, else_block, end] = ["then", "else", "end"].map(|name| self.new_block(name));
        self.lower_branch(cond, then_block, else_block)?;
        self.continue_in(then_block)?;
        self.lower_effect(then)?;
        self.builder.build_unconditional_branch(end)?;
        self.continue_in(else_block)?;
        self.lower_effect(otherwise)?;
        self.fall_into(end)
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
        self.locate(node.span);
        let b = &self.builder;
        let left = b.build_ptr_to_int(left, self.cx.tys.word, "")?;
        let right = b.build_ptr_to_int(right, self.cx.tys.word, "")?;
        let n_bytes = b.build_int_nsw_sub(left, right, "")?;
        let size = self.cx.tys.word.const_int(size, false);
        Ok(b.build_int_exact_signed_div(n_bytes, size, "")?.into())
    }
}

fn float_predicate(op: CompareOp) -> FloatPredicate {
    match op {
        CompareOp::Eq => FloatPredicate::OEQ,
        CompareOp::Ne => FloatPredicate::UNE,
        CompareOp::Lt => FloatPredicate::OLT,
        CompareOp::Le => FloatPredicate::OLE,
        CompareOp::Gt => FloatPredicate::OGT,
        CompareOp::Ge => FloatPredicate::OGE,
    }
}

fn int_predicate(op: CompareOp, signed: bool) -> IntPredicate {
    match (op, signed) {
        (CompareOp::Eq, _) => IntPredicate::EQ,
        (CompareOp::Ne, _) => IntPredicate::NE,
        (CompareOp::Lt, true) => IntPredicate::SLT,
        (CompareOp::Lt, false) => IntPredicate::ULT,
        (CompareOp::Le, true) => IntPredicate::SLE,
        (CompareOp::Le, false) => IntPredicate::ULE,
        (CompareOp::Gt, true) => IntPredicate::SGT,
        (CompareOp::Gt, false) => IntPredicate::UGT,
        (CompareOp::Ge, true) => IntPredicate::SGE,
        (CompareOp::Ge, false) => IntPredicate::UGE,
    }
}
