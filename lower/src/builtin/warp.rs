//! Warp collectives: shuffles, votes, matches and reductions.

use inkwell::IntPredicate;
use inkwell::values::BasicValueEnum;
use weft_frontend::ir::{Expr, ExprNode, WarpOp};

use crate::Bug;
use crate::builtin::Builtins;

/// The number of lanes per warp.
const WARP_SIZE: u64 = 32;

/// The lane bound of shuffles that read from higher lanes.
const LAST_LANE: u64 = 0x1f;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_warp(
        &mut self,
        op: WarpOp,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        match op {
            WarpOp::ShflIdx => self.lower_shuffle("idx", args, node),
            WarpOp::ShflUp => self.lower_shuffle("up", args, node),
            WarpOp::ShflDown => self.lower_shuffle("down", args, node),
            WarpOp::ShflXor => self.lower_shuffle("bfly", args, node),
            WarpOp::All => self.lower_vote("all", args, node),
            WarpOp::Any => self.lower_vote("any", args, node),
            WarpOp::Uniform => self.lower_vote("uni", args, node),
            WarpOp::Ballot => self.lower_vote("ballot", args, node),
            WarpOp::ActiveMask => {
                self.exprs.debug.locate(node.span);
                self.code.call_intrinsic("llvm.nvvm.activemask", &[], &[])
            }
            WarpOp::MatchAny | WarpOp::MatchAll => self.lower_match(args, node),
            WarpOp::ReduceAdd => self.lower_reduction("add", args, node),
            WarpOp::ReduceMin if self.cx.is_signed(node.ty) => self.lower_reduction("min", args, node),
            WarpOp::ReduceMin => self.lower_reduction("umin", args, node),
            WarpOp::ReduceMax if self.cx.is_signed(node.ty) => self.lower_reduction("max", args, node),
            WarpOp::ReduceMax => self.lower_reduction("umax", args, node),
            WarpOp::ReduceAnd => self.lower_reduction("and", args, node),
            WarpOp::ReduceOr => self.lower_reduction("or", args, node),
            WarpOp::ReduceXor => self.lower_reduction("xor", args, node),
        }
    }

    /// A vote (PTX ISA "vote.sync").
    fn lower_vote(
        &mut self,
        mode: &str,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [mask, value] = self.lower_ints::<2>(args)?;
        self.exprs.debug.locate(node.span);
        let zero = value.get_type().const_zero();
        let holds = self.code.builder.build_int_compare(IntPredicate::NE, value, zero, "")?;
        let name = format!("llvm.nvvm.vote.{mode}.sync");
        let answer = self.code.call_intrinsic(&name, &[], &[mask.into(), holds.into()])?.into_int_value();
        self.truth(answer, node)
    }

    /// The lanes that have the same bits (PTX ISA "match.sync"); given an address, also stores whether all
    /// have the same there.
    fn lower_match(&mut self, args: &[Expr], node: &ExprNode) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[mask, value, ref address @ ..] = args else {
            return Err(Bug::from("a match with other arguments"));
        };
        let (mask, value) = (self.exprs.lower_scalar(mask)?, self.exprs.lower_scalar(value)?);
        let address = address.first().map(|&address| self.exprs.lower_pointer(address)).transpose()?;
        self.exprs.debug.locate(node.span);
        let bits = match value {
            BasicValueEnum::FloatValue(value) if value.get_type() == self.cx.tys.f64 => self.cx.tys.i64,
            BasicValueEnum::FloatValue(_) => self.cx.tys.i32,
            value => value.into_int_value().get_type(),
        };
        let value = self.code.builder.build_bit_cast(value, bits, "")?;
        let width = bits.get_bit_width();
        let args = [mask.into(), value.into()];
        let Some(address) = address else {
            return self.code.call_intrinsic(&format!("llvm.nvvm.match.any.sync.i{width}"), &[], &args);
        };
        let both = self.code.call_intrinsic(&format!("llvm.nvvm.match.all.sync.i{width}p"), &[], &args)?;
        let both = both.into_struct_value();
        let lanes = self.code.builder.build_extract_value(both, 0, "")?;
        let is_all = self.code.builder.build_extract_value(both, 1, "")?.into_int_value();
        let is_all = self.code.builder.build_int_z_extend(is_all, self.cx.tys.i32, "")?;
        self.code.builder.build_store(address, is_all)?;
        Ok(lanes)
    }

    /// A reduction over all lanes (PTX ISA "redux.sync").
    fn lower_reduction(
        &mut self,
        op: &str,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let [mask, value] = self.lower_ints::<2>(args)?;
        self.exprs.debug.locate(node.span);
        self.code.call_intrinsic(&format!("llvm.nvvm.redux.sync.{op}"), &[], &[value.into(), mask.into()])
    }

    /// A shuffle, like in CUDA's header `sm_30_intrinsics.hpp`: the last operand of `shfl.sync` holds the
    /// segment mask and the clamp (PTX ISA "shfl.sync"); 64 bits take two, and 16 bits one.
    fn lower_shuffle(
        &mut self,
        mode: &str,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let &[mask, value, lane, width] = args else {
            return Err(Bug::from("a shuffle with other arguments"));
        };
        let mask = self.exprs.lower_scalar(mask)?;
        let value = self.exprs.lower_number(value)?;
        let (lane, width) = (self.exprs.lower_scalar(lane)?, self.exprs.lower_scalar(width)?);
        self.exprs.debug.locate(node.span);
        let (i32, i64) = (self.cx.tys.i32, self.cx.tys.i64);
        let b = &self.code.builder;
        let segments = b.build_int_sub(i32.const_int(WARP_SIZE, false), width.into_int_value(), "")?;
        let segments = b.build_left_shift(segments, i32.const_int(8, false), "")?;
        let clamp = if mode == "up" { 0 } else { LAST_LANE };
        let clamp = b.build_or(segments, i32.const_int(clamp, false), "")?;
        let shuffle = |value: BasicValueEnum<'ctx>| {
            let ty = if value.is_float_value() { "f32" } else { "i32" };
            let name = format!("llvm.nvvm.shfl.sync.{mode}.{ty}");
            self.code.call_intrinsic(&name, &[], &[mask.into(), value.into(), lane.into(), clamp.into()])
        };
        let ty = value.get_type();
        let wide = match value {
            BasicValueEnum::FloatValue(float) if float.get_type() == self.cx.tys.f64 => {
                b.build_bit_cast(float, i64, "")?.into_int_value()
            }
            BasicValueEnum::IntValue(int) if int.get_type() == i64 => int,
            BasicValueEnum::VectorValue(pair) => {
                let shuffled = shuffle(b.build_bit_cast(pair, i32, "")?)?;
                return Ok(b.build_bit_cast(shuffled, ty, "")?);
            }
            BasicValueEnum::FloatValue(half) if half.get_type() != self.cx.tys.f32 => {
                let bits = b.build_bit_cast(half, self.cx.llvm.i16_type(), "")?.into_int_value();
                let shuffled = shuffle(b.build_int_z_extend(bits, i32, "")?.into())?.into_int_value();
                let bits = b.build_int_truncate(shuffled, self.cx.llvm.i16_type(), "")?;
                return Ok(b.build_bit_cast(bits, ty, "")?);
            }
            _ => return shuffle(value),
        };
        let half = i64.const_int(32, false);
        let high = b.build_right_shift(wide, half, false, "")?;
        let high = shuffle(b.build_int_truncate(high, i32, "")?.into())?.into_int_value();
        let low = shuffle(b.build_int_truncate(wide, i32, "")?.into())?.into_int_value();
        let high = b.build_left_shift(b.build_int_z_extend(high, i64, "")?, half, "")?;
        let wide = b.build_or(high, b.build_int_z_extend(low, i64, "")?, "")?;
        Ok(b.build_bit_cast(wide, ty, "")?)
    }
}
