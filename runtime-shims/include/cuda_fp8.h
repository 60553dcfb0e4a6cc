/* Numbers of eight bits: with a sign, four bits of exponent and three of fraction (e4m3), five and two (e5m2), without a sign, five
   and three (ue5m3), and exponents alone (e8m0). */
#pragma once
#include <weft/small_floats.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#define __WEFT_FP8_ARGS const __nv_saturation_t saturate, const __nv_fp8_interpretation_t fp8_interpretation

/* What is above the greatest number is that, infinity, or no number. */
__WEFT_SMALL __nv_fp8_storage_t __weft_fp8(float x, __WEFT_FP8_ARGS)
{
    const bool is_e5m2 = fp8_interpretation == __NV_E5M2;
    const unsigned bits = __float_as_uint(x), magnitude = bits & 0x7fffffff, greatest = is_e5m2 ? 0x7b : 0x7e;
    if (magnitude > 0x7f800000)
        return 0x7f;
    const unsigned code = is_e5m2 ? __weft_small_rounded(magnitude, 5, 2, true, false) : __weft_small_rounded(magnitude, 4, 3, true, false);
    return bits >> 31 << 7 | (code <= greatest ? code : saturate == __NV_NOSAT ? greatest + 1 : greatest);
}
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, __WEFT_FP8_ARGS)
{
#if __CUDA_ARCH__ >= 890
    if (saturate != __NV_NOSAT) {
        unsigned short both;
        if (fp8_interpretation == __NV_E5M2)
            asm("cvt.rn.satfinite.e5m2x2.f32 %0, %2, %1;" : "=h"(both) : "f"(x.x), "f"(x.y));
        else
            asm("cvt.rn.satfinite.e4m3x2.f32 %0, %2, %1;" : "=h"(both) : "f"(x.x), "f"(x.y));
        return both;
    }
#endif
    return (unsigned)__weft_fp8(x.y, saturate, fp8_interpretation) << 8 | __weft_fp8(x.x, saturate, fp8_interpretation);
}
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, __WEFT_FP8_ARGS)
{
    return (__nv_fp8_storage_t)__nv_cvt_float2_to_fp8x2(make_float2(x, 0), saturate, fp8_interpretation);
}
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x, __WEFT_FP8_ARGS)
{
#if __CUDA_ARCH__ >= 890
    if (saturate != __NV_NOSAT) {
        const unsigned halves = (unsigned)x.y << 16 | x.x;
        unsigned short both;
        if (fp8_interpretation == __NV_E5M2)
            asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(both) : "r"(halves));
        else
            asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(both) : "r"(halves));
        return both;
    }
#endif
    return __nv_cvt_float2_to_fp8x2(__weft_small_of_half2(x), saturate, fp8_interpretation);
}
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, __WEFT_FP8_ARGS)
{
    return (__nv_fp8_storage_t)__nv_cvt_halfraw2_to_fp8x2(__weft_half2_raw(x.x), saturate, fp8_interpretation);
}
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x, __WEFT_FP8_ARGS)
{
    return __nv_cvt_float2_to_fp8x2(__weft_small_of_bfloat162(x), saturate, fp8_interpretation);
}
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, __WEFT_FP8_ARGS)
{
    return __nv_cvt_float_to_fp8(__weft_small_of_bfloat16(x.x), saturate, fp8_interpretation);
}
/* What is no number keeps its sign and its first digits. */
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, __WEFT_FP8_ARGS)
{
    if (x == x)
        return __weft_fp8(__weft_small_of_double(x), saturate, fp8_interpretation);
    const unsigned high = (unsigned)__double2hiint(x);
    return high >> 31 << 7 | (fp8_interpretation == __NV_E5M2 ? 0x7e | high >> 18 & 3 : 0x7f);
}
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x, __WEFT_FP8_ARGS)
{
    return (unsigned)__nv_cvt_double_to_fp8(x.y, saturate, fp8_interpretation) << 8 | __nv_cvt_double_to_fp8(x.x, saturate, fp8_interpretation);
}

__WEFT_SMALL unsigned __weft_fp8_to_half(unsigned x, const __nv_fp8_interpretation_t fp8_interpretation)
{
    const unsigned sign = (x & 0x80) << 8, code = x & 0x7f;
    if (fp8_interpretation == __NV_E5M2)
        return code > 0x7c ? 0x7fff : sign | code << 8;
    return code == 0x7f ? 0x7fff : sign | __weft_small_to_half(__weft_small_value(code, 4, 3));
}
__WEFT_SMALL __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t fp8_interpretation)
{
    unsigned halves;
#if __CUDA_ARCH__ >= 890
    if (fp8_interpretation == __NV_E5M2)
        asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(halves) : "h"(x));
    else
        asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(x));
#else
    halves = __weft_fp8_to_half(x >> 8, fp8_interpretation) << 16 | __weft_fp8_to_half(x & 0xff, fp8_interpretation);
#endif
    return __weft_half2_raw(halves);
}
__WEFT_SMALL __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t fp8_interpretation)
{
    return __weft_half_raw(__nv_cvt_fp8x2_to_halfraw2(x, fp8_interpretation).x);
}
__WEFT_SMALL __nv_bfloat16_raw __nv_cvt_fp8_to_bf16raw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t fp8_interpretation)
{
    return __weft_bfloat16_raw_of(__nv_cvt_fp8_to_halfraw(x, fp8_interpretation));
}
__WEFT_SMALL __nv_bfloat162_raw __nv_cvt_fp8x2_to_bf162raw(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t fp8_interpretation)
{
    return __weft_bfloat162_raw_of(__nv_cvt_fp8x2_to_halfraw2(x, fp8_interpretation));
}
#undef __WEFT_FP8_ARGS

/* Exponents. The sign is not looked at; 2^-127 is the least; the middle of two counts as above it. */
#define __WEFT_E8M0_ARGS const __nv_saturation_t saturate, const enum cudaRoundMode rounding

__WEFT_SMALL unsigned __weft_e8m0(float x, __WEFT_E8M0_ARGS)
{
    const unsigned magnitude = __float_as_uint(x) & 0x7fffffff, least = magnitude >> 23 ? 0 : 0x400000;
    if (magnitude > 0x7f800000)
        return 0xff;
    /* How far it is above the exponent, of 0x800000 parts; of the first one, of half as many. */
    const unsigned rest = magnitude & 0x7fffff, half = least ? 0x200000 : 0x400000;
    const unsigned above = rest > least ? rest - least : 0;
    const bool is_up = rounding == cudaRoundNearest ? above >= half : rounding != cudaRoundZero && rounding != cudaRoundMinInf && above;
    const unsigned code = (magnitude >> 23) + is_up;
    return code == 0xff && saturate != __NV_NOSAT ? 0xfe : code;
}
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(const float2 x, __WEFT_E8M0_ARGS)
{
#if __WEFT_SMALL_BY_PTX
    if (rounding != cudaRoundNearest) {
        const bool is_down = rounding == cudaRoundZero || rounding == cudaRoundMinInf;
        unsigned short both;
        if (is_down && saturate != __NV_NOSAT)
            asm("cvt.rz.satfinite.ue8m0x2.f32 %0, %2, %1;" : "=h"(both) : "f"(x.x), "f"(x.y));
        else if (is_down)
            asm("cvt.rz.ue8m0x2.f32 %0, %2, %1;" : "=h"(both) : "f"(x.x), "f"(x.y));
        else if (saturate != __NV_NOSAT)
            asm("cvt.rp.satfinite.ue8m0x2.f32 %0, %2, %1;" : "=h"(both) : "f"(x.x), "f"(x.y));
        else
            asm("cvt.rp.ue8m0x2.f32 %0, %2, %1;" : "=h"(both) : "f"(x.x), "f"(x.y));
        return both;
    }
#endif
    return __weft_e8m0(x.y, saturate, rounding) << 8 | __weft_e8m0(x.x, saturate, rounding);
}
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float x, __WEFT_E8M0_ARGS)
{
    return (__nv_fp8_storage_t)__nv_cvt_float2_to_e8m0x2(make_float2(x, 0), saturate, rounding);
}
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double x, __WEFT_E8M0_ARGS)
{
    return __nv_cvt_float_to_e8m0(__weft_small_of_double(x), saturate, rounding);
}
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(const double2 x, __WEFT_E8M0_ARGS)
{
    return __nv_cvt_float2_to_e8m0x2(__weft_small_of_double2(x), saturate, rounding);
}
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw x, __WEFT_E8M0_ARGS)
{
    return __nv_cvt_float_to_e8m0(__weft_small_of_bfloat16(x.x), saturate, rounding);
}
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(const __nv_bfloat162_raw x, __WEFT_E8M0_ARGS)
{
    return __nv_cvt_float2_to_e8m0x2(__weft_small_of_bfloat162(x), saturate, rounding);
}
__WEFT_SMALL __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x)
{
    unsigned both;
#if __WEFT_SMALL_BY_PTX
    asm("cvt.rn.bf16x2.ue8m0x2 %0, %1;" : "=r"(both) : "h"(x));
#else
    const unsigned low = x & 0xff, high = x >> 8;
    both = (high == 0xff ? 0x7fff : high ? high << 7 : 0x40) << 16 | (low == 0xff ? 0x7fff : low ? low << 7 : 0x40);
#endif
    return __weft_bfloat162_raw(both);
}
__WEFT_SMALL __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x)
{
    return __weft_bfloat16_raw(__nv_cvt_e8m0x2_to_bf162raw(x).x);
}

/* Magnitudes of five bits of exponent and three of fraction: infinity is no number, or the greatest one. */
__WEFT_SMALL unsigned __weft_ue5m3(float x, __WEFT_E8M0_ARGS)
{
    const unsigned magnitude = __float_as_uint(x) & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return 0xff;
    const bool is_down = rounding == cudaRoundZero || rounding == cudaRoundMinInf;
    const unsigned code = __weft_small_rounded(magnitude, 5, 3, __weft_small_is_nearest(rounding), rounding == cudaRoundPosInf);
    const bool is_finite = saturate != __NV_NOSAT || is_down && magnitude != 0x7f800000;
    return code <= 0xfe ? code : is_finite ? 0xfe : 0xff;
}
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_float_to_ue5m3(const float x, __WEFT_E8M0_ARGS) { return __weft_ue5m3(x, saturate, rounding); }
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_float2_to_ue5m3x2(const float2 x, __WEFT_E8M0_ARGS)
{
    return __weft_ue5m3(x.y, saturate, rounding) << 8 | __weft_ue5m3(x.x, saturate, rounding);
}
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_double_to_ue5m3(const double x, __WEFT_E8M0_ARGS)
{
    return __nv_cvt_float_to_ue5m3(__weft_small_of_double(x), saturate, rounding);
}
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_double2_to_ue5m3x2(const double2 x, __WEFT_E8M0_ARGS)
{
    return __nv_cvt_float2_to_ue5m3x2(__weft_small_of_double2(x), saturate, rounding);
}
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_halfraw_to_ue5m3(const __half_raw x, __WEFT_E8M0_ARGS)
{
    return __nv_cvt_float_to_ue5m3(__weft_small_of_half(x.x), saturate, rounding);
}
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_half2raw_to_ue5m3x2(const __half2_raw x, __WEFT_E8M0_ARGS)
{
    return __nv_cvt_float2_to_ue5m3x2(__weft_small_of_half2(x), saturate, rounding);
}
__WEFT_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_ue5m3(const __nv_bfloat16_raw x, __WEFT_E8M0_ARGS)
{
    return __nv_cvt_float_to_ue5m3(__weft_small_of_bfloat16(x.x), saturate, rounding);
}
__WEFT_SMALL __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_ue5m3x2(const __nv_bfloat162_raw x, __WEFT_E8M0_ARGS)
{
    return __nv_cvt_float2_to_ue5m3x2(__weft_small_of_bfloat162(x), saturate, rounding);
}
#undef __WEFT_E8M0_ARGS

__WEFT_SMALL float __weft_ue5m3_value(unsigned code)
{
    return code == 0xff ? __uint_as_float(0x7fffffff) : __weft_small_value(code, 5, 3);
}
__WEFT_SMALL __nv_bfloat16_raw __nv_cvt_ue5m3_to_bf16raw(const __nv_fp8_storage_t x)
{
    return __weft_bfloat16_raw(__weft_small_to_bfloat16(__weft_ue5m3_value(x)));
}
__WEFT_SMALL __nv_bfloat162_raw __nv_cvt_ue5m3x2_to_bf162raw(const __nv_fp8x2_storage_t x)
{
    const unsigned low = __weft_small_to_bfloat16(__weft_ue5m3_value(x & 0xff));
    return __weft_bfloat162_raw((unsigned)__weft_small_to_bfloat16(__weft_ue5m3_value(x >> 8)) << 16 | low);
}
__WEFT_SMALL __half_raw __nv_cvt_ue5m3_to_halfraw(const __nv_fp8_storage_t x)
{
    return __weft_half_raw(__weft_small_to_half(__weft_ue5m3_value(x)));
}
__WEFT_SMALL __half2_raw __nv_cvt_ue5m3x2_to_halfraw2(const __nv_fp8x2_storage_t x)
{
    const unsigned low = __weft_small_to_half(__weft_ue5m3_value(x & 0xff));
    return __weft_half2_raw((unsigned)__weft_small_to_half(__weft_ue5m3_value(x >> 8)) << 16 | low);
}

#define __CUDA_FP8_TYPES_EXIST__
__WEFT_CLASSES(fp8, e4m3, fp8, 16, half, __half, __nv_cvt_fp8_to_halfraw(x.__x, __NV_E4M3), __nv_cvt_fp8x2_to_halfraw2(x.__x, __NV_E4M3), __weft_small_of_half_raw, __weft_small_of_half2, __NV_SATFINITE, __NV_E4M3)
__WEFT_CLASSES(fp8, e5m2, fp8, 16, half, __half, __nv_cvt_fp8_to_halfraw(x.__x, __NV_E5M2), __nv_cvt_fp8x2_to_halfraw2(x.__x, __NV_E5M2), __weft_small_of_half_raw, __weft_small_of_half2, __NV_SATFINITE, __NV_E5M2)
__WEFT_CLASSES(fp8, e8m0, e8m0, 16, bfloat16, __nv_bfloat16, __nv_cvt_e8m0_to_bf16raw(x.__x), __nv_cvt_e8m0x2_to_bf162raw(x.__x), __weft_small_of_bfloat16_raw, __weft_small_widened2, __NV_SATFINITE, cudaRoundPosInf)
__WEFT_CLASSES(fp8, ue5m3, ue5m3, 16, bfloat16, __nv_bfloat16, __nv_cvt_ue5m3_to_bf16raw(x.__x), __nv_cvt_ue5m3x2_to_bf162raw(x.__x), __weft_small_widened, __weft_small_widened2, __NV_SATFINITE, cudaRoundNearest)
__WEFT_TO(__nv_fp8_e8m0, half, __half, __weft_half_raw(__weft_small_to_half((float)x)))
__WEFT_TO(__nv_fp8_ue5m3, half, __half, __weft_half_raw(__weft_small_to_half((float)x)))
__WEFT_TO(__nv_fp8x2_e8m0, half2, __half2, __weft_small_to_half2((float2)x))
__WEFT_TO(__nv_fp8x2_ue5m3, half2, __half2, __weft_small_to_half2((float2)x))

/* There are instructions for halves, too. */
#define __WEFT_FP8_OF_HALVES(kind, interpretation) \
    __WEFT_FROM(__nv_fp8_##kind, half, __half, __nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, interpretation)) \
    __WEFT_FROM(__nv_fp8x2_##kind, half2, __half2, __nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, interpretation)) \
    __WEFT_FROM_TWO(__nv_fp8x4_##kind, half2, __half2, 16, __nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, interpretation), (unsigned)__nv_cvt_halfraw2_to_fp8x2(y, __NV_SATFINITE, interpretation))
__WEFT_FP8_OF_HALVES(e4m3, __NV_E4M3)
__WEFT_FP8_OF_HALVES(e5m2, __NV_E5M2)
#undef __WEFT_FP8_OF_HALVES

/* Integers are rounded once; no exponent is zero. */
__WEFT_SMALL unsigned __weft_exponent_above(unsigned long long x) { return x > 1 ? 127 + 64 - __clzll(x - 1) : x ? 127 : 0; }
__WEFT_FROM(__nv_fp8_e8m0, ulonglong, unsigned long long, __weft_exponent_above(x))
__WEFT_FROM(__nv_fp8_e8m0, longlong, long long, __weft_exponent_above(x < 0 ? 0 - (unsigned long long)x : x))
__WEFT_TO(__nv_fp8_e8m0, bool, bool, true)
