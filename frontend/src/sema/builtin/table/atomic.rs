//! CUDA C++ Programming Guide "Atomic Functions".

use super::functions;
use crate::ir::AtomicOp::{Add, And, CompareExchange, Dec, Exchange, Inc, Max, Min, Or, Sub, Xor};
use crate::ir::Scope::{Block, Device, System};
use crate::ir::{Atomic, AtomicOp, Builtin, Scope};
use crate::sema::builtin::ty::*;

pub(super) const fn atomic(op: AtomicOp, scope: Scope) -> Builtin {
    Builtin::Atomic(Atomic { op, scope })
}

functions! {
    "atomicAdd":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), ULONGLONG(ptr(ULONGLONG), ULONGLONG),
        FLOAT(ptr(FLOAT), FLOAT), DOUBLE(ptr(DOUBLE), DOUBLE), FLOAT2(ptr(FLOAT2), FLOAT2),
        FLOAT4(ptr(FLOAT4), FLOAT4) => atomic(Add, Device);
    "atomicAdd_block":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), ULONGLONG(ptr(ULONGLONG), ULONGLONG),
        FLOAT(ptr(FLOAT), FLOAT), DOUBLE(ptr(DOUBLE), DOUBLE), FLOAT2(ptr(FLOAT2), FLOAT2),
        FLOAT4(ptr(FLOAT4), FLOAT4) => atomic(Add, Block);
    "atomicAdd_system":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), ULONGLONG(ptr(ULONGLONG), ULONGLONG),
        FLOAT(ptr(FLOAT), FLOAT), DOUBLE(ptr(DOUBLE), DOUBLE), FLOAT2(ptr(FLOAT2), FLOAT2),
        FLOAT4(ptr(FLOAT4), FLOAT4) => atomic(Add, System);
    "atomicSub": INT(ptr(INT), INT), UINT(ptr(UINT), UINT) => atomic(Sub, Device);
    "atomicSub_block": INT(ptr(INT), INT), UINT(ptr(UINT), UINT) => atomic(Sub, Block);
    "atomicSub_system": INT(ptr(INT), INT), UINT(ptr(UINT), UINT) => atomic(Sub, System);
    "atomicExch":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), ULONGLONG(ptr(ULONGLONG), ULONGLONG),
        FLOAT(ptr(FLOAT), FLOAT) => atomic(Exchange, Device);
    "atomicExch_block":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), ULONGLONG(ptr(ULONGLONG), ULONGLONG),
        FLOAT(ptr(FLOAT), FLOAT) => atomic(Exchange, Block);
    "atomicExch_system":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), ULONGLONG(ptr(ULONGLONG), ULONGLONG),
        FLOAT(ptr(FLOAT), FLOAT) => atomic(Exchange, System);
    "atomicInc": UINT(ptr(UINT), UINT) => atomic(Inc, Device);
    "atomicInc_block": UINT(ptr(UINT), UINT) => atomic(Inc, Block);
    "atomicInc_system": UINT(ptr(UINT), UINT) => atomic(Inc, System);
    "atomicDec": UINT(ptr(UINT), UINT) => atomic(Dec, Device);
    "atomicDec_block": UINT(ptr(UINT), UINT) => atomic(Dec, Block);
    "atomicDec_system": UINT(ptr(UINT), UINT) => atomic(Dec, System);
    "atomicCAS":
        INT(ptr(INT), INT, INT), UINT(ptr(UINT), UINT, UINT), ULONGLONG(ptr(ULONGLONG), ULONGLONG, ULONGLONG),
        USHORT(ptr(USHORT), USHORT, USHORT) => atomic(CompareExchange, Device);
    "atomicCAS_block":
        INT(ptr(INT), INT, INT), UINT(ptr(UINT), UINT, UINT), ULONGLONG(ptr(ULONGLONG), ULONGLONG, ULONGLONG) => atomic(CompareExchange, Block);
    "atomicCAS_system":
        INT(ptr(INT), INT, INT), UINT(ptr(UINT), UINT, UINT), ULONGLONG(ptr(ULONGLONG), ULONGLONG, ULONGLONG) => atomic(CompareExchange, System);
    "atomicMin":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Min, Device);
    "atomicMin_block":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Min, Block);
    "atomicMin_system":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Min, System);
    "atomicMax":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Max, Device);
    "atomicMax_block":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Max, Block);
    "atomicMax_system":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Max, System);
    "atomicAnd":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(And, Device);
    "atomicAnd_block":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(And, Block);
    "atomicAnd_system":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(And, System);
    "atomicOr":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Or, Device);
    "atomicOr_block":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Or, Block);
    "atomicOr_system":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Or, System);
    "atomicXor":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Xor, Device);
    "atomicXor_block":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Xor, Block);
    "atomicXor_system":
        INT(ptr(INT), INT), UINT(ptr(UINT), UINT), LONGLONG(ptr(LONGLONG), LONGLONG),
        ULONGLONG(ptr(ULONGLONG), ULONGLONG) => atomic(Xor, System);
}
