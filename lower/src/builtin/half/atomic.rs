//! Atomic sums, as in CUDA's headers: an instruction or, if the GPU lacks it, a compare-and-swap loop.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, PointerValue};
use weft_frontend::ir::builtin::half::{HalfArith, Mode};
use weft_frontend::ir::{Expr, ExprNode, HalfTy, Scope};

use super::{Operands, format_of};
use crate::Bug;
use crate::atomic::build_compare_exchange;
use crate::atomic::instruction::{self, Instruction};
use crate::function::FnCx;

impl<'ctx> FnCx<'_, '_, 'ctx> {
    /// `atomicAdd(ptr, value)`; returns the old numbers.
    pub(in crate::builtin) fn lower_half_sum(
        &mut self,
        half: HalfTy,
        ptr: PointerValue<'ctx>,
        value: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let value = self.lower_number(value)?;
        self.locate(node.span);
        let operands = Operands { values: vec![value], half, sm: self.cx.options.target.number() };
        let old = if operands.lacks_full_bfloat() {
            self.half_sum_loop(ptr, value, operands)?
        } else {
            let bits = if half.is_pair() { self.cx.tys.i32 } else { self.cx.llvm.i16_type() };
            let value = self.bit_cast(value, bits.into())?;
            let text = format!("atom.add.noftz.{} $0, [$1], $2;", format_of(half));
            self.asm_load(&text, bits.into(), &[ptr.into(), value.into()])?
        };
        self.bit_cast(old, self.cx.half_ty(half))
    }

    /// Replaces the bits by those of the sum, until no other thread interferes; returns the old ones.
    fn half_sum_loop(
        &self,
        ptr: PointerValue<'ctx>,
        value: BasicValueEnum<'ctx>,
        mut operands: Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let half = operands.half;
        let bits = if half.is_pair() { self.cx.tys.i32 } else { self.cx.llvm.i16_type() };
        // CUDA's headers use a plain read here.
        let read = Instruction { head: "ld.relaxed.gpu".into(), tail: format!("b{}", bits.get_bit_width()) };
        let first = instruction::build(self.cx, &self.builder, &read, ptr, &[], Some(bits.into()))?;
        let first = first.ok_or("a load without a result")?;
        let before = self.block();
        let (again, end) = (self.new_block("atomic"), self.new_block("end"));
        self.fall_into(again)?;
        let expected = self.builder.build_phi(bits, "")?;
        let numbers = self.bit_cast(expected.as_basic_value(), self.cx.half_ty(half))?;
        operands.values = vec![value, numbers];
        let sum = self.half_arith(HalfArith::Add, Mode::Separate, &operands)?;
        let sum = self.bit_cast(sum, bits.into())?;
        let exchanged = [expected.as_basic_value(), sum];
        let old = build_compare_exchange(self.cx, &self.builder, ptr, exchanged, Scope::Device)?;
        let is_done = self.builder.build_int_compare(
            IntPredicate::EQ,
            old.into_int_value(),
            expected.as_basic_value().into_int_value(),
            "",
        )?;
        expected.add_incoming(&[(&first, before), (&old, self.block())]);
        self.builder.build_conditional_branch(is_done, end, again)?;
        self.continue_in(end)?;
        Ok(old)
    }
}
