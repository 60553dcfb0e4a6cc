//! CUDA C++ Programming Guide "Warp Vote Functions", "Warp Match Functions", "Warp Reduce Functions", "Warp Shuffle Functions".

use super::functions;
use crate::ir::Builtin::Warp;
use crate::ir::WarpOp;
use crate::sema::builtin::ty::*;

functions! {
    "__shfl_sync":
        INT(UINT, INT, INT, INT) default 32, UINT(UINT, UINT, INT, INT) default 32,
        LONG(UINT, LONG, INT, INT) default 32, ULONG(UINT, ULONG, INT, INT) default 32,
        LONGLONG(UINT, LONGLONG, INT, INT) default 32, ULONGLONG(UINT, ULONGLONG, INT, INT) default 32,
        FLOAT(UINT, FLOAT, INT, INT) default 32, DOUBLE(UINT, DOUBLE, INT, INT) default 32 => Warp(WarpOp::ShflIdx);
    "__shfl_up_sync":
        INT(UINT, INT, UINT, INT) default 32, UINT(UINT, UINT, UINT, INT) default 32,
        LONG(UINT, LONG, UINT, INT) default 32, ULONG(UINT, ULONG, UINT, INT) default 32,
        LONGLONG(UINT, LONGLONG, UINT, INT) default 32, ULONGLONG(UINT, ULONGLONG, UINT, INT) default 32,
        FLOAT(UINT, FLOAT, UINT, INT) default 32, DOUBLE(UINT, DOUBLE, UINT, INT) default 32 => Warp(WarpOp::ShflUp);
    "__shfl_down_sync":
        INT(UINT, INT, UINT, INT) default 32, UINT(UINT, UINT, UINT, INT) default 32,
        LONG(UINT, LONG, UINT, INT) default 32, ULONG(UINT, ULONG, UINT, INT) default 32,
        LONGLONG(UINT, LONGLONG, UINT, INT) default 32, ULONGLONG(UINT, ULONGLONG, UINT, INT) default 32,
        FLOAT(UINT, FLOAT, UINT, INT) default 32, DOUBLE(UINT, DOUBLE, UINT, INT) default 32 => Warp(WarpOp::ShflDown);
    "__shfl_xor_sync":
        INT(UINT, INT, INT, INT) default 32, UINT(UINT, UINT, INT, INT) default 32,
        LONG(UINT, LONG, INT, INT) default 32, ULONG(UINT, ULONG, INT, INT) default 32,
        LONGLONG(UINT, LONGLONG, INT, INT) default 32, ULONGLONG(UINT, ULONGLONG, INT, INT) default 32,
        FLOAT(UINT, FLOAT, INT, INT) default 32, DOUBLE(UINT, DOUBLE, INT, INT) default 32 => Warp(WarpOp::ShflXor);
    "__all_sync": INT(UINT, INT) => Warp(WarpOp::All);
    "__any_sync": INT(UINT, INT) => Warp(WarpOp::Any);
    "__uni_sync": INT(UINT, INT) => Warp(WarpOp::Uniform);
    "__ballot_sync": UINT(UINT, INT) => Warp(WarpOp::Ballot);
    "__activemask": UINT() => Warp(WarpOp::ActiveMask);
    "__match_any_sync":
        UINT(UINT, INT), UINT(UINT, UINT), UINT(UINT, LONG), UINT(UINT, ULONG), UINT(UINT, LONGLONG), UINT(UINT, ULONGLONG), UINT(UINT, FLOAT), UINT(UINT, DOUBLE) => Warp(WarpOp::MatchAny);
    "__match_all_sync":
        UINT(UINT, INT, ptr(INT)), UINT(UINT, UINT, ptr(INT)), UINT(UINT, LONG, ptr(INT)), UINT(UINT, ULONG, ptr(INT)), UINT(UINT, LONGLONG, ptr(INT)), UINT(UINT, ULONGLONG, ptr(INT)), UINT(UINT, FLOAT, ptr(INT)), UINT(UINT, DOUBLE, ptr(INT)) => Warp(WarpOp::MatchAll);
    "__reduce_add_sync": INT(UINT, INT), UINT(UINT, UINT) => Warp(WarpOp::ReduceAdd);
    "__reduce_min_sync": INT(UINT, INT), UINT(UINT, UINT) => Warp(WarpOp::ReduceMin);
    "__reduce_max_sync": INT(UINT, INT), UINT(UINT, UINT) => Warp(WarpOp::ReduceMax);
    "__reduce_and_sync": UINT(UINT, UINT) => Warp(WarpOp::ReduceAnd);
    "__reduce_or_sync": UINT(UINT, UINT) => Warp(WarpOp::ReduceOr);
    "__reduce_xor_sync": UINT(UINT, UINT) => Warp(WarpOp::ReduceXor);
}
