//! Conversions between half precision and other numbers.

use inkwell::types::{BasicType, BasicTypeEnum};
use inkwell::values::{BasicValue, BasicValueEnum, FloatValue, IntValue};
use inkwell::{FloatPredicate, IntPredicate};
use weft_frontend::ir::builtin::Rounding;
use weft_frontend::ir::{HalfTy, Ty};

use super::{Operands, float_rounding, format_of, vector_of};
use crate::Bug;
use crate::builtin::half::Halves;

/// The bits of a bfloat NaN, as CUDA's headers define it.
const BFLOAT_NAN: u64 = 0x7fff;

impl<'ctx> Halves<'_, '_, 'ctx> {
    /// Half precision to `float`, or a pair to a vector of two; exact.
    pub(super) fn half_to_float(&self, value: BasicValueEnum<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        match value {
            BasicValueEnum::VectorValue(pair) => {
                let floats = self.cx.tys.f32.vec_type(2);
                Ok(self.code.builder.build_float_ext(pair, floats, "")?.into())
            }
            _ => Ok(self.code.builder.build_float_ext(value.into_float_value(), self.cx.tys.f32, "")?.into()),
        }
    }

    /// One `float` to half precision.
    pub(super) fn float_to_half(
        &self,
        value: BasicValueEnum<'ctx>,
        rounding: Rounding,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (half, float) = (operands.half.lane(), value.into_float_value());
        let has_instruction = match (half, rounding) {
            (HalfTy::Bfloat, Rounding::Nearest | Rounding::Zero) => operands.sm >= 80,
            (HalfTy::Bfloat, Rounding::Down | Rounding::Up) => operands.sm >= 90,
            (HalfTy::Half | HalfTy::Half2 | HalfTy::Bfloat2, _) => true,
        };
        if !has_instruction {
            return self.round_to_bfloat(float, rounding);
        }
        let ty = self.cx.lane_ty(half);
        if rounding == Rounding::Nearest {
            return match half {
                _ if float.is_const() => Ok(self.code.builder.build_float_trunc(float, ty, "")?.into()),
                HalfTy::Bfloat => self.code.call_intrinsic("llvm.nvvm.f2bf16.rn", &[], &[float.into()]),
                HalfTy::Half | HalfTy::Half2 | HalfTy::Bfloat2 => self.rounded_to_half(float),
            };
        }
        let text = format!("cvt.{}.{}.f32 $0, $1;", float_rounding(rounding), format_of(half));
        self.half_asm(&text, ty.into(), &[value])
    }

    /// A number to `half`, rounded to nearest. LLVM would make `fptrunc` of a product of extended values a product of `half`s, and one
    /// instruction of that and a sum that follows: nvcc keeps the rounding that the program asks for.
    fn rounded_to_half(&self, number: FloatValue<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ty = number.get_type().into();
        let bits = self.code.call_intrinsic("llvm.convert.to.fp16", &[ty], &[number.into()])?;
        self.bit_cast(bits, self.cx.lane_ty(HalfTy::Half).into())
    }

    /// Two `float`s to a pair, rounded to nearest.
    pub(super) fn floats_to_half(
        &self,
        low: BasicValueEnum<'ctx>,
        high: BasicValueEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if operands.lacks_bfloat() || operands.sm < 80 {
            let lane = |value| self.float_to_half(value, Rounding::Nearest, operands);
            return self.pair([lane(low)?, lane(high)?]);
        }
        let pair = self.pair([low, high])?.into_vector_value();
        if !pair.is_const() {
            let name = match operands.half.lane() {
                HalfTy::Bfloat | HalfTy::Bfloat2 => "llvm.nvvm.ff2bf16x2.rn",
                HalfTy::Half | HalfTy::Half2 => "llvm.nvvm.ff2f16x2.rn",
            };
            return self.code.call_intrinsic(name, &[], &[high.into(), low.into()]);
        }
        let ty = self.cx.lane_ty(operands.half).vec_type(2);
        Ok(self.code.builder.build_float_trunc(pair, ty, "")?.into())
    }

    /// Converts `float`s back to the half-precision type of the operands.
    pub(super) fn floats_back(
        &self,
        value: BasicValueEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if value.is_vector_value() {
            let [low, high] = self.lanes(value)?;
            return self.floats_to_half(low, high, operands);
        }
        self.float_to_half(value, Rounding::Nearest, operands)
    }

    pub(super) fn double_to_half(&self, operands: &Operands<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        let double = operands.one()?.into_float_value();
        // LLVM's conversion to bfloat would flush small numbers with -ftz=true.
        if operands.lacks_bfloat() || (operands.lacks_full_bfloat() && self.cx.options.ftz) {
            let odd = self.double_to_odd_float(double)?;
            return self.round_to_bfloat(odd, Rounding::Nearest);
        }
        if operands.half == HalfTy::Half && !double.is_const() {
            return self.rounded_to_half(double);
        }
        Ok(self.code.builder.build_float_trunc(double, self.cx.lane_ty(operands.half), "")?.into())
    }

    /// A `double` as a `float` that rounds to the same bfloat: rounded towards zero, with the last bit set if
    /// the conversion is inexact.
    fn double_to_odd_float(&self, double: FloatValue<'ctx>) -> Result<FloatValue<'ctx>, Bug> {
        let near = self.half_asm("cvt.rz.f32.f64 $0, $1;", self.cx.tys.f32.into(), &[double.into()])?;
        let back = self.code.builder.build_float_ext(near.into_float_value(), self.cx.tys.f64, "")?;
        let differs = self.code.builder.build_float_compare(FloatPredicate::ONE, back, double, "")?;
        self.with_sticky_bit(near.into_float_value(), differs)
    }

    fn with_sticky_bit(
        &self,
        float: FloatValue<'ctx>,
        sticky: IntValue<'ctx>,
    ) -> Result<FloatValue<'ctx>, Bug> {
        let bits = self.bit_cast(float.into(), self.cx.tys.i32.into())?.into_int_value();
        let sticky = self.code.builder.build_int_z_extend(sticky, self.cx.tys.i32, "")?;
        let bits = self.code.builder.build_or(bits, sticky, "")?;
        Ok(self.bit_cast(bits.into(), self.cx.tys.f32.into())?.into_float_value())
    }

    /// The upper half of a `float`, rounded by integer arithmetic.
    fn round_to_bfloat(
        &self,
        float: FloatValue<'ctx>,
        rounding: Rounding,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (b, i32_ty) = (&self.code.builder, self.cx.tys.i32);
        let number = |value: u64| i32_ty.const_int(value, false);
        let bits = self.bit_cast(float.into(), i32_ty.into())?.into_int_value();
        let upper = b.build_right_shift(bits, number(16), false, "")?;
        let lower = b.build_and(bits, number(0xffff), "")?;
        let is_negative = b.build_int_compare(IntPredicate::SLT, bits, number(0), "")?;
        let is_inexact = b.build_int_compare(IntPredicate::NE, lower, number(0), "")?;
        let goes_up = match rounding {
            Rounding::Nearest => {
                let is_odd = b.build_and(upper, number(1), "")?;
                let least = b.build_int_sub(number(0x8001), is_odd, "")?;
                b.build_int_compare(IntPredicate::UGE, lower, least, "")?
            }
            Rounding::Zero => self.cx.tys.i1.const_zero(),
            Rounding::Down => b.build_and(is_inexact, is_negative, "")?,
            Rounding::Up => b.build_and(is_inexact, b.build_not(is_negative, "")?, "")?,
        };
        let rounded = b.build_int_add(upper, b.build_int_z_extend(goes_up, i32_ty, "")?, "")?;
        let is_nan = b.build_float_compare(FloatPredicate::UNO, float, float, "")?;
        let chosen = b.build_select(is_nan, number(BFLOAT_NAN), rounded, "")?.into_int_value();
        let short = b.build_int_truncate(chosen, self.cx.llvm.i16_type(), "")?;
        self.bit_cast(short.into(), self.cx.llvm.bf16_type().into())
    }

    pub(super) fn int_to_half(
        &self,
        rounding: Rounding,
        signed: bool,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let int = operands.one()?.into_int_value();
        let half = operands.half;
        let ty = self.cx.lane_ty(half);
        let source = int_format(int.get_type().get_bit_width(), signed);
        if !operands.lacks_full_bfloat() {
            if rounding == Rounding::Nearest {
                return self.int_to_float(int, signed, ty.into());
            }
            let text = format!("cvt.{}.{}.{source} $0, $1;", float_rounding(rounding), format_of(half));
            return self.half_asm(&text, ty.into(), &[int.into()]);
        }
        let float_ty: BasicTypeEnum<'ctx> = self.cx.tys.f32.into();
        if int.get_type().get_bit_width() == 16 {
            let float = self.int_to_float(int, signed, float_ty)?;
            return self.float_to_half(float, rounding, operands);
        }
        let towards = |modifier: &str| {
            self.half_asm(&format!("cvt.{modifier}.f32.{source} $0, $1;"), float_ty, &[int.into()])
        };
        if rounding != Rounding::Nearest {
            return self.float_to_half(towards(float_rounding(rounding))?, rounding, operands);
        }
        // Bits lost in the conversion to `float` must not create a tie.
        let (down, up) = (towards("rm")?.into_float_value(), towards("rp")?.into_float_value());
        let differs = self.code.builder.build_float_compare(FloatPredicate::ONE, down, up, "")?;
        let odd = self.with_sticky_bit(towards("rz")?.into_float_value(), differs)?;
        self.float_to_half(odd.into(), rounding, operands)
    }

    fn int_to_float(
        &self,
        int: IntValue<'ctx>,
        signed: bool,
        ty: BasicTypeEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ty = ty.into_float_type();
        Ok(if signed {
            self.code.builder.build_signed_int_to_float(int, ty, "")?.as_basic_value_enum()
        } else {
            self.code.builder.build_unsigned_int_to_float(int, ty, "")?.as_basic_value_enum()
        })
    }

    /// Out of range, the result is the nearest value in range, as PTX ISA "cvt" specifies and LLVM leaves undefined.
    pub(super) fn half_to_int(
        &self,
        rounding: Rounding,
        ty: Ty,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let int_ty = self.cx.scalar_ty(ty).into_int_type();
        let n_bits = int_ty.get_bit_width();
        let to = int_format(n_bits, self.cx.is_signed(ty));
        let value = operands.one()?;
        // There is no conversion from bfloat to an 8-bit integer.
        let goes_by_float = operands.half == HalfTy::Bfloat && (operands.sm < 90 || n_bits == 8);
        let (value, from) = if goes_by_float {
            (self.half_to_float(value)?, "f32")
        } else {
            (value, format_of(operands.half))
        };
        let text = format!("cvt.{}i.{to}.{from} $0, $1;", float_rounding(rounding));
        // There are no 8-bit registers.
        let register: BasicTypeEnum<'ctx> = if n_bits == 8 { self.cx.tys.i32.into() } else { int_ty.into() };
        let int = self.half_asm(&text, register, &[value])?.into_int_value();
        Ok(self.code.builder.build_int_truncate(int, int_ty, "")?.into())
    }

    /// A half-precision constant, in each element of the type.
    pub(super) fn half_const(&self, bits: u64, half: HalfTy) -> Result<BasicValueEnum<'ctx>, Bug> {
        let short = self.cx.llvm.i16_type().const_int(bits, false);
        let ty = self.cx.half_ty(half);
        if !half.is_pair() {
            return self.bit_cast(short.into(), ty);
        }
        let pair = inkwell::types::VectorType::const_vector(&[short, short]);
        debug_assert!(vector_of(short.get_type().as_basic_type_enum()).is_ok());
        self.bit_cast(pair.into(), ty)
    }
}

/// How instructions spell an integer type.
fn int_format(n_bits: u32, signed: bool) -> String {
    format!("{}{n_bits}", if signed { 's' } else { 'u' })
}
