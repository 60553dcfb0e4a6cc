//! CUDA Math API "Integer Intrinsics"; GNU C "Other Builtins", those that nvcc has for device code.

use super::functions;
use crate::ir::Builtin::Integer;
use crate::ir::IntegerOp;
use crate::sema::builtin::ty::*;

functions! {
    "__popc": INT(UINT) => Integer(IntegerOp::PopCount);
    "__popcll": INT(ULONGLONG) => Integer(IntegerOp::PopCount);
    "__builtin_popcount": INT(UINT) => Integer(IntegerOp::PopCount);
    "__builtin_popcountll": INT(ULONGLONG) => Integer(IntegerOp::PopCount);
    "__clz": INT(INT) => Integer(IntegerOp::LeadingZeros);
    "__clzll": INT(LONGLONG) => Integer(IntegerOp::LeadingZeros);
    "__builtin_clz": INT(UINT) => Integer(IntegerOp::LeadingZeros);
    "__builtin_clzll": INT(ULONGLONG) => Integer(IntegerOp::LeadingZeros);
    "__ffs": INT(INT) => Integer(IntegerOp::FindFirstSet);
    "__ffsll": INT(LONGLONG) => Integer(IntegerOp::FindFirstSet);
    "__fns": UINT(UINT, UINT, INT) => Integer(IntegerOp::FindNthSet);
    "__builtin_ffs": INT(INT) => Integer(IntegerOp::FindFirstSet);
    "__builtin_ffsll": INT(LONGLONG) => Integer(IntegerOp::FindFirstSet);
    "__brev": UINT(UINT) => Integer(IntegerOp::ReverseBits);
    "__brevll": ULONGLONG(ULONGLONG) => Integer(IntegerOp::ReverseBits);
    "__nv_bswap16": USHORT(USHORT) => Integer(IntegerOp::SwapBytes);
    "__nv_bswap32": UINT(UINT) => Integer(IntegerOp::SwapBytes);
    "__nv_bswap64": ULONGLONG(ULONGLONG) => Integer(IntegerOp::SwapBytes);
    "__byte_perm": UINT(UINT, UINT, UINT) => Integer(IntegerOp::PermuteBytes);
    "__funnelshift_l": UINT(UINT, UINT, UINT) => Integer(IntegerOp::FunnelLeft);
    "__funnelshift_lc": UINT(UINT, UINT, UINT) => Integer(IntegerOp::FunnelLeftClamp);
    "__funnelshift_r": UINT(UINT, UINT, UINT) => Integer(IntegerOp::FunnelRight);
    "__funnelshift_rc": UINT(UINT, UINT, UINT) => Integer(IntegerOp::FunnelRightClamp);
    "__mul24": INT(INT, INT) => Integer(IntegerOp::Mul24);
    "__umul24": UINT(UINT, UINT) => Integer(IntegerOp::Mul24);
    "__mulhi": INT(INT, INT) => Integer(IntegerOp::MulHigh);
    "__umulhi": UINT(UINT, UINT) => Integer(IntegerOp::MulHigh);
    "__mul64hi": LONGLONG(LONGLONG, LONGLONG) => Integer(IntegerOp::MulHigh);
    "__umul64hi": ULONGLONG(ULONGLONG, ULONGLONG) => Integer(IntegerOp::MulHigh);
    "__sad": UINT(INT, INT, UINT) => Integer(IntegerOp::SumAbsDiff);
    "__usad": UINT(UINT, UINT, UINT) => Integer(IntegerOp::SumAbsDiff);
    "__hadd": INT(INT, INT) => Integer(IntegerOp::Mean);
    "__uhadd": UINT(UINT, UINT) => Integer(IntegerOp::Mean);
    "__rhadd": INT(INT, INT) => Integer(IntegerOp::MeanUp);
    "__urhadd": UINT(UINT, UINT) => Integer(IntegerOp::MeanUp);
    "__dp4a":
        INT(INT, INT, INT), UINT(UINT, UINT, UINT), INT(vector("char4"), vector("char4"), INT),
        UINT(vector("uchar4"), vector("uchar4"), UINT) => Integer(IntegerOp::Dp4a);
    "__dp2a_lo":
        INT(INT, INT, INT), UINT(UINT, UINT, UINT), INT(vector("short2"), vector("char4"), INT),
        UINT(vector("ushort2"), vector("uchar4"), UINT) => Integer(IntegerOp::Dp2aLow);
    "__dp2a_hi":
        INT(INT, INT, INT), UINT(UINT, UINT, UINT), INT(vector("short2"), vector("char4"), INT),
        UINT(vector("ushort2"), vector("uchar4"), UINT) => Integer(IntegerOp::Dp2aHigh);
}
