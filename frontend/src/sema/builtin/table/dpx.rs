//! CUDA Math API "SIMD Intrinsics": the functions for dynamic programming, `__vi…`.

use super::functions;
use crate::ir::Builtin::Dpx;
use crate::ir::DpxOp::*;
use crate::ir::builtin::Extreme::*;
use crate::ir::builtin::Numbers::*;
use crate::ir::builtin::Sign::*;
use crate::sema::builtin::ty::*;

functions! {
    "__vimax_s32_relu": INT(INT, INT) => Dpx(OfTwoRelu, Max, One(Signed));
    "__vimax3_s32": INT(INT, INT, INT) => Dpx(OfThree, Max, One(Signed));
    "__vimax3_s32_relu": INT(INT, INT, INT) => Dpx(OfThreeRelu, Max, One(Signed));
    "__viaddmax_s32": INT(INT, INT, INT) => Dpx(OfSum, Max, One(Signed));
    "__viaddmax_s32_relu": INT(INT, INT, INT) => Dpx(OfSumRelu, Max, One(Signed));
    "__vibmax_s32": INT(INT, INT, ptr(BOOL)) => Dpx(WithPredicate, Max, One(Signed));
    "__vimax_s16x2_relu": UINT(UINT, UINT) => Dpx(OfTwoRelu, Max, Two(Signed));
    "__vimax3_s16x2": UINT(UINT, UINT, UINT) => Dpx(OfThree, Max, Two(Signed));
    "__vimax3_s16x2_relu": UINT(UINT, UINT, UINT) => Dpx(OfThreeRelu, Max, Two(Signed));
    "__viaddmax_s16x2": UINT(UINT, UINT, UINT) => Dpx(OfSum, Max, Two(Signed));
    "__viaddmax_s16x2_relu": UINT(UINT, UINT, UINT) => Dpx(OfSumRelu, Max, Two(Signed));
    "__vibmax_s16x2": UINT(UINT, UINT, ptr(BOOL), ptr(BOOL)) => Dpx(WithPredicate, Max, Two(Signed));
    "__vimax3_u32": UINT(UINT, UINT, UINT) => Dpx(OfThree, Max, One(Unsigned));
    "__viaddmax_u32": UINT(UINT, UINT, UINT) => Dpx(OfSum, Max, One(Unsigned));
    "__vibmax_u32": UINT(UINT, UINT, ptr(BOOL)) => Dpx(WithPredicate, Max, One(Unsigned));
    "__vimax3_u16x2": UINT(UINT, UINT, UINT) => Dpx(OfThree, Max, Two(Unsigned));
    "__viaddmax_u16x2": UINT(UINT, UINT, UINT) => Dpx(OfSum, Max, Two(Unsigned));
    "__vibmax_u16x2": UINT(UINT, UINT, ptr(BOOL), ptr(BOOL)) => Dpx(WithPredicate, Max, Two(Unsigned));
    "__vimin_s32_relu": INT(INT, INT) => Dpx(OfTwoRelu, Min, One(Signed));
    "__vimin3_s32": INT(INT, INT, INT) => Dpx(OfThree, Min, One(Signed));
    "__vimin3_s32_relu": INT(INT, INT, INT) => Dpx(OfThreeRelu, Min, One(Signed));
    "__viaddmin_s32": INT(INT, INT, INT) => Dpx(OfSum, Min, One(Signed));
    "__viaddmin_s32_relu": INT(INT, INT, INT) => Dpx(OfSumRelu, Min, One(Signed));
    "__vibmin_s32": INT(INT, INT, ptr(BOOL)) => Dpx(WithPredicate, Min, One(Signed));
    "__vimin_s16x2_relu": UINT(UINT, UINT) => Dpx(OfTwoRelu, Min, Two(Signed));
    "__vimin3_s16x2": UINT(UINT, UINT, UINT) => Dpx(OfThree, Min, Two(Signed));
    "__vimin3_s16x2_relu": UINT(UINT, UINT, UINT) => Dpx(OfThreeRelu, Min, Two(Signed));
    "__viaddmin_s16x2": UINT(UINT, UINT, UINT) => Dpx(OfSum, Min, Two(Signed));
    "__viaddmin_s16x2_relu": UINT(UINT, UINT, UINT) => Dpx(OfSumRelu, Min, Two(Signed));
    "__vibmin_s16x2": UINT(UINT, UINT, ptr(BOOL), ptr(BOOL)) => Dpx(WithPredicate, Min, Two(Signed));
    "__vimin3_u32": UINT(UINT, UINT, UINT) => Dpx(OfThree, Min, One(Unsigned));
    "__viaddmin_u32": UINT(UINT, UINT, UINT) => Dpx(OfSum, Min, One(Unsigned));
    "__vibmin_u32": UINT(UINT, UINT, ptr(BOOL)) => Dpx(WithPredicate, Min, One(Unsigned));
    "__vimin3_u16x2": UINT(UINT, UINT, UINT) => Dpx(OfThree, Min, Two(Unsigned));
    "__viaddmin_u16x2": UINT(UINT, UINT, UINT) => Dpx(OfSum, Min, Two(Unsigned));
    "__vibmin_u16x2": UINT(UINT, UINT, ptr(BOOL), ptr(BOOL)) => Dpx(WithPredicate, Min, Two(Unsigned));
}
