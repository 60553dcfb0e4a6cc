//! Half precision.
//!
//! Operations work on LLVM's `half` and `bfloat` instead of records, alone or two in a vector. Where
//! LLVM emits CUDA's instruction, we use LLVM; where the instruction has a modifier that LLVM cannot
//! express, we emit inline PTX. Operations that the GPU lacks are emulated like in CUDA's headers:
//!
//! - before sm_80, bfloat arithmetic is done in float and rounded by integer arithmetic;
//! - before sm_90, a bfloat can only be rounded from a float, and no comparison or conversion to an integer
//!   accepts one.
//!
//! - [`arith`]: arithmetic and comparisons
//! - [`atomic`]: atomic sums
//! - [`convert`]: conversions between formats, and to and from integers
//! - [`function`]: mathematical functions

mod arith;
mod atomic;
mod convert;
mod function;

pub(crate) use function::libdevice_function;

use inkwell::types::{BasicType, BasicTypeEnum, FloatType};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, VectorValue};
use weft_frontend::ir::builtin::Rounding;
use weft_frontend::ir::builtin::half::Choice;
use weft_frontend::ir::{Expr, ExprNode, HalfOp, HalfTy, Ty};

use crate::Bug;
use crate::builtin::Builtins;
use crate::code::Code;
use crate::context::Cx;

/// The operands in their LLVM types, and their half-precision type.
struct Operands<'ctx> {
    values: Vec<BasicValueEnum<'ctx>>,
    half: HalfTy,
    /// The GPU's number: 90 of sm_90.
    sm: u32,
}

impl<'ctx> Operands<'ctx> {
    fn one(&self) -> Result<BasicValueEnum<'ctx>, Bug> {
        self.values.first().copied().ok_or_else(|| Bug::from("a built-in function with other arguments"))
    }

    fn two(&self) -> Result<[BasicValueEnum<'ctx>; 2], Bug> {
        match self.values[..] {
            [a, b] => Ok([a, b]),
            [..] => Err(Bug::from("a built-in function with other arguments")),
        }
    }

    fn three(&self) -> Result<[BasicValueEnum<'ctx>; 3], Bug> {
        match self.values[..] {
            [a, b, c] => Ok([a, b, c]),
            [..] => Err(Bug::from("a built-in function with other arguments")),
        }
    }

    /// Whether the type is bfloat, and the GPU lacks arithmetic for it.
    fn lacks_bfloat(&self) -> bool {
        self.half.lane() == HalfTy::Bfloat && self.sm < 80
    }

    /// Whether the type is bfloat, and the GPU only has fused multiplication and minimum for it.
    fn lacks_full_bfloat(&self) -> bool {
        self.half.lane() == HalfTy::Bfloat && self.sm < 90
    }
}

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_half(
        &mut self,
        op: HalfOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.exprs.lower_number(arg)?);
        }
        self.exprs.debug.locate(node.span);
        let types = &self.cx.ir.types;
        let tys = args.iter().map(|&arg| self.exprs.body.exprs[arg].ty);
        let half = std::iter::once(node.ty).chain(tys).find_map(|ty| types.half_ty(ty));
        let half = half.ok_or("an operation on half-precision numbers without any")?;
        let operands = Operands { values, half, sm: self.cx.options.target.number() };
        let is_signed = args.first().is_some_and(|&arg| self.cx.is_signed(self.exprs.body.exprs[arg].ty));
        self.code.halves().operation(op, &operands, is_signed, node.ty)
    }
}

/// Operations on half-precision numbers; it changes nothing but the code.
#[derive(Clone, Copy)]
pub(crate) struct Halves<'f, 'a, 'ctx> {
    cx: &'f Cx<'a, 'ctx>,
    code: &'f Code<'f, 'a, 'ctx>,
}

impl<'a, 'ctx> Code<'_, 'a, 'ctx> {
    /// Operations on half-precision numbers.
    pub(super) fn halves(&self) -> Halves<'_, 'a, 'ctx> {
        Halves { cx: self.cx, code: self }
    }
}

impl<'ctx> Halves<'_, '_, 'ctx> {
    /// The operation, of the result's type; `is_signed` says so of an integer operand.
    fn operation(
        &self,
        op: HalfOp,
        operands: &Operands<'ctx>,
        is_signed: bool,
        ty: Ty,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        match op {
            HalfOp::FromFloat(rounding) => self.float_to_half(operands.one()?, rounding, operands),
            HalfOp::FromDouble => self.double_to_half(operands),
            HalfOp::ToFloat => self.half_to_float(operands.one()?),
            HalfOp::FromInt(rounding) => self.int_to_half(rounding, is_signed, operands),
            HalfOp::ToInt(rounding) => self.half_to_int(rounding, ty, operands),
            HalfOp::FromBits => self.bit_cast(operands.one()?, self.cx.half_ty(operands.half)),
            HalfOp::ToBits => self.bit_cast(operands.one()?, self.cx.scalar_ty(ty)),
            HalfOp::FromFloats => {
                let [low, high] = operands.two()?;
                self.floats_to_half(low, high, operands)
            }
            HalfOp::FromFloatTwice => self.floats_to_half(operands.one()?, operands.one()?, operands),
            HalfOp::FromFloat2 => {
                let [low, high] = self.lanes(operands.one()?)?;
                self.floats_to_half(low, high, operands)
            }
            HalfOp::ToFloat2 => self.half_to_float(operands.one()?),
            HalfOp::LaneToFloat { high } => {
                let lane = self.lanes(operands.one()?)?[usize::from(high)];
                self.half_to_float(lane)
            }
            HalfOp::Low => Ok(self.lanes(operands.one()?)?[0]),
            HalfOp::High => Ok(self.lanes(operands.one()?)?[1]),
            HalfOp::Pair => operands.two().and_then(|lanes| self.pair(lanes)),
            HalfOp::Both => self.pair([operands.one()?; 2]),
            HalfOp::Select(choice) => {
                let [low, high] = self.lanes(operands.one()?)?;
                self.pair(match choice {
                    Choice::Low => [low, low],
                    Choice::High => [high, high],
                    Choice::Swap => [high, low],
                })
            }
            HalfOp::Merge { high } => {
                let [first, second] = operands.two()?;
                let lane = usize::from(high);
                self.code.halves().pair([self.lanes(first)?[lane], self.lanes(second)?[lane]])
            }
            HalfOp::Arith(arith, mode) => self.half_arith(arith, mode, operands),
            HalfOp::Div => self.half_div(operands),
            HalfOp::Fma(mode) => self.half_fma(mode, operands),
            HalfOp::Unary(unary) => self.half_unary(unary, operands),
            HalfOp::Function(function) => self.half_function(function, operands),
            HalfOp::ComplexFma => self.complex_fma(operands),
            HalfOp::Max { nan } => {
                operands.two().and_then(|[a, b]| self.half_max("max", nan, a, b, operands))
            }
            HalfOp::Min { nan } => {
                operands.two().and_then(|[a, b]| self.half_max("min", nan, a, b, operands))
            }
            HalfOp::Compare { op, unordered } => self.half_compare(op, unordered, operands),
            HalfOp::CompareLanes { op, unordered } => self.compare_to_numbers(op, unordered, operands),
            HalfOp::CompareMask { op, unordered } => self.compare_mask(op, unordered, operands),
            HalfOp::IsNan => self.is_nan(operands.one()?),
            HalfOp::IsNanLanes => {
                let holds = self.is_nan(operands.one()?)?;
                self.one_or_zero(holds, operands)
            }
            HalfOp::IsInf => self.is_inf(operands),
        }
    }

    /// The two elements of a vector.
    fn lanes(&self, pair: BasicValueEnum<'ctx>) -> Result<[BasicValueEnum<'ctx>; 2], Bug> {
        let lane = |idx| {
            let idx = self.cx.tys.i32.const_int(idx, false);
            self.code.builder.build_extract_element(pair.into_vector_value(), idx, "")
        };
        Ok([lane(0)?, lane(1)?])
    }

    /// A vector of two elements.
    fn pair(&self, lanes: [BasicValueEnum<'ctx>; 2]) -> Result<BasicValueEnum<'ctx>, Bug> {
        let ty = vector_of(lanes[0].get_type())?;
        let mut pair: VectorValue<'ctx> = ty.into_vector_type().get_poison();
        for (idx, lane) in (0..).zip(lanes) {
            let idx = self.cx.tys.i32.const_int(idx, false);
            pair = self.code.builder.build_insert_element(pair, lane, idx, "")?;
        }
        Ok(pair.into())
    }

    fn bit_cast(
        &self,
        value: BasicValueEnum<'ctx>,
        to: BasicTypeEnum<'ctx>,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        Ok(self.code.builder.build_bit_cast(value, to, "")?)
    }

    /// Inline PTX without effects. Half-precision numbers are passed as integers.
    fn half_asm(
        &self,
        text: &str,
        ret: BasicTypeEnum<'ctx>,
        args: &[BasicValueEnum<'ctx>],
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let (raw_ret, ret_letter) = self.cx.register_ty(ret)?;
        let mut constraints = format!("={ret_letter}");
        let (mut params, mut values) = (Vec::new(), Vec::new());
        for &arg in args {
            let (raw, letter) = self.cx.register_ty(arg.get_type())?;
            constraints.push(',');
            constraints.push(letter);
            params.push(raw.into());
            values.push(BasicMetadataValueEnum::from(self.bit_cast(arg, raw)?));
        }
        let ty = raw_ret.fn_type(&params, false);
        let asm = self.cx.llvm.create_inline_asm(ty, text.into(), constraints, false, false, None, false);
        let call = self.code.builder.build_indirect_call(ty, asm, &values, "")?;
        let value = call.try_as_basic_value().basic().ok_or("inline PTX without a result")?;
        self.bit_cast(value, ret)
    }
}

impl<'ctx> Cx<'_, 'ctx> {
    /// The LLVM representation of a half-precision type.
    pub(crate) fn half_ty(&self, half: HalfTy) -> BasicTypeEnum<'ctx> {
        let lane = self.lane_ty(half);
        if half.is_pair() { lane.vec_type(2).into() } else { lane.into() }
    }

    fn lane_ty(&self, half: HalfTy) -> FloatType<'ctx> {
        match half.lane() {
            HalfTy::Half | HalfTy::Half2 => self.llvm.f16_type(),
            HalfTy::Bfloat | HalfTy::Bfloat2 => self.llvm.bf16_type(),
        }
    }

    /// The register type for a value in inline PTX, and its constraint letter.
    fn register_ty(&self, ty: BasicTypeEnum<'ctx>) -> Result<(BasicTypeEnum<'ctx>, char), Bug> {
        Ok(match ty {
            BasicTypeEnum::VectorType(_) => (self.tys.i32.into(), 'r'),
            BasicTypeEnum::FloatType(float) if float == self.tys.f32 => (ty, 'f'),
            BasicTypeEnum::FloatType(float) if float == self.tys.f64 => (ty, 'd'),
            BasicTypeEnum::FloatType(_) => (self.llvm.i16_type().into(), 'h'),
            BasicTypeEnum::IntType(int) if int.get_bit_width() == 16 => (ty, 'h'),
            BasicTypeEnum::IntType(int) if int.get_bit_width() == 32 => (ty, 'r'),
            BasicTypeEnum::IntType(int) if int.get_bit_width() == 64 => (ty, 'l'),
            BasicTypeEnum::ArrayType(_)
            | BasicTypeEnum::IntType(_)
            | BasicTypeEnum::PointerType(_)
            | BasicTypeEnum::StructType(_)
            | BasicTypeEnum::ScalableVectorType(_) => {
                return Err(Bug::from("inline PTX with a type that fits no register"));
            }
        })
    }
}

/// A vector of two elements.
fn vector_of(ty: BasicTypeEnum<'_>) -> Result<BasicTypeEnum<'_>, Bug> {
    match ty {
        BasicTypeEnum::FloatType(float) => Ok(float.vec_type(2).into()),
        BasicTypeEnum::IntType(int) => Ok(int.vec_type(2).into()),
        BasicTypeEnum::ArrayType(_)
        | BasicTypeEnum::PointerType(_)
        | BasicTypeEnum::StructType(_)
        | BasicTypeEnum::VectorType(_)
        | BasicTypeEnum::ScalableVectorType(_) => Err(Bug::from("a pair with a missing element")),
    }
}

/// The PTX modifier of a conversion between floating formats, or from an integer.
fn float_rounding(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Nearest => "rn",
        Rounding::Zero => "rz",
        Rounding::Down => "rm",
        Rounding::Up => "rp",
    }
}

/// The PTX spelling of the format.
fn format_of(half: HalfTy) -> &'static str {
    match half {
        HalfTy::Half => "f16",
        HalfTy::Half2 => "f16x2",
        HalfTy::Bfloat => "bf16",
        HalfTy::Bfloat2 => "bf16x2",
    }
}
