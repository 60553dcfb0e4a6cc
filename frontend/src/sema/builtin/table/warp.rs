//! CUDA C++ Programming Guide "Warp Shuffle Functions".

use super::super::ty::*;
use super::functions;
use crate::ir::Builtin::Warp;
use crate::ir::WarpOp;

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
}
