//! CUDA C++ Programming Guide "Mathematical Functions".

use super::super::ty::*;
use super::functions;
use crate::ir::Builtin::Math;
use crate::ir::MathOp;

functions! {
    "abs": INT(INT), LONG(LONG), LONGLONG(LONGLONG), FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Abs);
    "ceil": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Ceil);
    "ceilf": FLOAT(FLOAT) => Math(MathOp::Ceil);
    "fabs": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Abs);
    "fabsf": FLOAT(FLOAT) => Math(MathOp::Abs);
    "floor": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Floor);
    "floorf": FLOAT(FLOAT) => Math(MathOp::Floor);
    "fma": FLOAT(FLOAT, FLOAT, FLOAT), DOUBLE(DOUBLE, DOUBLE, DOUBLE) => Math(MathOp::Fma);
    "fmaf": FLOAT(FLOAT, FLOAT, FLOAT) => Math(MathOp::Fma);
    "fmax": FLOAT(FLOAT, FLOAT), DOUBLE(DOUBLE, DOUBLE) => Math(MathOp::Max);
    "fmaxf": FLOAT(FLOAT, FLOAT) => Math(MathOp::Max);
    "fmin": FLOAT(FLOAT, FLOAT), DOUBLE(DOUBLE, DOUBLE) => Math(MathOp::Min);
    "fminf": FLOAT(FLOAT, FLOAT) => Math(MathOp::Min);
    "max":
        INT(INT, INT), UINT(UINT, UINT), UINT(INT, UINT), UINT(UINT, INT), LONG(LONG, LONG),
        ULONG(ULONG, ULONG), ULONG(LONG, ULONG), ULONG(ULONG, LONG), LONGLONG(LONGLONG, LONGLONG),
        ULONGLONG(ULONGLONG, ULONGLONG), ULONGLONG(LONGLONG, ULONGLONG), ULONGLONG(ULONGLONG, LONGLONG),
        FLOAT(FLOAT, FLOAT), DOUBLE(DOUBLE, DOUBLE), DOUBLE(FLOAT, DOUBLE), DOUBLE(DOUBLE, FLOAT) => Math(MathOp::Max);
    "min":
        INT(INT, INT), UINT(UINT, UINT), UINT(INT, UINT), UINT(UINT, INT), LONG(LONG, LONG),
        ULONG(ULONG, ULONG), ULONG(LONG, ULONG), ULONG(ULONG, LONG), LONGLONG(LONGLONG, LONGLONG),
        ULONGLONG(ULONGLONG, ULONGLONG), ULONGLONG(LONGLONG, ULONGLONG), ULONGLONG(ULONGLONG, LONGLONG),
        FLOAT(FLOAT, FLOAT), DOUBLE(DOUBLE, DOUBLE), DOUBLE(FLOAT, DOUBLE), DOUBLE(DOUBLE, FLOAT) => Math(MathOp::Min);
    "rsqrtf": FLOAT(FLOAT) => Math(MathOp::Rsqrt);
    "sqrt": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Sqrt);
    "sqrtf": FLOAT(FLOAT) => Math(MathOp::Sqrt);
    "trunc": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Trunc);
    "truncf": FLOAT(FLOAT) => Math(MathOp::Trunc);
}
