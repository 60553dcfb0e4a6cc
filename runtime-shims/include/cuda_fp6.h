/* Numbers of six bits, each in a byte: a sign, two bits of exponent and three of fraction (e2m3), or three and two (e3m2). All are
   finite: what is above the greatest is that, and what is no number too. */
#pragma once
#include <cuda_fp8.h>

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#define __WEFT_FP6_ARGS const __nv_fp6_interpretation_t fp6_interpretation, const enum cudaRoundMode rounding

__WEFT_SMALL unsigned __weft_fp6(float x, __WEFT_FP6_ARGS)
{
    const unsigned bits = __float_as_uint(x), magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return 0x1f;
    const bool to_nearest = __weft_small_is_nearest(rounding), is_up = __weft_small_is_up(rounding, bits >> 31);
    const unsigned code = fp6_interpretation == __NV_E3M2 ? __weft_small_rounded(magnitude, 3, 2, to_nearest, is_up)
                                                          : __weft_small_rounded(magnitude, 2, 3, to_nearest, is_up);
    return bits >> 31 << 5 | (code < 0x1f ? code : 0x1f);
}
__WEFT_SMALL __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(const float2 x, __WEFT_FP6_ARGS)
{
#if __WEFT_SMALL_BY_PTX
    if (rounding == cudaRoundNearest) {
        unsigned short both;
        if (fp6_interpretation == __NV_E3M2)
            asm("cvt.rn.satfinite.e3m2x2.f32 %0, %2, %1;" : "=h"(both) : "f"(x.x), "f"(x.y));
        else
            asm("cvt.rn.satfinite.e2m3x2.f32 %0, %2, %1;" : "=h"(both) : "f"(x.x), "f"(x.y));
        return both;
    }
#endif
    return __weft_fp6(x.y, fp6_interpretation, rounding) << 8 | __weft_fp6(x.x, fp6_interpretation, rounding);
}
__WEFT_SMALL __nv_fp6_storage_t __nv_cvt_float_to_fp6(const float x, __WEFT_FP6_ARGS)
{
    return (__nv_fp6_storage_t)__nv_cvt_float2_to_fp6x2(make_float2(x, 0), fp6_interpretation, rounding);
}
__WEFT_SMALL __nv_fp6_storage_t __nv_cvt_double_to_fp6(const double x, __WEFT_FP6_ARGS)
{
    return __nv_cvt_float_to_fp6(__weft_small_of_double(x), fp6_interpretation, rounding);
}
__WEFT_SMALL __nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(const double2 x, __WEFT_FP6_ARGS)
{
    return __nv_cvt_float2_to_fp6x2(__weft_small_of_double2(x), fp6_interpretation, rounding);
}
__WEFT_SMALL __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(const __half_raw x, __WEFT_FP6_ARGS)
{
    return __nv_cvt_float_to_fp6(__weft_small_of_half(x.x), fp6_interpretation, rounding);
}
__WEFT_SMALL __nv_fp6x2_storage_t __nv_cvt_halfraw2_to_fp6x2(const __half2_raw x, __WEFT_FP6_ARGS)
{
    return __nv_cvt_float2_to_fp6x2(__weft_small_of_half2(x), fp6_interpretation, rounding);
}
__WEFT_SMALL __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(const __nv_bfloat16_raw x, __WEFT_FP6_ARGS)
{
    return __nv_cvt_float_to_fp6(__weft_small_of_bfloat16(x.x), fp6_interpretation, rounding);
}
__WEFT_SMALL __nv_fp6x2_storage_t __nv_cvt_bfloat16raw2_to_fp6x2(const __nv_bfloat162_raw x, __WEFT_FP6_ARGS)
{
    return __nv_cvt_float2_to_fp6x2(__weft_small_of_bfloat162(x), fp6_interpretation, rounding);
}
#undef __WEFT_FP6_ARGS

__WEFT_SMALL unsigned __weft_fp6_to_half(unsigned x, const __nv_fp6_interpretation_t fp6_interpretation)
{
    const float value = fp6_interpretation == __NV_E3M2 ? __weft_small_value(x & 0x1f, 3, 2) : __weft_small_value(x & 0x1f, 2, 3);
    return (x & 0x20) << 10 | __weft_small_to_half(value);
}
__WEFT_SMALL __half2_raw __nv_cvt_fp6x2_to_halfraw2(const __nv_fp6x2_storage_t x, const __nv_fp6_interpretation_t fp6_interpretation)
{
    unsigned halves;
#if __WEFT_SMALL_BY_PTX
    if (fp6_interpretation == __NV_E3M2)
        asm("cvt.rn.f16x2.e3m2x2 %0, %1;" : "=r"(halves) : "h"(x));
    else
        asm("cvt.rn.f16x2.e2m3x2 %0, %1;" : "=r"(halves) : "h"(x));
#else
    halves = __weft_fp6_to_half(x >> 8, fp6_interpretation) << 16 | __weft_fp6_to_half(x, fp6_interpretation);
#endif
    return __weft_half2_raw(halves);
}
__WEFT_SMALL __half_raw __nv_cvt_fp6_to_halfraw(const __nv_fp6_storage_t x, const __nv_fp6_interpretation_t fp6_interpretation)
{
    return __weft_half_raw(__nv_cvt_fp6x2_to_halfraw2(x, fp6_interpretation).x);
}
__WEFT_SMALL __nv_bfloat16_raw __nv_cvt_fp6_to_bf16raw(const __nv_fp6_storage_t x, const __nv_fp6_interpretation_t fp6_interpretation)
{
    return __weft_bfloat16_raw_of(__nv_cvt_fp6_to_halfraw(x, fp6_interpretation));
}
__WEFT_SMALL __nv_bfloat162_raw __nv_cvt_fp6x2_to_bf162raw(const __nv_fp6x2_storage_t x, const __nv_fp6_interpretation_t fp6_interpretation)
{
    return __weft_bfloat162_raw_of(__nv_cvt_fp6x2_to_halfraw2(x, fp6_interpretation));
}

#define __CUDA_FP6_TYPES_EXIST__
__WEFT_CLASSES(fp6, e2m3, fp6, 16, half, __half, __nv_cvt_fp6_to_halfraw(x.__x, __NV_E2M3), __nv_cvt_fp6x2_to_halfraw2(x.__x, __NV_E2M3), __weft_small_of_half_raw, __weft_small_of_half2, __NV_E2M3, cudaRoundNearest)
__WEFT_CLASSES(fp6, e3m2, fp6, 16, half, __half, __nv_cvt_fp6_to_halfraw(x.__x, __NV_E3M2), __nv_cvt_fp6x2_to_halfraw2(x.__x, __NV_E3M2), __weft_small_of_half_raw, __weft_small_of_half2, __NV_E3M2, cudaRoundNearest)
