//! Minima and maxima for dynamic programming.

use inkwell::IntPredicate;
use inkwell::types::{BasicType, BasicTypeEnum};
use inkwell::values::{BasicValueEnum, IntValue};
use weft_frontend::ir::builtin::{Extreme, Numbers, Sign};
use weft_frontend::ir::{DpxOp, Expr, ExprNode, Ty};

use crate::Bug;
use crate::builtin::Builtins;
use crate::place::Address;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_dpx(
        &mut self,
        op: DpxOp,
        extreme: Extreme,
        numbers: Numbers,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.exprs.lower_scalar(arg)?);
        }
        self.exprs.debug.locate(node.span);
        let (&[first, second], rest) =
            values.split_first_chunk().ok_or("an extreme of fewer than two numbers")?;
        let ty = self.numbers_ty(numbers);
        let (first, second) = (self.as_numbers(first, ty)?, self.as_numbers(second, ty)?);
        let pick = |left, right| self.extreme(extreme, numbers, left, right);
        let relu = |value| self.extreme(Extreme::Max, numbers, value, ty.const_zero());
        let third =
            || rest.first().map_or(Err(Bug::from("a missing third operand")), |&v| self.as_numbers(v, ty));
        let value = match op {
            DpxOp::OfTwoRelu => relu(pick(first, second)?)?,
            DpxOp::OfThree => pick(pick(first, second)?, third()?)?,
            DpxOp::OfThreeRelu => relu(pick(pick(first, second)?, third()?)?)?,
            DpxOp::OfSum => pick(self.sum(first, second)?, third()?)?,
            DpxOp::OfSumRelu => relu(pick(self.sum(first, second)?, third()?)?)?,
            DpxOp::WithPredicate => {
                let value = pick(first, second)?;
                self.store_predicates(value, first, rest)?;
                value
            }
        };
        Ok(self.code.builder.build_bit_cast(value, self.cx.tys.i32, "")?)
    }

    fn numbers_ty(&self, numbers: Numbers) -> BasicTypeEnum<'ctx> {
        match numbers {
            Numbers::One(_) => self.cx.tys.i32.into(),
            Numbers::Two(_) => self.cx.llvm.i16_type().vec_type(2).as_basic_type_enum(),
        }
    }

    fn as_numbers(
        &self,
        word: BasicValueEnum<'ctx>,
        ty: BasicTypeEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        Ok(self.code.builder.build_bit_cast(word, ty, "")?)
    }

    fn extreme(
        &self,
        extreme: Extreme,
        numbers: Numbers,
        left: BasicValueEnum<'ctx>,
        right: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (Numbers::One(sign) | Numbers::Two(sign)) = numbers;
        let name = match (extreme, sign) {
            (Extreme::Max, Sign::Signed) => "llvm.smax",
            (Extreme::Max, Sign::Unsigned) => "llvm.umax",
            (Extreme::Min, Sign::Signed) => "llvm.smin",
            (Extreme::Min, Sign::Unsigned) => "llvm.umin",
        };
        self.code.call_intrinsic(name, &[left.get_type()], &[left.into(), right.into()])
    }

    fn sum(
        &self,
        left: BasicValueEnum<'ctx>,
        right: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        match (left, right) {
            (BasicValueEnum::IntValue(left), BasicValueEnum::IntValue(right)) => {
                Ok(self.code.builder.build_int_add(left, right, "")?.into())
            }
            (left, right) => Ok(self
                .code
                .builder
                .build_int_add(left.into_vector_value(), right.into_vector_value(), "")?
                .into()),
        }
    }

    /// Stores whether the extreme is the first operand; of two numbers, the upper one comes first.
    fn store_predicates(
        &self,
        value: BasicValueEnum<'ctx>,
        first: BasicValueEnum<'ctx>,
        to: &[BasicValueEnum<'ctx>],
    ) -> Result<(), Bug> {
        let b = &self.code.builder;
        let equal = |left: IntValue<'ctx>, right| b.build_int_compare(IntPredicate::EQ, left, right, "");
        for (idx, ptr) in to.iter().enumerate() {
            let is_first = match (value, first) {
                (BasicValueEnum::IntValue(value), BasicValueEnum::IntValue(first)) => equal(value, first)?,
                (value, first) => {
                    let lane = self.cx.tys.i32.const_int((to.len() - 1 - idx) as u64, false);
                    let value = b.build_extract_element(value.into_vector_value(), lane, "")?;
                    let first = b.build_extract_element(first.into_vector_value(), lane, "")?;
                    equal(value.into_int_value(), first.into_int_value())?
                }
            };
            let address = Address { ptr: ptr.into_pointer_value(), align: 1, volatile: false };
            self.code.memory().store_scalar(address, Ty::BOOL, is_first.into())?;
        }
        Ok(())
    }
}
