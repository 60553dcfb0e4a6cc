//! What CUDA's `device_double_functions.h` defines: arithmetic and conversions that round as an argument says. `fma` is in
//! `math`.

use super::functions;
use crate::ir::Builtin::Rounded;
use crate::ir::RoundedOp::*;
use crate::sema::builtin::ty::*;

functions! {
    "dadd": DOUBLE(DOUBLE, DOUBLE, ROUND_MODE) default 0 => Rounded(AddRounded);
    "dsub": DOUBLE(DOUBLE, DOUBLE, ROUND_MODE) default 0 => Rounded(SubRounded);
    "dmul": DOUBLE(DOUBLE, DOUBLE, ROUND_MODE) default 0 => Rounded(MulRounded);
    "double2int": INT(DOUBLE, ROUND_MODE) default 1 => Rounded(FloatToIntRounded);
    "double2uint": UINT(DOUBLE, ROUND_MODE) default 1 => Rounded(FloatToIntRounded);
    "double2ll": LONGLONG(DOUBLE, ROUND_MODE) default 1 => Rounded(FloatToIntRounded);
    "double2ull": ULONGLONG(DOUBLE, ROUND_MODE) default 1 => Rounded(FloatToIntRounded);
    "ll2double": DOUBLE(LONGLONG, ROUND_MODE) default 0 => Rounded(IntToFloatRounded);
    "ull2double": DOUBLE(ULONGLONG, ROUND_MODE) default 0 => Rounded(IntToFloatRounded);
    "int2double": DOUBLE(INT, ROUND_MODE) default 0 => Rounded(Widened);
    "uint2double": DOUBLE(UINT, ROUND_MODE) default 0 => Rounded(Widened);
    "float2double": DOUBLE(FLOAT, ROUND_MODE) default 0 => Rounded(Widened);
}
