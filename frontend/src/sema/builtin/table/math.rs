//! CUDA C++ Programming Guide "Mathematical Functions".

use super::super::ty::*;
use super::functions;
use crate::ir::Builtin::Math;
use crate::ir::MathOp;

functions! {
    "abs": INT(INT), LONG(LONG), LONGLONG(LONGLONG), FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Abs);
    "labs": LONG(LONG) => Math(MathOp::Abs);
    "llabs": LONGLONG(LONGLONG) => Math(MathOp::Abs);
    "__builtin_abs": INT(INT) => Math(MathOp::Abs);
    "__builtin_labs": LONG(LONG) => Math(MathOp::Abs);
    "__builtin_llabs": LONGLONG(LONGLONG) => Math(MathOp::Abs);
    "__builtin_fabs": DOUBLE(DOUBLE) => Math(MathOp::Abs);
    "__builtin_fabsf": FLOAT(FLOAT) => Math(MathOp::Abs);
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
    "umin": UINT(UINT, UINT) => Math(MathOp::Min);
    "umax": UINT(UINT, UINT) => Math(MathOp::Max);
    "llmin": LONGLONG(LONGLONG, LONGLONG) => Math(MathOp::Min);
    "llmax": LONGLONG(LONGLONG, LONGLONG) => Math(MathOp::Max);
    "ullmin": ULONGLONG(ULONGLONG, ULONGLONG) => Math(MathOp::Min);
    "ullmax": ULONGLONG(ULONGLONG, ULONGLONG) => Math(MathOp::Max);
    "rsqrtf": FLOAT(FLOAT) => Math(MathOp::Rsqrt);
    "sqrt": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Sqrt);
    "sqrtf": FLOAT(FLOAT) => Math(MathOp::Sqrt);
    "trunc": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Trunc);
    "truncf": FLOAT(FLOAT) => Math(MathOp::Trunc);
}
