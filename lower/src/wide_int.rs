//! Conversions between 128-bit integers and floating types.
//!
//! LLVM lowers them to library functions that do not exist on a GPU. Here they use the GPU's 64-bit
//! conversions, and each rounds once: to nearest even for an integer, towards zero for a floating-point
//! number (C++17 7.10).

use inkwell::IntPredicate;
use inkwell::types::FloatType;
use inkwell::values::{FloatValue, IntValue};

use crate::Bug;
use crate::arithmetic::Numbers;

impl<'ctx> Numbers<'_, '_, 'ctx> {
    /// The floating-point number nearest to a 128-bit integer.
    pub(crate) fn wide_int_to_float(
        &self,
        value: IntValue<'ctx>,
        to: FloatType<'ctx>,
        signed: bool,
    ) -> Result<FloatValue<'ctx>, Bug> {
        let b = &self.code.builder;
        if !signed {
            return self.wide_unsigned_to_float(value, to);
        }
        let negated = b.build_int_neg(value, "")?;
        let zero = value.get_type().const_zero();
        let is_negative = b.build_int_compare(IntPredicate::SLT, value, zero, "")?;
        let magnitude = b.build_select(is_negative, negated, value, "")?.into_int_value();
        let float = self.wide_unsigned_to_float(magnitude, to)?;
        let minus = b.build_float_neg(float, "")?;
        Ok(b.build_select(is_negative, minus, float, "")?.into_float_value())
    }

    /// Converts the highest 64 significant bits, with the lowest one set if any bit below is: they round like
    /// the whole. Then multiplies by a power of two, which is exact.
    fn wide_unsigned_to_float(
        &self,
        value: IntValue<'ctx>,
        to: FloatType<'ctx>,
    ) -> Result<FloatValue<'ctx>, Bug> {
        let b = &self.code.builder;
        let (wide, i64) = (value.get_type(), self.cx.tys.i64);
        let zero_is_defined = self.cx.tys.i1.const_zero();
        let n_zeros = self
            .code
            .call_intrinsic("llvm.ctlz", &[wide.into()], &[value.into(), zero_is_defined.into()])?
            .into_int_value();
        // Zero has 128 leading zeros, which cannot be a shift count; its value does not matter.
        let n_zeros = b.build_and(n_zeros, wide.const_int(127, false), "")?;
        let at_top = b.build_left_shift(value, n_zeros, "")?;
        let (high, low) = self.halves(at_top)?;
        let rest = b.build_int_compare(IntPredicate::NE, low, i64.const_zero(), "")?;
        let rest = b.build_int_z_extend(rest, i64, "")?;
        let digits = b.build_unsigned_int_to_float(b.build_or(high, rest, "")?, to, "")?;
        let is_double = to == self.cx.tys.f64;
        let (int, bias, mantissa) = if is_double { (i64, 1023, 52) } else { (self.cx.tys.i32, 127, 23) };
        let n_zeros = b.build_int_truncate(n_zeros, int, "")?;
        let exponent = b.build_int_sub(int.const_int(bias + 64, false), n_zeros, "")?;
        let scale = b.build_left_shift(exponent, int.const_int(mantissa, false), "")?;
        let scale = b.build_bit_cast(scale, to, "")?.into_float_value();
        Ok(b.build_float_mul(digits, scale, "")?)
    }

    /// The 128-bit integer, rounded towards zero. The result is undefined if it does not fit.
    pub(crate) fn float_to_wide_int(
        &self,
        value: FloatValue<'ctx>,
        signed: bool,
    ) -> Result<IntValue<'ctx>, Bug> {
        let b = &self.code.builder;
        let f64 = self.cx.tys.f64;
        let value = b.build_float_ext(value, f64, "")?;
        let wide = self.cx.llvm.i128_type();
        let magnitude = match signed {
            true => self.code.call_intrinsic("llvm.fabs", &[f64.into()], &[value.into()])?.into_float_value(),
            false => value,
        };
        let to_half = |part: FloatValue<'ctx>| -> Result<IntValue<'ctx>, Bug> {
            let half = self.code.call_intrinsic("llvm.nvvm.d2ull.rz", &[], &[part.into()])?.into_int_value();
            Ok(b.build_int_z_extend(half, wide, "")?)
        };
        let scale = |factor: f64| f64.const_float(factor);
        // Each step is exact: both halves have at most as many bits as the value.
        let high = to_half(b.build_float_mul(magnitude, scale(2_f64.powi(-64)), "")?)?;
        let high_part =
            b.build_unsigned_int_to_float(b.build_int_truncate(high, self.cx.tys.i64, "")?, f64, "")?;
        let rest =
            b.build_float_sub(magnitude, b.build_float_mul(high_part, scale(2_f64.powi(64)), "")?, "")?;
        let low = to_half(rest)?;
        let high = b.build_left_shift(high, wide.const_int(64, false), "")?;
        let magnitude = b.build_or(high, low, "")?;
        if !signed {
            return Ok(magnitude);
        }
        let is_negative = b.build_float_compare(inkwell::FloatPredicate::OLT, value, f64.const_zero(), "")?;
        let negated = b.build_int_neg(magnitude, "")?;
        Ok(b.build_select(is_negative, negated, magnitude, "")?.into_int_value())
    }

    /// The high and the low half of a 128-bit integer.
    fn halves(&self, value: IntValue<'ctx>) -> Result<(IntValue<'ctx>, IntValue<'ctx>), Bug> {
        let (b, i64) = (&self.code.builder, self.cx.tys.i64);
        let shifted = b.build_right_shift(value, value.get_type().const_int(64, false), false, "")?;
        Ok((b.build_int_truncate(shifted, i64, "")?, b.build_int_truncate(value, i64, "")?))
    }
}
