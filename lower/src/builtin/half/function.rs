//! Mathematical functions in half precision, computed with `float` functions or approximate instructions,
//! like in CUDA's headers.
//!
//! The instructions are precise enough to round to the nearest half-precision number except for a few
//! arguments: for these the result is corrected by one unit in the last place (`CORRECTIONS`).

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, FloatValue, IntValue};
use weft_frontend::ir::builtin::half::HalfFn;
use weft_frontend::ir::{HalfTy, LibraryFn};

use super::{Operands, format_of};
use crate::Bug;
use crate::builtin::half::Halves;
use crate::features::has_tanh;

/// The function of `float` that implements one of half precision, unless the GPU's `tanh.approx` does.
pub(crate) fn libdevice_function(function: HalfFn, half: HalfTy, has_tanh: bool) -> Option<LibraryFn> {
    let is_bfloat = half.lane() == HalfTy::Bfloat;
    match function {
        HalfFn::Sin if is_bfloat => Some(LibraryFn::Sin),
        HalfFn::Cos if is_bfloat => Some(LibraryFn::Cos),
        HalfFn::Tanh if !is_bfloat || !has_tanh => Some(LibraryFn::Tanh),
        HalfFn::TanhApprox if !has_tanh => Some(LibraryFn::Tanh),
        HalfFn::Sin
        | HalfFn::Cos
        | HalfFn::Exp
        | HalfFn::Exp2
        | HalfFn::Exp10
        | HalfFn::Log
        | HalfFn::Log2
        | HalfFn::Log10
        | HalfFn::Tanh
        | HalfFn::TanhApprox => None,
    }
}

/// For `half`, the arguments whose results are corrected, and the corrections.
fn corrections(function: HalfFn) -> &'static [(u16, u16)] {
    match function {
        // Arguments and results without their signs.
        HalfFn::Sin => &[(0x32b3, 0x0800), (0x5cb0, 0x9000)],
        HalfFn::Cos => &[(0x2b7c, 0x1000)],
        HalfFn::Exp => &[(0x1f79, 0x9400), (0x25cf, 0x9400), (0xc13b, 0x0400), (0xc1ef, 0x0200)],
        HalfFn::Exp10 => {
            &[(0x34de, 0x9800), (0x9766, 0x9000), (0x9972, 0x1000), (0xa5c4, 0x1000), (0xbf0a, 0x8100)]
        }
        HalfFn::Log => &[(0x160d, 0x9c00), (0x3bfe, 0x8010), (0x3c0b, 0x8080), (0x6051, 0x1c00)],
        // Results instead of arguments.
        HalfFn::Log2 => &[(0xa2e2, 0x8080), (0xbf46, 0x9400)],
        HalfFn::Log10 => &[(0x338f, 0x1000), (0x33f8, 0x9000), (0x57e1, 0x9800), (0x719d, 0x9c00)],
        HalfFn::Exp2 | HalfFn::Tanh | HalfFn::TanhApprox => &[],
    }
}

impl<'ctx> Halves<'_, '_, 'ctx> {
    pub(super) fn half_function(
        &self,
        function: HalfFn,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let value = operands.one()?;
        let is_bfloat = operands.half.lane() == HalfTy::Bfloat;
        if function == HalfFn::TanhApprox && has_tanh(self.cx.options) && (!is_bfloat || operands.sm >= 90) {
            let text = format!("tanh.approx.{} $0, $1;", format_of(operands.half));
            return self.half_asm(&text, value.get_type(), &[value]);
        }
        let floats = self.half_to_float(value)?;
        let of = |float: BasicValueEnum<'ctx>| self.float_function(function, float, operands);
        let result = if operands.half.is_pair() {
            let [low, high] = self.lanes(floats)?;
            self.floats_to_half(of(low)?, of(high)?, operands)?
        } else {
            self.floats_back(of(floats)?, operands)?
        };
        if is_bfloat {
            self.corrected_bfloat(function, value, result, operands)
        } else {
            self.corrected_half(function, value, result, operands)
        }
    }

    /// A function of one number as a `float`.
    fn float_function(
        &self,
        function: HalfFn,
        x: BasicValueEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let half = operands.half.lane();
        let is_bfloat = half == HalfTy::Bfloat;
        // A subnormal half is a normal `float`; a bfloat is not, and must not be flushed.
        let ftz = if is_bfloat { "" } else { ".ftz" };
        let approx = |name: &str, x: BasicValueEnum<'ctx>, ftz: &str| {
            self.half_asm(&format!("{name}.approx{ftz}.f32 $0, $1;"), self.cx.tys.f32.into(), &[x])
        };
        let times = |x: BasicValueEnum<'ctx>, bits: u32| -> Result<BasicValueEnum<'ctx>, Bug> {
            Ok(self.code.builder.build_float_mul(x.into_float_value(), self.float_const(bits), "")?.into())
        };
        if let Some(library) = libdevice_function(function, half, has_tanh(self.cx.options)) {
            let value = self.code.numbers().call_of_single(library, x)?;
            return if is_bfloat && library != LibraryFn::Cos {
                self.kept_if_tiny(x, value)
            } else {
                Ok(value)
            };
        }
        match function {
            HalfFn::Sin => self.trigonometric(x.into_float_value(), false),
            HalfFn::Cos => self.trigonometric(x.into_float_value(), true),
            // The base-2 logarithm of e, for bfloat rounded up.
            HalfFn::Exp => approx("ex2", times(x, if is_bfloat { 0x3fb8_aa3c } else { 0x3fb8_aa3b })?, ftz),
            HalfFn::Exp10 => approx("ex2", times(x, 0x4054_9a78)?, ftz),
            HalfFn::Exp2 if is_bfloat => approx("ex2", x, ftz),
            HalfFn::Exp2 => {
                let power = approx("ex2", x, ftz)?;
                self.fma(power.into_float_value(), self.float_const(0x3380_0000), power.into_float_value())
                    .map(Into::into)
            }
            HalfFn::Log2 => approx("lg2", x, ftz),
            HalfFn::Log => times(approx("lg2", x, ftz)?, 0x3f31_7218),
            HalfFn::Log10 => times(approx("lg2", x, ftz)?, 0x3e9a_209b),
            HalfFn::Tanh | HalfFn::TanhApprox => approx("tanh", x, ""),
        }
    }

    /// The argument, if it is so small that the function would flush it: it is as good as the result.
    fn kept_if_tiny(
        &self,
        x: BasicValueEnum<'ctx>,
        value: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if !self.cx.options.ftz {
            return Ok(value);
        }
        // Compares the bits, in inline PTX: otherwise LLVM would turn this into a floating-point comparison
        // with zero, in bfloat, where small numbers are flushed.
        let (b, i32_ty) = (&self.code.builder, self.cx.tys.i32);
        let bits = self.half_asm("mov.b32 $0, $1;", i32_ty.into(), &[x])?.into_int_value();
        let exponent = b.build_and(bits, i32_ty.const_int(0x7f80_0000, false), "")?;
        let is_tiny = b.build_int_compare(IntPredicate::EQ, exponent, i32_ty.const_zero(), "")?;
        Ok(b.build_select(is_tiny, x, value, "")?)
    }

    /// The sine or cosine: the argument is reduced to an eighth of a turn around zero, for which there is a
    /// polynomial.
    fn trigonometric(&self, x: FloatValue<'ctx>, is_cosine: bool) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (b, i32_ty) = (&self.code.builder, self.cx.tys.i32);
        let float = |value: f32| self.float_const(value.to_bits());
        // 1.5 * 2^23: its last bits become the number of quarter turns.
        let shift = float(12_582_912.0);
        let shifted = self.fma(x, self.float_const(0x3f22_f983), shift)?;
        let bits = self.bit_cast(shifted.into(), i32_ty.into())?.into_int_value();
        let n_quarters = b.build_float_sub(shifted, shift, "")?;
        // A quarter turn as the sum of two parts, the first less than the nearest `float`.
        let rest = self.fma(n_quarters, self.float_const(0xbfc9_0fda), x)?;
        let rest = self.fma(n_quarters, float(-7.549_789_4e-8), rest)?;
        let quarter = if is_cosine {
            let last = b.build_and(bits, i32_ty.const_int(3, false), "")?;
            b.build_int_add(last, i32_ty.const_int(1, false), "")?
        } else {
            bits
        };
        let has_bit = |bit: u64| -> Result<IntValue<'ctx>, Bug> {
            let bit = b.build_and(quarter, i32_ty.const_int(bit, false), "")?;
            Ok(b.build_int_compare(IntPredicate::NE, bit, i32_ty.const_zero(), "")?)
        };
        let is_even = has_bit(1)?;
        let choose = |even: FloatValue<'ctx>, odd: FloatValue<'ctx>| -> Result<FloatValue<'ctx>, Bug> {
            Ok(b.build_select(is_even, even, odd, "")?.into_float_value())
        };
        let square = b.build_float_mul(rest, rest, "")?;
        let mut value = choose(float(2.443_315_7e-5), float(-1.951_529_6e-4))?;
        for (even, odd) in [(-1.388_731_6e-3, 8.332_161e-3), (4.166_664_6e-2, -1.666_665_5e-1), (-0.5, 0.0)] {
            value = self.fma(value, square, choose(float(even), float(odd))?)?;
        }
        let value = self.fma(value, choose(square, rest)?, choose(float(1.0), rest)?)?;
        let negated = b.build_float_neg(value, "")?;
        Ok(b.build_select(has_bit(2)?, negated, value, "")?)
    }

    fn fma(
        &self,
        a: FloatValue<'ctx>,
        b: FloatValue<'ctx>,
        c: FloatValue<'ctx>,
    ) -> Result<FloatValue<'ctx>, Bug> {
        let ty = a.get_type().into();
        Ok(self.code.call_intrinsic("llvm.fma", &[ty], &[a.into(), b.into(), c.into()])?.into_float_value())
    }

    fn float_const(&self, bits: u32) -> FloatValue<'ctx> {
        self.cx.tys.f32.const_float(f64::from(f32::from_bits(bits)))
    }

    /// The bits of each number.
    fn lane_bits(&self, value: BasicValueEnum<'ctx>) -> Result<Vec<IntValue<'ctx>>, Bug> {
        let lanes = if value.is_vector_value() { self.lanes(value)?.to_vec() } else { vec![value] };
        let short = self.cx.llvm.i16_type();
        lanes.into_iter().map(|lane| Ok(self.bit_cast(lane, short.into())?.into_int_value())).collect()
    }

    /// Numbers of these bits.
    fn of_lane_bits(
        &self,
        bits: &[IntValue<'ctx>],
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ty = self.cx.half_ty(operands.half.lane());
        match *bits {
            [low, high] => self.pair([self.bit_cast(low.into(), ty)?, self.bit_cast(high.into(), ty)?]),
            [bits] => self.bit_cast(bits.into(), ty),
            [..] => Err(Bug::from("a pair of other than two numbers")),
        }
    }

    fn corrected_half(
        &self,
        function: HalfFn,
        value: BasicValueEnum<'ctx>,
        result: BasicValueEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let cases = corrections(function);
        if cases.is_empty() {
            return Ok(result);
        }
        let (b, short) = (&self.code.builder, self.cx.llvm.i16_type());
        let number = |bits: u16| short.const_int(bits.into(), false);
        let found = self.lane_bits(if function == HalfFn::Log2 { result } else { value })?;
        let results = self.lane_bits(result)?;
        let mut added = Vec::with_capacity(2);
        for (found, result) in found.into_iter().zip(results) {
            let found = if matches!(function, HalfFn::Sin | HalfFn::Cos) {
                b.build_and(found, number(0x7fff), "")?
            } else {
                found
            };
            let sign = b.build_and(result, number(0x8000), "")?;
            // Adding negative zero preserves every number.
            let mut sum = number(0x8000);
            for &(argument, unit) in cases {
                let is_it = b.build_int_compare(IntPredicate::EQ, found, number(argument), "")?;
                let unit =
                    if function == HalfFn::Sin { b.build_xor(sign, number(unit), "")? } else { number(unit) };
                sum = b.build_select(is_it, unit, sum, "")?.into_int_value();
            }
            added.push(sum);
        }
        let added = self.of_lane_bits(&added, operands)?;
        // As inline PTX, so that small numbers are not flushed with -ftz=true.
        let text = format!("add.rn.{} $0, $1, $2;", format_of(operands.half));
        self.half_asm(&text, result.get_type(), &[result, added])
    }

    fn corrected_bfloat(
        &self,
        function: HalfFn,
        value: BasicValueEnum<'ctx>,
        result: BasicValueEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if function != HalfFn::Exp10 {
            return Ok(result);
        }
        let (b, short) = (&self.code.builder, self.cx.llvm.i16_type());
        let mut bits = Vec::with_capacity(2);
        for (found, result) in self.lane_bits(value)?.into_iter().zip(self.lane_bits(result)?) {
            let is_it = b.build_int_compare(IntPredicate::EQ, found, short.const_int(0xbc95, false), "")?;
            bits.push(b.build_select(is_it, short.const_int(0x3f75, false), result, "")?.into_int_value());
        }
        self.of_lane_bits(&bits, operands)
    }

    /// `a * b + c` of complex numbers; each product is fused with its addend.
    pub(super) fn complex_fma(&self, operands: &Operands<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [a, b, c] = operands.three()?;
        let ([real, imaginary], [b_real, b_imaginary]) = (self.lanes(a)?, self.lanes(b)?);
        let fma = |a: BasicValueEnum<'ctx>, b: BasicValueEnum<'ctx>, c: BasicValueEnum<'ctx>| {
            self.code.call_intrinsic("llvm.fma", &[c.get_type()], &[a.into(), b.into(), c.into()])
        };
        let sum = fma(self.pair([real, real])?, b, c)?;
        let negated = self.code.builder.build_float_neg(imaginary.into_float_value(), "")?.into();
        fma(self.pair([negated, imaginary])?, self.pair([b_imaginary, b_real])?, sum)
    }
}
