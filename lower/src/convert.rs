//! Conversions of numbers and pointers.

use inkwell::types::IntType;
use inkwell::values::{BasicValueEnum, FloatValue, IntValue};
use inkwell::{FloatPredicate, IntPredicate};
use weft_frontend::ir::{Conversion, Expr, ExprNode};

use crate::Bug;
use crate::arithmetic::Numbers;
use crate::expr::Expressions;

impl<'ctx> Expressions<'_, '_, 'ctx> {
    /// `conversion(operand)`, in the type of `node`.
    pub(crate) fn lower_conversion(
        &mut self,
        conversion: Conversion,
        operand: Expr,
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let from_ty = self.body.exprs[operand].ty;
        let from_signed = self.cx.is_signed(from_ty);
        let value = self.lower_scalar(operand)?;
        self.debug.locate(node.span);
        let b = &self.code.builder;
        let to = self.cx.scalar_ty(node.ty);
        Ok(match conversion {
            Conversion::IntToInt => b
                .build_int_cast_sign_flag(value.into_int_value(), to.into_int_type(), from_signed, "")?
                .into(),
            Conversion::IntToFloat if value.get_type().into_int_type().get_bit_width() > 64 => self
                .code
                .numbers()
                .wide_int_to_float(value.into_int_value(), to.into_float_type(), from_signed)?
                .into(),
            Conversion::IntToFloat if from_signed => {
                b.build_signed_int_to_float(value.into_int_value(), to.into_float_type(), "")?.into()
            }
            Conversion::IntToFloat => {
                b.build_unsigned_int_to_float(value.into_int_value(), to.into_float_type(), "")?.into()
            }
            Conversion::FloatToInt => {
                let signed = self.cx.is_signed(node.ty);
                self.code.numbers().float_to_int(value.into_float_value(), to.into_int_type(), signed)?.into()
            }
            Conversion::FloatToFloat => self
                .code
                .numbers()
                .contract(b.build_float_cast(value.into_float_value(), to.into_float_type(), "")?.into())?,
            Conversion::ToBool => self.code.numbers().differs_from_zero(value)?.into(),
            Conversion::PtrToBool => b.build_is_not_null(value.into_pointer_value(), "")?.into(),
            Conversion::PtrToPtr | Conversion::HandleToInt => value,
            Conversion::IntToPtr => {
                let address =
                    b.build_int_cast_sign_flag(value.into_int_value(), self.cx.tys.word, from_signed, "")?;
                b.build_int_to_ptr(address, self.cx.tys.ptr, "")?.into()
            }
            Conversion::PtrToInt => {
                let address = b.build_ptr_to_int(value.into_pointer_value(), self.cx.tys.word, "")?;
                b.build_int_cast_sign_flag(address, to.into_int_type(), false, "")?.into()
            }
            Conversion::ToVoid => return Err(Bug::from("a conversion to void has no value")),
        })
    }
}

impl<'ctx> Numbers<'_, '_, 'ctx> {
    fn differs_from_zero(&self, value: BasicValueEnum<'ctx>) -> Result<IntValue<'ctx>, Bug> {
        let b = &self.code.builder;
        Ok(match value {
            BasicValueEnum::FloatValue(float) => {
                let zero = float.get_type().const_zero();
                b.build_float_compare(FloatPredicate::UNE, float, zero, "")?
            }
            value => {
                let int = value.into_int_value();
                b.build_int_compare(IntPredicate::NE, int, int.get_type().const_zero(), "")?
            }
        })
    }

    /// Rounds towards zero. A value out of range is undefined (C++17 7.10p1), but programs rely on the
    /// instruction, which saturates (PTX ISA "cvt"): LLVM's own conversion would give an arbitrary value.
    fn float_to_int(
        &self,
        value: FloatValue<'ctx>,
        to: IntType<'ctx>,
        signed: bool,
    ) -> Result<IntValue<'ctx>, Bug> {
        if to.get_bit_width() > 64 {
            return self.float_to_wide_int(value, signed);
        }
        let is_double = value.get_type() == self.cx.tys.f64;
        let is_long = to.get_bit_width() > 32;
        let name = match (is_double, is_long, signed) {
            (false, false, true) => "llvm.nvvm.f2i.rz",
            (false, false, false) => "llvm.nvvm.f2ui.rz",
            (false, true, true) => "llvm.nvvm.f2ll.rz",
            (false, true, false) => "llvm.nvvm.f2ull.rz",
            (true, false, true) => "llvm.nvvm.d2i.rz",
            (true, false, false) => "llvm.nvvm.d2ui.rz",
            (true, true, true) => "llvm.nvvm.d2ll.rz",
            (true, true, false) => "llvm.nvvm.d2ull.rz",
        };
        let converted = self.code.call_intrinsic(name, &[], &[value.into()])?.into_int_value();
        Ok(self.code.builder.build_int_cast_sign_flag(converted, to, signed, "")?)
    }
}
