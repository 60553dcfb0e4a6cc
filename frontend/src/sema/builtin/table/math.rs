//! CUDA C++ Programming Guide "Mathematical Functions".

use super::functions;
use crate::ir::Builtin::{Math, Rounded};
use crate::ir::MathOp;
use crate::ir::RoundedOp::FusedMulAddRounded;
use crate::sema::builtin::ty::*;

functions! {
    "abs": INT(INT), LONG(LONG), LONGLONG(LONGLONG), FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Abs);
    "rint": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Rint);
    "rintf": FLOAT(FLOAT) => Math(MathOp::Rint);
    "nearbyint": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Rint);
    "nearbyintf": FLOAT(FLOAT) => Math(MathOp::Rint);
    "__builtin_rint": DOUBLE(DOUBLE) => Math(MathOp::Rint);
    "__builtin_rintf": FLOAT(FLOAT) => Math(MathOp::Rint);
    "__builtin_nearbyint": DOUBLE(DOUBLE) => Math(MathOp::Rint);
    "__builtin_nearbyintf": FLOAT(FLOAT) => Math(MathOp::Rint);
    "isfinite": BOOL(FLOAT), BOOL(DOUBLE) => Math(MathOp::IsFinite);
    "isinf": BOOL(FLOAT), BOOL(DOUBLE) => Math(MathOp::IsInf);
    "isnan": BOOL(FLOAT), BOOL(DOUBLE) => Math(MathOp::IsNan);
    "signbit": BOOL(FLOAT), BOOL(DOUBLE) => Math(MathOp::SignBit);
    "fdivide": DOUBLE(DOUBLE, DOUBLE) => Math(MathOp::Divide);
    "fdividef": FLOAT(FLOAT, FLOAT) => Math(MathOp::Divide);
    "labs": LONG(LONG) => Math(MathOp::Abs);
    "llabs": LONGLONG(LONGLONG) => Math(MathOp::Abs);
    "__builtin_abs": INT(INT) => Math(MathOp::Abs);
    "__builtin_labs": LONG(LONG) => Math(MathOp::Abs);
    "__builtin_llabs": LONGLONG(LONGLONG) => Math(MathOp::Abs);
    "__builtin_fabs": DOUBLE(DOUBLE) => Math(MathOp::Abs);
    "__builtin_fabsf": FLOAT(FLOAT) => Math(MathOp::Abs);
    "__builtin_ceil": DOUBLE(DOUBLE) => Math(MathOp::Ceil);
    "__builtin_ceilf": FLOAT(FLOAT) => Math(MathOp::Ceil);
    "__builtin_copysign": DOUBLE(DOUBLE, DOUBLE) => Math(MathOp::CopySign);
    "__builtin_copysignf": FLOAT(FLOAT, FLOAT) => Math(MathOp::CopySign);
    "__builtin_floor": DOUBLE(DOUBLE) => Math(MathOp::Floor);
    "__builtin_floorf": FLOAT(FLOAT) => Math(MathOp::Floor);
    "__builtin_fma": DOUBLE(DOUBLE, DOUBLE, DOUBLE) => Math(MathOp::Fma);
    "__builtin_fmaf": FLOAT(FLOAT, FLOAT, FLOAT) => Math(MathOp::Fma);
    "__builtin_fmax": DOUBLE(DOUBLE, DOUBLE) => Math(MathOp::Max);
    "__builtin_fmaxf": FLOAT(FLOAT, FLOAT) => Math(MathOp::Max);
    "__builtin_fmin": DOUBLE(DOUBLE, DOUBLE) => Math(MathOp::Min);
    "__builtin_fminf": FLOAT(FLOAT, FLOAT) => Math(MathOp::Min);
    "__builtin_isfinite": INT(FLOAT), INT(DOUBLE) => Math(MathOp::IsFinite);
    "__builtin_isinf": INT(FLOAT), INT(DOUBLE) => Math(MathOp::IsInf);
    "__builtin_isnan": INT(FLOAT), INT(DOUBLE) => Math(MathOp::IsNan);
    "__builtin_signbit": INT(FLOAT), INT(DOUBLE) => Math(MathOp::SignBit);
    "__builtin_sqrt": DOUBLE(DOUBLE) => Math(MathOp::Sqrt);
    "__builtin_sqrtf": FLOAT(FLOAT) => Math(MathOp::Sqrt);
    "__builtin_trunc": DOUBLE(DOUBLE) => Math(MathOp::Trunc);
    "__builtin_truncf": FLOAT(FLOAT) => Math(MathOp::Trunc);
    "ceil": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Ceil);
    "ceilf": FLOAT(FLOAT) => Math(MathOp::Ceil);
    "copysign":
        FLOAT(FLOAT, FLOAT), DOUBLE(DOUBLE, DOUBLE), DOUBLE(DOUBLE, FLOAT),
        DOUBLE(FLOAT, DOUBLE) => Math(MathOp::CopySign);
    "copysignf": FLOAT(FLOAT, FLOAT) => Math(MathOp::CopySign);
    "fabs": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Abs);
    "fabsf": FLOAT(FLOAT) => Math(MathOp::Abs);
    "floor": FLOAT(FLOAT), DOUBLE(DOUBLE) => Math(MathOp::Floor);
    "floorf": FLOAT(FLOAT) => Math(MathOp::Floor);
    "fma": FLOAT(FLOAT, FLOAT, FLOAT), DOUBLE(DOUBLE, DOUBLE, DOUBLE) => Math(MathOp::Fma),
        DOUBLE(DOUBLE, DOUBLE, DOUBLE, ROUND_MODE) => Rounded(FusedMulAddRounded);
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
