//! SIMD operations on two halves or four bytes of a word.
//!
//! GPUs have instructions for LLVM's vectors of two halves, and PTX's `vabsdiff`; the rest is arithmetic on
//! the whole word without carries between lanes (Warren, "Hacker's Delight", 2-18). A lane's truth value is
//! in its highest bit, until [`Word::spread`] copies it to all bits.

use inkwell::values::{BasicValueEnum, IntValue, VectorValue};
use weft_frontend::ir::builtin::{Lanes, Sign};
use weft_frontend::ir::{CompareOp, Expr, ExprNode, SimdOp};

use crate::Bug;
use crate::builtin::Builtins;
use crate::code::Code;

/// The result of building a word.
type Value<'ctx> = Result<IntValue<'ctx>, Bug>;

impl<'ctx> Builtins<'_, '_, '_, 'ctx> {
    pub(super) fn lower_simd(
        &mut self,
        op: SimdOp,
        lanes: Lanes,
        args: &[Expr],
        node: &ExprNode,
    ) -> Result<BasicValueEnum<'ctx>, Bug> {
        let mut words = Vec::with_capacity(args.len());
        for &arg in args {
            words.push(self.exprs.lower_scalar(arg)?.into_int_value());
        }
        self.exprs.debug.locate(node.span);
        let a = *words.first().ok_or("an operation on a value that is not a word")?;
        // A unary operation ignores this.
        let b = words.get(1).copied().unwrap_or(a);
        let w = Word { code: self.code, lanes };
        let value = match op {
            SimdOp::LaneAbs => w.abs(a),
            SimdOp::LaneAbsSat => w.abs_sat(a),
            SimdOp::LaneNeg => w.neg(a),
            SimdOp::LaneNegSat => w.neg_sat(a),
            SimdOp::LaneAdd => w.add(a, b),
            SimdOp::LaneAddSat(Sign::Signed) => w.add_sat_signed(a, b),
            SimdOp::LaneAddSat(Sign::Unsigned) => w.add_sat_unsigned(a, b),
            SimdOp::LaneSub => w.sub(a, b),
            SimdOp::LaneSubSat(Sign::Signed) => w.sub_sat_signed(a, b),
            SimdOp::LaneSubSat(Sign::Unsigned) => w.sub_sat_unsigned(a, b),
            SimdOp::LaneMean => w.mean(a, b),
            SimdOp::LaneMeanRounded(Sign::Signed) => w.mean_from_zero(a, b),
            SimdOp::LaneMeanRounded(Sign::Unsigned) => w.mean_up(a, b),
            SimdOp::LaneMax(sign) => w.max(a, b, sign),
            SimdOp::LaneMin(sign) => w.min(a, b, sign),
            SimdOp::LaneAbsDiff(sign) => w.abs_diff(a, b, sign),
            SimdOp::LaneSumAbsDiff(sign) => w.sum_abs_diff(a, b, sign),
            SimdOp::LaneCompare(op, sign) => w.spread(w.compare(op, sign, a, b)?),
            SimdOp::LaneSet(op, sign) => w.top_to_bottom(w.compare(op, sign, a, b)?),
        };
        Ok(value?.into())
    }
}

/// A word divided into lanes.
struct Word<'f, 'a, 'ctx> {
    code: &'f Code<'f, 'a, 'ctx>,
    lanes: Lanes,
}

impl<'ctx> Word<'_, '_, 'ctx> {
    /// `|a|`: the complement plus one if the sign is set.
    fn abs(&self, a: IntValue<'ctx>) -> Value<'ctx> {
        let sign = self.spread(a)?;
        self.plain_add(self.xor(a, sign)?, self.and(sign, self.bottom())?)
    }

    /// The absolute value of the minimum still has its sign set: its complement is the maximum.
    fn abs_sat(&self, a: IntValue<'ctx>) -> Value<'ctx> {
        let abs = self.abs(a)?;
        self.xor(abs, self.spread(abs)?)
    }

    fn neg(&self, a: IntValue<'ctx>) -> Value<'ctx> {
        self.sub(self.word(0), a)
    }

    /// Only for the minimum, both the number and its negation have their signs set.
    fn neg_sat(&self, a: IntValue<'ctx>) -> Value<'ctx> {
        let neg = self.neg(a)?;
        self.plain_sub(neg, self.top_to_bottom(self.and(a, neg)?)?)
    }

    /// The lower bits are added first; then the highest ones, without carry.
    fn add(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        if self.lanes == Lanes::Halves {
            return self.of_halves(|code, a, b| Ok(code.builder.build_int_add(a, b, "")?), a, b);
        }
        let low = self.plain_add(self.and(a, self.below_top())?, self.and(b, self.below_top())?)?;
        self.xor(low, self.and(self.xor(a, b)?, self.top())?)
    }

    /// It overflows if the sum's sign differs from both.
    fn add_sat_signed(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        let sum = self.add(a, b)?;
        let overflow = self.and(self.xor(sum, a)?, self.xor(sum, b)?)?;
        self.or_bound(sum, overflow, a)
    }

    /// It carries if both highest bits are set, or one is and the sum's is not.
    fn add_sat_unsigned(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        let sum = self.add(a, b)?;
        let carry = self.or(self.and(a, b)?, self.and(self.or(a, b)?, self.not(sum)?)?)?;
        self.or(sum, self.spread(carry)?)
    }

    fn sub(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        let low = self.low_difference(a, b)?;
        self.xor(low, self.and(self.not(self.xor(a, b)?)?, self.top())?)
    }

    /// It overflows if the signs differ, and the difference's sign is not that of `a`.
    fn sub_sat_signed(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        let difference = self.sub(a, b)?;
        let overflow = self.and(self.xor(a, b)?, self.xor(difference, a)?)?;
        self.or_bound(difference, overflow, a)
    }

    fn sub_sat_unsigned(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        let is_positive = self.at_least(a, b, Sign::Unsigned)?;
        self.and(self.sub(a, b)?, self.spread(is_positive)?)
    }

    /// The value, or on overflow the limit on the side of `a`.
    fn or_bound(&self, value: IntValue<'ctx>, overflow: IntValue<'ctx>, a: IntValue<'ctx>) -> Value<'ctx> {
        let bound = self.xor(self.spread(a)?, self.below_top())?;
        self.select(self.spread(overflow)?, bound, value)
    }

    /// The common bits, plus half of the differing bits.
    fn mean(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        self.plain_add(self.and(a, b)?, self.half(self.xor(a, b)?)?)
    }

    /// All bits, minus half of the differing bits.
    fn mean_up(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        self.plain_sub(self.or(a, b)?, self.half(self.xor(a, b)?)?)
    }

    /// Rounded down, plus one if a non-negative result was inexact.
    fn mean_from_zero(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        let carry = self.and(self.and(a, b)?, self.bottom())?;
        let sum = self.plain_add(self.plain_add(self.half(a)?, self.half(b)?)?, carry)?;
        let differing = self.xor(a, b)?;
        let down = self.xor(sum, self.and(differing, self.top())?)?;
        let is_natural = self.top_to_bottom(self.not(down)?)?;
        self.plain_add(down, self.and(is_natural, differing)?)
    }

    fn max(&self, a: IntValue<'ctx>, b: IntValue<'ctx>, sign: Sign) -> Value<'ctx> {
        match (self.lanes, sign) {
            (Lanes::Halves, Sign::Signed) => self.halves_intrinsic("llvm.smax", a, b),
            (Lanes::Halves, Sign::Unsigned) => self.halves_intrinsic("llvm.umax", a, b),
            (Lanes::Bytes, _) => self.select(self.spread(self.at_least(a, b, sign)?)?, a, b),
        }
    }

    fn min(&self, a: IntValue<'ctx>, b: IntValue<'ctx>, sign: Sign) -> Value<'ctx> {
        match (self.lanes, sign) {
            (Lanes::Halves, Sign::Signed) => self.halves_intrinsic("llvm.smin", a, b),
            (Lanes::Halves, Sign::Unsigned) => self.halves_intrinsic("llvm.umin", a, b),
            (Lanes::Bytes, _) => self.select(self.spread(self.at_least(a, b, sign)?)?, b, a),
        }
    }

    /// For bytes PTX ISA "vabsdiff4", which GPUs only have unsigned: an offset makes the operands unsigned.
    fn abs_diff(&self, a: IntValue<'ctx>, b: IntValue<'ctx>, sign: Sign) -> Value<'ctx> {
        match (self.lanes, sign) {
            (Lanes::Bytes, Sign::Unsigned) => self.vabsdiff("", a, b),
            (Lanes::Bytes, Sign::Signed) => {
                self.vabsdiff("", self.xor(a, self.top())?, self.xor(b, self.top())?)
            }
            (Lanes::Halves, sign) => {
                let is_at_least = self.spread(self.at_least(a, b, sign)?)?;
                let other = self.and(self.xor(a, b)?, is_at_least)?;
                let (greater, less) = (self.xor(other, b)?, self.xor(other, a)?);
                match sign {
                    Sign::Unsigned => self.plain_sub(greater, less),
                    Sign::Signed => self.sub(greater, less),
                }
            }
        }
    }

    fn sum_abs_diff(&self, a: IntValue<'ctx>, b: IntValue<'ctx>, sign: Sign) -> Value<'ctx> {
        match (self.lanes, sign) {
            (_, Sign::Unsigned) => self.vabsdiff(".add", a, b),
            (Lanes::Bytes, Sign::Signed) => {
                self.vabsdiff(".add", self.xor(a, self.top())?, self.xor(b, self.top())?)
            }
            (Lanes::Halves, Sign::Signed) => {
                let differences = self.abs_diff(a, b, sign)?;
                let low = self.and(differences, self.word(0xffff))?;
                self.plain_add(self.shift_down(differences, 16)?, low)
            }
        }
    }

    /// A lane's truth value is its highest bit; its other bits are arbitrary.
    fn compare(&self, op: CompareOp, sign: Sign, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        match op {
            CompareOp::Eq => self.not(self.differs(a, b)?),
            CompareOp::Ne => self.differs(a, b),
            CompareOp::Ge => self.at_least(a, b, sign),
            CompareOp::Le => self.at_least(b, a, sign),
            CompareOp::Lt => self.not(self.at_least(a, b, sign)?),
            CompareOp::Gt => self.not(self.at_least(b, a, sign)?),
        }
    }

    /// If a lower bit is set, adding all lower bits carries into the highest.
    fn differs(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        let differing = self.xor(a, b)?;
        let carries = self.plain_add(self.and(differing, self.below_top())?, self.below_top())?;
        self.or(carries, differing)
    }

    /// The highest bits decide if they differ, otherwise the lower ones.
    fn at_least(&self, a: IntValue<'ctx>, b: IntValue<'ctx>, sign: Sign) -> Value<'ctx> {
        let by_top = match sign {
            Sign::Signed => self.and(self.not(a)?, b)?,
            Sign::Unsigned => self.and(a, self.not(b)?)?,
        };
        let is_same = self.not(self.xor(a, b)?)?;
        self.or(by_top, self.and(is_same, self.low_difference(a, b)?)?)
    }

    /// The difference of the lower bits; the highest bit is set unless it is negative.
    fn low_difference(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        self.plain_sub(self.or(a, self.top())?, self.and(b, self.below_top())?)
    }

    /// Each lane shifted right by one.
    fn half(&self, a: IntValue<'ctx>) -> Value<'ctx> {
        self.shift_down(self.and(a, self.not(self.bottom())?)?, 1)
    }

    /// Each lane's highest bit, moved to its lowest.
    fn top_to_bottom(&self, a: IntValue<'ctx>) -> Value<'ctx> {
        let distance = match self.lanes {
            Lanes::Halves => 15,
            Lanes::Bytes => 7,
        };
        self.shift_down(self.and(a, self.top())?, distance)
    }

    /// Each lane's highest bit, replicated to all its bits (PTX ISA "prmt", sign replication).
    fn spread(&self, a: IntValue<'ctx>) -> Value<'ctx> {
        let selector = match self.lanes {
            Lanes::Halves => 0xbb99,
            Lanes::Bytes => 0xba98,
        };
        let args = [a.into(), self.word(0).into(), self.word(selector).into()];
        Ok(self.code.call_intrinsic("llvm.nvvm.prmt", &[], &args)?.into_int_value())
    }

    /// The bits of `a` where the mask is set, of `b` elsewhere.
    fn select(&self, mask: IntValue<'ctx>, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        self.or(self.and(a, mask)?, self.and(b, self.not(mask)?)?)
    }

    /// PTX ISA "vabsdiff2", "vabsdiff4"
    fn vabsdiff(&self, then: &str, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        let n_lanes = match self.lanes {
            Lanes::Halves => 2,
            Lanes::Bytes => 4,
        };
        let text = format!("vabsdiff{n_lanes}.u32.u32.u32{then} $0, $1, $2, $3;");
        let args = [a.into(), b.into(), self.word(0).into()];
        Ok(self.code.asm_value(&text, self.code.cx.tys.i32.into(), &args)?.into_int_value())
    }

    fn halves_intrinsic(&self, name: &str, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        let call = |code: &Code<'_, '_, 'ctx>, a: VectorValue<'ctx>, b: VectorValue<'ctx>| {
            let value = code.call_intrinsic(name, &[a.get_type().into()], &[a.into(), b.into()])?;
            Ok(value.into_vector_value())
        };
        self.of_halves(call, a, b)
    }

    /// An LLVM operation on vectors.
    fn of_halves(
        &self,
        operation: impl Fn(
            &Code<'_, '_, 'ctx>,
            VectorValue<'ctx>,
            VectorValue<'ctx>,
        ) -> Result<VectorValue<'ctx>, Bug>,
        a: IntValue<'ctx>,
        b: IntValue<'ctx>,
    ) -> Value<'ctx> {
        let builder = &self.code.builder;
        let halves = self.code.cx.llvm.i16_type().vec_type(2);
        let [a, b] = [builder.build_bit_cast(a, halves, "")?, builder.build_bit_cast(b, halves, "")?];
        let value = operation(self.code, a.into_vector_value(), b.into_vector_value())?;
        Ok(builder.build_bit_cast(value, self.code.cx.tys.i32, "")?.into_int_value())
    }

    /// A mask of each lane's highest bit.
    fn top(&self) -> IntValue<'ctx> {
        match self.lanes {
            Lanes::Halves => self.word(0x8000_8000),
            Lanes::Bytes => self.word(0x8080_8080),
        }
    }

    /// A mask of all bits except each lane's highest.
    fn below_top(&self) -> IntValue<'ctx> {
        match self.lanes {
            Lanes::Halves => self.word(0x7fff_7fff),
            Lanes::Bytes => self.word(0x7f7f_7f7f),
        }
    }

    /// A mask of each lane's lowest bit.
    fn bottom(&self) -> IntValue<'ctx> {
        match self.lanes {
            Lanes::Halves => self.word(0x0001_0001),
            Lanes::Bytes => self.word(0x0101_0101),
        }
    }

    fn word(&self, bits: u64) -> IntValue<'ctx> {
        self.code.cx.tys.i32.const_int(bits, false)
    }

    fn and(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        Ok(self.code.builder.build_and(a, b, "")?)
    }

    fn or(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        Ok(self.code.builder.build_or(a, b, "")?)
    }

    fn xor(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        Ok(self.code.builder.build_xor(a, b, "")?)
    }

    fn not(&self, a: IntValue<'ctx>) -> Value<'ctx> {
        Ok(self.code.builder.build_not(a, "")?)
    }

    fn plain_add(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        Ok(self.code.builder.build_int_add(a, b, "")?)
    }

    fn plain_sub(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Value<'ctx> {
        Ok(self.code.builder.build_int_sub(a, b, "")?)
    }

    fn shift_down(&self, a: IntValue<'ctx>, n_bits: u64) -> Value<'ctx> {
        Ok(self.code.builder.build_right_shift(a, self.word(n_bits), false, "")?)
    }
}
