//! Atomic sums, as in CUDA's headers: an instruction or, if the GPU lacks it, a compare-and-swap loop.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, PointerValue};
use weft_frontend::ir::builtin::half::{HalfArith, Mode};
use weft_frontend::ir::{Expr, ExprNode, HalfTy, Scope};

use super::{Operands, format_of};
use crate::Bug;
use crate::atomic::build_compare_exchange;
use crate::atomic::instruction::{self, Instruction};
use crate::builtin::Builtins;
use crate::builtin::half::Halves;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    /// `atomicAdd(ptr, value)`; returns the old numbers.
    pub(in crate::builtin) fn lower_half_sum(
        &mut self,
        half: HalfTy,
        ptr: PointerValue<'ctx>,
        value: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let value = self.exprs.lower_number(value)?;
        self.exprs.debug.locate(node.span);
        let operands = Operands { values: vec![value], half, sm: self.cx.options.target.number() };
        let old = if operands.lacks_full_bfloat() {
            self.code.halves().half_sum_loop(ptr, value, operands)?
        } else {
            let bits = if half.is_pair() { self.cx.tys.i32 } else { self.cx.llvm.i16_type() };
            let value = self.code.halves().bit_cast(value, bits.into())?;
            let text = format!("atom.add.noftz.{} $0, [$1], $2;", format_of(half));
            self.code.asm_load(&text, bits.into(), &[ptr.into(), value.into()])?
        };
        self.code.halves().bit_cast(old, self.cx.half_ty(half))
    }
}

impl<'ctx> Halves<'_, '_, 'ctx> {
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
        let first = instruction::build(self.cx, &self.code.builder, &read, ptr, &[], Some(bits.into()))?;
        let first = first.ok_or("a load without a result")?;
        let before = self.code.block();
        let (again, end) = (self.code.new_block("atomic"), self.code.new_block("end"));
        self.code.fall_into(again)?;
        let expected = self.code.builder.build_phi(bits, "")?;
        let numbers = self.bit_cast(expected.as_basic_value(), self.cx.half_ty(half))?;
        operands.values = vec![value, numbers];
        let sum = self.half_arith(HalfArith::Add, Mode::Separate, &operands)?;
        let sum = self.bit_cast(sum, bits.into())?;
        let exchanged = [expected.as_basic_value(), sum];
        let old = build_compare_exchange(self.cx, &self.code.builder, ptr, exchanged, Scope::Device)?;
        let is_done = self.code.builder.build_int_compare(
            IntPredicate::EQ,
            old.into_int_value(),
            expected.as_basic_value().into_int_value(),
            "",
        )?;
        expected.add_incoming(&[(&first, before), (&old, self.code.block())]);
        self.code.builder.build_conditional_branch(is_done, end, again)?;
        self.code.continue_in(end)?;
        Ok(old)
    }
}
