//! Integer arithmetic and bits (CUDA Math API "Integer Intrinsics").

use super::super::Ty;
use super::signature::Operand::{Any, Is, T};
use super::{Class, Signature};

/// An operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntegerOp {
    /// `int __popc(T)`: PTX ISA "popc"
    PopCount,
    /// `int __clz(T)`, as many as T has bits if there is none: PTX ISA "clz"
    LeadingZeros,
    /// `int __ffs(T)`: the position of the lowest bit set from 1 on, 0 if there is none
    FindFirstSet,
    /// `unsigned __fns(unsigned mask, unsigned base, int n)`: the position of the nth bit set from the base on, upwards or downwards,
    /// all ones if there is none: PTX ISA "fns"
    FindNthSet,
    /// `T __brev(T)`: PTX ISA "brev"
    ReverseBits,
    /// `T __nv_bswap32(T)`
    SwapBytes,
    /// `unsigned __byte_perm(unsigned, unsigned, unsigned selector)`: PTX ISA "prmt", without its copies of
    /// signs
    PermuteBytes,
    /// `unsigned __funnelshift_l(unsigned low, unsigned high, unsigned count)`: PTX ISA "shf.l.wrap"
    FunnelLeft,
    /// The same, PTX ISA "shf.l.clamp"
    FunnelLeftClamp,
    /// The same, PTX ISA "shf.r.wrap"
    FunnelRight,
    /// The same, PTX ISA "shf.r.clamp"
    FunnelRightClamp,
    /// `T __mul24(T, T)`: the lower half of the product of the lowest 24 bits
    Mul24,
    /// `T __mulhi(T, T)`: PTX ISA "mul.hi"
    MulHigh,
    /// `unsigned __sad(T, T, unsigned)`: PTX ISA "sad"
    SumAbsDiff,
    /// `T __hadd(T, T)`: the mean, rounded down
    Mean,
    /// `T __rhadd(T, T)`: the mean, rounded up
    MeanUp,
    /// `T __dp4a(four bytes, four bytes, T)`, signed as T: PTX ISA "dp4a"
    Dp4a,
    /// `T __dp2a_lo(two halves, four bytes, T)`, signed as T: PTX ISA "dp2a.lo"
    Dp2aLow,
    /// The same, PTX ISA "dp2a.hi"
    Dp2aHigh,
}

impl IntegerOp {
    pub(super) fn signature(self) -> Signature {
        const UINT: super::Operand = Is(Ty::UINT);
        const PACKED: super::Operand = Any(Class::Packed);
        match self {
            IntegerOp::PopCount | IntegerOp::LeadingZeros | IntegerOp::FindFirstSet => {
                Signature::of(Class::Int, Is(Ty::INT), &[T])
            }
            IntegerOp::FindNthSet => Signature::fixed(UINT, &[UINT, UINT, Is(Ty::INT)]),
            IntegerOp::ReverseBits => Signature::of(Class::Int, T, &[T]),
            IntegerOp::SwapBytes => Signature::of(Class::Unsigned, T, &[T]),
            IntegerOp::PermuteBytes
            | IntegerOp::FunnelLeft
            | IntegerOp::FunnelLeftClamp
            | IntegerOp::FunnelRight
            | IntegerOp::FunnelRightClamp => Signature::fixed(UINT, &[UINT, UINT, UINT]),
            IntegerOp::Mul24 | IntegerOp::Mean | IntegerOp::MeanUp => Signature::of(Class::Word, T, &[T, T]),
            IntegerOp::MulHigh => Signature::of(Class::Int, T, &[T, T]),
            IntegerOp::SumAbsDiff => Signature::of(Class::Word, UINT, &[T, T, UINT]),
            IntegerOp::Dp4a | IntegerOp::Dp2aLow | IntegerOp::Dp2aHigh => {
                Signature::of(Class::Word, T, &[PACKED, PACKED, T])
            }
        }
    }
}
