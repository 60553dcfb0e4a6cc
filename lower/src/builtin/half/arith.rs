//! Arithmetic and comparisons in half precision.

use inkwell::FloatPredicate;
use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, FloatValue};
use weft_frontend::ir::builtin::half::{FmaMode, HalfArith, HalfUnary, Mode};
use weft_frontend::ir::{CompareOp, HalfTy};

use super::{Operands, format_of};
use crate::Bug;
use crate::builtin::half::Halves;

impl<'ctx> Halves<'_, '_, 'ctx> {
    pub(super) fn half_arith(
        &self,
        arith: HalfArith,
        mode: Mode,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [a, b] = operands.two()?;
        if mode == Mode::Saturated && operands.half.lane() == HalfTy::Half {
            let name = match arith {
                HalfArith::Add => "add",
                HalfArith::Sub => "sub",
                HalfArith::Mul => "mul",
            };
            let text = format!("{name}.sat.{} $0, $1, $2;", format_of(operands.half));
            return self.half_asm(&text, a.get_type(), &[a, b]);
        }
        let value =
            if arith == HalfArith::Mul && !operands.lacks_bfloat() && self.keeps_small_bfloats(operands) {
                // Rounded once; rounding through `float` could round twice.
                let text = format!("fma.rn.{} $0, $1, $2, $3;", format_of(operands.half));
                let minus_zero = self.half_const(0x8000, operands.half)?;
                self.half_asm(&text, a.get_type(), &[a, b, minus_zero])?
            } else if self.keeps_small_bfloats(operands) {
                let name = match arith {
                    HalfArith::Add => "add.rn.f32",
                    HalfArith::Sub => "sub.rn.f32",
                    HalfArith::Mul => "mul.rn.f32",
                };
                let floats = [self.half_to_float(a)?, self.half_to_float(b)?];
                self.floats_back(self.unflushed(name, &floats)?, operands)?
            } else if operands.lacks_bfloat() {
                let value = self.arith(arith, self.half_to_float(a)?, self.half_to_float(b)?)?;
                self.floats_back(value, operands)?
            } else {
                let value = self.arith(arith, a, b)?;
                // If this is already a fused multiply-add, CUDA's is not contracted further.
                let is_fusible = mode == Mode::Fusible && !operands.lacks_full_bfloat();
                if is_fusible { self.code.numbers().contract(value)? } else { value }
            };
        if mode == Mode::Saturated { self.saturate(value, operands) } else { Ok(value) }
    }

    fn arith(
        &self,
        arith: HalfArith,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let builder = &self.code.builder;
        Ok(match (a, b) {
            (BasicValueEnum::VectorValue(a), BasicValueEnum::VectorValue(b)) => match arith {
                HalfArith::Add => builder.build_float_add(a, b, "")?.into(),
                HalfArith::Sub => builder.build_float_sub(a, b, "")?.into(),
                HalfArith::Mul => builder.build_float_mul(a, b, "")?.into(),
            },
            _ => {
                let (a, b) = (a.into_float_value(), b.into_float_value());
                match arith {
                    HalfArith::Add => builder.build_float_add(a, b, "")?.into(),
                    HalfArith::Sub => builder.build_float_sub(a, b, "")?.into(),
                    HalfArith::Mul => builder.build_float_mul(a, b, "")?.into(),
                }
            }
        })
    }

    /// Clamps to [0, 1]; NaN becomes 0.
    fn saturate(
        &self,
        value: BasicValueEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (zero, one) =
            (self.half_const(0, operands.half)?, self.half_const(one(operands.half), operands.half)?);
        let positive = self.half_max("max", false, value, zero, operands)?;
        self.half_max("min", false, positive, one, operands)
    }

    pub(super) fn half_fma(
        &self,
        mode: FmaMode,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [a, b, c] = operands.three()?;
        let (ty, format) = (a.get_type(), format_of(operands.half));
        let modifier = match mode {
            FmaMode::Saturated if operands.half.lane() == HalfTy::Half => Some("sat"),
            FmaMode::Relu if operands.sm >= 80 => Some("relu"),
            FmaMode::Plain | FmaMode::Saturated | FmaMode::Relu => None,
        };
        if let Some(modifier) = modifier {
            return self.half_asm(&format!("fma.rn.{modifier}.{format} $0, $1, $2, $3;"), ty, &[a, b, c]);
        }
        let value = self.code.call_intrinsic("llvm.fma", &[ty], &[a.into(), b.into(), c.into()])?;
        match mode {
            FmaMode::Plain => Ok(value),
            FmaMode::Saturated => self.saturate(value, operands),
            FmaMode::Relu => {
                let zero = self.half_const(0, operands.half)?;
                self.half_max("max", true, value, zero, operands)
            }
        }
    }

    pub(super) fn half_unary(
        &self,
        unary: HalfUnary,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let value = operands.one()?;
        let by_float = match unary {
            HalfUnary::Sqrt => return self.half_approx("sqrt", operands),
            HalfUnary::Rsqrt => return self.half_approx("rsqrt", operands),
            HalfUnary::Rcp => return self.half_approx("rcp", operands),
            HalfUnary::Neg | HalfUnary::Abs => operands.lacks_bfloat(),
            HalfUnary::Floor | HalfUnary::Ceil | HalfUnary::Trunc | HalfUnary::Rint => {
                operands.lacks_full_bfloat()
            }
        };
        if unary == HalfUnary::Abs && operands.half.lane() == HalfTy::Half && operands.sm < 80 {
            // The PTX versions of these GPUs may lack `abs.f16`; LLVM's replacement gives another NaN.
            return self.without_sign(value);
        }
        if by_float {
            let floats = self.half_to_float(value)?;
            let unflushed = match unary {
                HalfUnary::Abs => Some("abs.f32"),
                HalfUnary::Floor => Some("cvt.rmi.f32.f32"),
                HalfUnary::Ceil => Some("cvt.rpi.f32.f32"),
                HalfUnary::Neg
                | HalfUnary::Trunc
                | HalfUnary::Rint
                | HalfUnary::Sqrt
                | HalfUnary::Rsqrt
                | HalfUnary::Rcp => None,
            };
            if let Some(instruction) = unflushed.filter(|_| self.keeps_small_bfloats(operands)) {
                return self.floats_back(self.unflushed(instruction, &[floats])?, operands);
            }
            return self.floats_back(self.unary(unary, floats)?, operands);
        }
        self.unary(unary, value)
    }

    /// The numbers with their signs cleared.
    fn without_sign(&self, value: BasicValueEnum<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (b, i16_ty, i32_ty) = (&self.code.builder, self.cx.llvm.i16_type(), self.cx.tys.i32);
        let (ty, mask) = if value.is_vector_value() { (i32_ty, 0x7fff_7fff) } else { (i16_ty, 0x7fff) };
        let bits = self.bit_cast(value, ty.into())?.into_int_value();
        let bits = b.build_and(bits, ty.const_int(mask, false), "")?;
        self.bit_cast(bits.into(), value.get_type())
    }

    /// An approximate `float` instruction, which is precise enough for half precision.
    fn half_approx(&self, name: &str, operands: &Operands<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        // A subnormal half is a normal `float`.
        let ftz = if operands.half.lane() == HalfTy::Half { ".ftz" } else { "" };
        let text = format!("{name}.approx{ftz}.f32 $0, $1;");
        let approx = |float: BasicValueEnum<'ctx>| self.half_asm(&text, self.cx.tys.f32.into(), &[float]);
        let floats = self.half_to_float(operands.one()?)?;
        if !operands.half.is_pair() {
            return self.floats_back(approx(floats)?, operands);
        }
        let [low, high] = self.lanes(floats)?;
        self.floats_to_half(approx(low)?, approx(high)?, operands)
    }

    fn unary(&self, unary: HalfUnary, value: BasicValueEnum<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        let name = match unary {
            HalfUnary::Neg => {
                return Ok(match value {
                    BasicValueEnum::VectorValue(pair) => self.code.builder.build_float_neg(pair, "")?.into(),
                    _ => self.code.builder.build_float_neg(value.into_float_value(), "")?.into(),
                });
            }
            HalfUnary::Abs => "llvm.fabs",
            HalfUnary::Floor => "llvm.floor",
            HalfUnary::Ceil => "llvm.ceil",
            HalfUnary::Trunc => "llvm.trunc",
            HalfUnary::Rint => "llvm.rint",
            HalfUnary::Sqrt | HalfUnary::Rsqrt | HalfUnary::Rcp => {
                return Err(Bug::from("an approximation in half precision"));
            }
        };
        self.code.call_intrinsic(name, &[value.get_type()], &[value.into()])
    }

    /// The maximum or minimum; with `nan`, it is NaN if one of the two is.
    pub(super) fn half_max(
        &self,
        name: &str,
        nan: bool,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if nan && operands.sm >= 80 {
            let intrinsic = if name == "max" { "llvm.maximum" } else { "llvm.minimum" };
            return self.code.call_intrinsic(intrinsic, &[a.get_type()], &[a.into(), b.into()]);
        }
        let intrinsic = if name == "max" { "llvm.maxnum" } else { "llvm.minnum" };
        let value = if operands.lacks_bfloat() && self.keeps_small_bfloats(operands) {
            let floats = [self.half_to_float(a)?, self.half_to_float(b)?];
            self.floats_back(self.unflushed(&format!("{name}.f32"), &floats)?, operands)?
        } else if operands.lacks_bfloat() {
            let (a, b) = (self.half_to_float(a)?, self.half_to_float(b)?);
            let floats = self.code.call_intrinsic(intrinsic, &[a.get_type()], &[a.into(), b.into()])?;
            self.floats_back(floats, operands)?
        } else {
            self.code.call_intrinsic(intrinsic, &[a.get_type()], &[a.into(), b.into()])?
        };
        if !nan {
            return Ok(value);
        }
        let is_nan = self.predicate(FloatPredicate::UNO, a, b)?;
        let not_a_number = self.half_const(0x7fff, operands.half)?;
        self.choose(is_nan, not_a_number, value)
    }

    /// An instruction on `float`s, or on pairs, that never flushes subnormals: with -ftz=true LLVM's
    /// operations would, but CUDA's headers use PTX that does not.
    fn unflushed(
        &self,
        instruction: &str,
        floats: &[BasicValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let places: String = (1..=floats.len()).map(|at| format!(", ${at}")).collect();
        let text = format!("{instruction} $0{places};");
        let f32_ty = self.cx.tys.f32.into();
        if !floats.iter().any(|value| value.is_vector_value()) {
            return self.half_asm(&text, f32_ty, floats);
        }
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for &pair in floats {
            let [first, second] = self.lanes(pair)?;
            low.push(first);
            high.push(second);
        }
        self.pair([self.half_asm(&text, f32_ty, &low)?, self.half_asm(&text, f32_ty, &high)?])
    }

    /// Whether bfloat operations must take care to keep small numbers, because the GPU lacks part of bfloat.
    fn keeps_small_bfloats(&self, operands: &Operands<'ctx>) -> bool {
        operands.lacks_full_bfloat() && self.cx.options.ftz
    }

    /// A quotient, rounded to nearest. Multiplying by the reciprocal is precise enough, except for small
    /// quotients and divisors with a subnormal reciprocal.
    pub(super) fn half_div(&self, operands: &Operands<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [a, b] = operands.two()?;
        if !operands.half.is_pair() {
            return self.div_lane(a, b, operands);
        }
        let ([a0, a1], [b0, b1]) = (self.lanes(a)?, self.lanes(b)?);
        self.pair([self.div_lane(a0, b0, operands)?, self.div_lane(a1, b1, operands)?])
    }

    fn div_lane(
        &self,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let lane = Operands { values: Vec::new(), half: operands.half.lane(), sm: operands.sm };
        let (a, b) = (self.half_to_float(a)?, self.half_to_float(b)?);
        match lane.half {
            HalfTy::Bfloat | HalfTy::Bfloat2 => self.div_bfloat(a, b, &lane),
            HalfTy::Half | HalfTy::Half2 => self.div_half(a, b),
        }
    }

    fn div_half(
        &self,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let builder = &self.code.builder;
        let half_ty = self.cx.llvm.f16_type();
        let reciprocal = self.code.call_intrinsic("llvm.nvvm.rcp.approx.ftz.f", &[], &[b.into()])?;
        let quotient = builder.build_float_mul(reciprocal.into_float_value(), a.into_float_value(), "")?;
        let rounded = builder.build_float_trunc(quotient, half_ty, "")?;
        // Below this, the quotient has too few bits for the error bound.
        let size =
            self.code.call_intrinsic("llvm.fabs", &[half_ty.into()], &[rounded.into()])?.into_float_value();
        let bound = self.half_const(0x008f, HalfTy::Half)?.into_float_value();
        let is_small = builder.build_float_compare(FloatPredicate::OLT, size, bound, "")?;
        let is_there = builder.build_float_compare(FloatPredicate::OGT, size, half_ty.const_zero(), "")?;
        let needs_step = builder.build_and(is_small, is_there, "")?;
        let minus_b = builder.build_float_neg(b.into_float_value(), "")?;
        let f32_ty = self.cx.tys.f32.into();
        let fma = |a: BasicValueEnum<'ctx>, b: BasicValueEnum<'ctx>, c: BasicValueEnum<'ctx>| {
            self.code.call_intrinsic("llvm.fma", &[f32_ty], &[a.into(), b.into(), c.into()])
        };
        let error = fma(minus_b.into(), quotient.into(), a)?;
        let better = fma(reciprocal, error, quotient.into())?.into_float_value();
        let better = builder.build_float_trunc(better, half_ty, "")?;
        Ok(builder.build_select(needs_step, better, rounded, "")?)
    }

    fn div_bfloat(
        &self,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
        lane: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let builder = &self.code.builder;
        let (f32_ty, b) = (self.cx.tys.f32, b.into_float_value());
        // 2^126: above that, the approximate reciprocal would be subnormal.
        let bound = f32_ty.const_float(2.0_f64.powi(126));
        let size = self.code.call_intrinsic("llvm.fabs", &[f32_ty.into()], &[b.into()])?.into_float_value();
        let is_big = builder.build_float_compare(FloatPredicate::OGE, size, bound, "")?;
        let quarter = f32_ty.const_float(0.25);
        // As inline PTX, so that a small quotient is not flushed with -ftz=true.
        let fourth = |value: FloatValue<'ctx>| self.unflushed("mul.rn.f32", &[value.into(), quarter.into()]);
        let divisor = builder.build_select(is_big, fourth(b)?, b.into(), "")?;
        let quotient = self.half_asm("div.approx.f32 $0, $1, $2;", f32_ty.into(), &[a, divisor])?;
        let quotient = quotient.into_float_value();
        let quotient = builder.build_select(is_big, fourth(quotient)?, quotient.into(), "")?;
        self.floats_back(quotient, lane)
    }

    /// Whether the comparison is true for all numbers.
    pub(super) fn half_compare(
        &self,
        op: CompareOp,
        unordered: bool,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [a, b] = operands.two()?;
        if !operands.half.is_pair() {
            return self.compare_lanes(op, unordered, a, b, operands);
        }
        let mask = self.compare_mask(op, unordered, operands)?.into_int_value();
        let all = self.cx.tys.i32.const_all_ones();
        Ok(self.code.builder.build_int_compare(IntPredicate::EQ, mask, all, "")?.into())
    }

    /// A mask with all bits set for each number whose comparison is true.
    pub(super) fn compare_mask(
        &self,
        op: CompareOp,
        unordered: bool,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ([a, b], i32_ty) = (operands.two()?, self.cx.tys.i32);
        // It needs PTX 6.5, which is not the minimum version for GPUs before sm_80.
        if operands.sm >= 80 && !operands.lacks_full_bfloat() {
            return self.half_set(op, unordered, "u32", i32_ty.into(), operands);
        }
        let holds = self.compare_lanes(op, unordered, a, b, operands)?.into_vector_value();
        let mask = self.code.builder.build_int_s_extend(holds, self.cx.llvm.i16_type().vec_type(2), "")?;
        self.bit_cast(mask.into(), i32_ty.into())
    }

    /// For each number 1 if the comparison is true, else 0.
    pub(super) fn compare_to_numbers(
        &self,
        op: CompareOp,
        unordered: bool,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [a, b] = operands.two()?;
        if !operands.lacks_full_bfloat() {
            return self.half_set(op, unordered, format_of(operands.half), a.get_type(), operands);
        }
        let holds = self.compare_lanes(op, unordered, a, b, operands)?;
        self.one_or_zero(holds, operands)
    }

    // PTX ISA "set"
    fn half_set(
        &self,
        op: CompareOp,
        unordered: bool,
        to: &str,
        ty: BasicTypeEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let name = comparison(op, unordered);
        let text = format!("set.{name}.{to}.{} $0, $1, $2;", format_of(operands.half));
        self.half_asm(&text, ty, &operands.two()?)
    }

    /// A bit for each number, by comparing `float`s without flushing; see [`Halves::unflushed`].
    fn unflushed_compare(
        &self,
        name: &str,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let i32_ty = self.cx.tys.i32;
        let text = format!("set.{name}.u32.f32 $0, $1, $2;");
        let of = |a, b| -> Result<BasicValueEnum<'ctx>, Bug> {
            let mask = self.half_asm(&text, i32_ty.into(), &[a, b])?.into_int_value();
            Ok(self.code.builder.build_int_compare(IntPredicate::NE, mask, i32_ty.const_zero(), "")?.into())
        };
        let (a, b) = (self.half_to_float(a)?, self.half_to_float(b)?);
        if !a.is_vector_value() {
            return of(a, b);
        }
        let ([a0, a1], [b0, b1]) = (self.lanes(a)?, self.lanes(b)?);
        self.pair([of(a0, b0)?, of(a1, b1)?])
    }

    /// A bit for each number.
    fn compare_lanes(
        &self,
        op: CompareOp,
        unordered: bool,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        if self.keeps_small_bfloats(operands) {
            return self.unflushed_compare(&comparison(op, unordered), a, b);
        }
        let predicate = match (op, unordered) {
            (CompareOp::Eq, false) => FloatPredicate::OEQ,
            (CompareOp::Eq, true) => FloatPredicate::UEQ,
            (CompareOp::Ne, false) => FloatPredicate::ONE,
            (CompareOp::Ne, true) => FloatPredicate::UNE,
            (CompareOp::Lt, false) => FloatPredicate::OLT,
            (CompareOp::Lt, true) => FloatPredicate::ULT,
            (CompareOp::Le, false) => FloatPredicate::OLE,
            (CompareOp::Le, true) => FloatPredicate::ULE,
            (CompareOp::Gt, false) => FloatPredicate::OGT,
            (CompareOp::Gt, true) => FloatPredicate::UGT,
            (CompareOp::Ge, false) => FloatPredicate::OGE,
            (CompareOp::Ge, true) => FloatPredicate::UGE,
        };
        self.predicate(predicate, a, b)
    }

    fn predicate(
        &self,
        predicate: FloatPredicate,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        Ok(match (a, b) {
            (BasicValueEnum::VectorValue(a), BasicValueEnum::VectorValue(b)) => {
                self.code.builder.build_float_compare(predicate, a, b, "")?.into()
            }
            _ => {
                let (a, b) = (a.into_float_value(), b.into_float_value());
                self.code.builder.build_float_compare(predicate, a, b, "")?.into()
            }
        })
    }

    /// For each number the first value if its bit is set, else the second.
    fn choose(
        &self,
        bits: BasicValueEnum<'ctx>,
        first: BasicValueEnum<'ctx>,
        second: BasicValueEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        Ok(match bits {
            BasicValueEnum::VectorValue(bits) => self.code.builder.build_select(bits, first, second, "")?,
            _ => self.code.builder.build_select(bits.into_int_value(), first, second, "")?,
        })
    }

    pub(super) fn one_or_zero(
        &self,
        bits: BasicValueEnum<'ctx>,
        operands: &Operands<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let half = operands.half;
        self.choose(bits, self.half_const(one(half), half)?, self.half_const(0, half)?)
    }

    pub(super) fn is_nan(&self, value: BasicValueEnum<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        self.predicate(FloatPredicate::UNO, value, value)
    }

    /// The sign of an infinity, or 0.
    pub(super) fn is_inf(&self, operands: &Operands<'ctx>) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (builder, i32_ty) = (&self.code.builder, self.cx.tys.i32);
        let short = self.cx.llvm.i16_type();
        let infinity = match operands.half.lane() {
            HalfTy::Half | HalfTy::Half2 => 0x7c00,
            HalfTy::Bfloat | HalfTy::Bfloat2 => 0x7f80,
        };
        let bits = self.bit_cast(operands.one()?, short.into())?.into_int_value();
        let is = |pattern: u64| {
            builder.build_int_compare(IntPredicate::EQ, bits, short.const_int(pattern, false), "")
        };
        let positive = builder.build_int_z_extend(is(infinity)?, i32_ty, "")?;
        let negative = builder.build_int_s_extend(is(infinity | 0x8000)?, i32_ty, "")?;
        Ok(builder.build_or(positive, negative, "")?.into())
    }
}

/// The bits of 1.
fn one(half: HalfTy) -> u64 {
    match half.lane() {
        HalfTy::Half | HalfTy::Half2 => 0x3c00,
        HalfTy::Bfloat | HalfTy::Bfloat2 => 0x3f80,
    }
}

/// PTX's name of a comparison (PTX ISA "Floating Point Comparisons").
fn comparison(op: CompareOp, unordered: bool) -> String {
    let name = match op {
        CompareOp::Eq => "eq",
        CompareOp::Ne => "ne",
        CompareOp::Lt => "lt",
        CompareOp::Le => "le",
        CompareOp::Gt => "gt",
        CompareOp::Ge => "ge",
    };
    format!("{name}{}", if unordered { "u" } else { "" })
}
