/* Numbers of four bits, one or two in a byte: a sign, two bits of exponent and one of fraction (e2m1). All are finite: what is above the
   greatest is that, and what is no number too. */
#pragma once
#include <cuda_fp6.h>

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#define __WEFT_FP4_ARGS const __nv_fp4_interpretation_t fp4_interpretation, const enum cudaRoundMode rounding

__WEFT_SMALL unsigned __weft_fp4(float x, const enum cudaRoundMode rounding)
{
    const unsigned bits = __float_as_uint(x), magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return 7;
    const unsigned code = __weft_small_rounded(magnitude, 2, 1, __weft_small_is_nearest(rounding), __weft_small_is_up(rounding, bits >> 31));
    return bits >> 31 << 3 | (code < 7 ? code : 7);
}
__WEFT_SMALL __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(const float2 x, __WEFT_FP4_ARGS)
{
#if __WEFT_SMALL_BY_PTX
    if (rounding == cudaRoundNearest) {
        unsigned short both;
        asm("{ .reg .b8 both; cvt.rn.satfinite.e2m1x2.f32 both, %2, %1; mov.b16 %0, {both, 0}; }" : "=h"(both) : "f"(x.x), "f"(x.y));
        return (__nv_fp4x2_storage_t)both;
    }
#endif
    return __weft_fp4(x.y, rounding) << 4 | __weft_fp4(x.x, rounding);
}
__WEFT_SMALL __nv_fp4_storage_t __nv_cvt_float_to_fp4(const float x, __WEFT_FP4_ARGS)
{
    return __nv_cvt_float2_to_fp4x2(make_float2(x, 0), fp4_interpretation, rounding);
}
__WEFT_SMALL __nv_fp4_storage_t __nv_cvt_double_to_fp4(const double x, __WEFT_FP4_ARGS)
{
    return __nv_cvt_float_to_fp4(__weft_small_of_double(x), fp4_interpretation, rounding);
}
__WEFT_SMALL __nv_fp4x2_storage_t __nv_cvt_double2_to_fp4x2(const double2 x, __WEFT_FP4_ARGS)
{
    return __nv_cvt_float2_to_fp4x2(__weft_small_of_double2(x), fp4_interpretation, rounding);
}
__WEFT_SMALL __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(const __half_raw x, __WEFT_FP4_ARGS)
{
    return __nv_cvt_float_to_fp4(__weft_small_of_half(x.x), fp4_interpretation, rounding);
}
__WEFT_SMALL __nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(const __half2_raw x, __WEFT_FP4_ARGS)
{
    return __nv_cvt_float2_to_fp4x2(__weft_small_of_half2(x), fp4_interpretation, rounding);
}
__WEFT_SMALL __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(const __nv_bfloat16_raw x, __WEFT_FP4_ARGS)
{
    return __nv_cvt_float_to_fp4(__weft_small_of_bfloat16(x.x), fp4_interpretation, rounding);
}
__WEFT_SMALL __nv_fp4x2_storage_t __nv_cvt_bfloat16raw2_to_fp4x2(const __nv_bfloat162_raw x, __WEFT_FP4_ARGS)
{
    return __nv_cvt_float2_to_fp4x2(__weft_small_of_bfloat162(x), fp4_interpretation, rounding);
}
#undef __WEFT_FP4_ARGS

__WEFT_SMALL unsigned __weft_fp4_to_half(unsigned x) { return (x & 8) << 12 | __weft_small_to_half(__weft_small_value(x & 7, 2, 1)); }
__WEFT_SMALL __half2_raw __nv_cvt_fp4x2_to_halfraw2(const __nv_fp4x2_storage_t x, const __nv_fp4_interpretation_t fp4_interpretation)
{
    unsigned halves;
#if __WEFT_SMALL_BY_PTX
    asm("{ .reg .b8 both, none; mov.b16 {both, none}, %1; cvt.rn.f16x2.e2m1x2 %0, both; }" : "=r"(halves) : "h"((unsigned short)x));
#else
    halves = __weft_fp4_to_half(x >> 4) << 16 | __weft_fp4_to_half(x);
#endif
    return __weft_half2_raw(halves);
}
__WEFT_SMALL __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t x, const __nv_fp4_interpretation_t fp4_interpretation)
{
    return __weft_half_raw(__nv_cvt_fp4x2_to_halfraw2(x, fp4_interpretation).x);
}
__WEFT_SMALL __nv_bfloat16_raw __nv_cvt_fp4_to_bf16raw(const __nv_fp4_storage_t x, const __nv_fp4_interpretation_t fp4_interpretation)
{
    return __weft_bfloat16_raw_of(__nv_cvt_fp4_to_halfraw(x, fp4_interpretation));
}
__WEFT_SMALL __nv_bfloat162_raw __nv_cvt_fp4x2_to_bf162raw(const __nv_fp4x2_storage_t x, const __nv_fp4_interpretation_t fp4_interpretation)
{
    return __weft_bfloat162_raw_of(__nv_cvt_fp4x2_to_halfraw2(x, fp4_interpretation));
}

#define __CUDA_FP4_TYPES_EXIST__
__WEFT_CLASSES(fp4, e2m1, fp4, 8, half, __half, __nv_cvt_fp4_to_halfraw(x.__x, __NV_E2M1), __nv_cvt_fp4x2_to_halfraw2(x.__x, __NV_E2M1), __weft_small_of_half_raw, __weft_small_of_half2, __NV_E2M1, cudaRoundNearest)
