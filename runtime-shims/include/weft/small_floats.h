/* Numbers of eight bits and less: what the headers of each width share. How they are rounded is worked out from the formats. */
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <device_types.h>

#define __WEFT_SMALL static __inline__ __host__ __device__

/* Whether the GPU's family converts numbers of six and four bits, and exponents, by itself. */
#if __CUDA_ARCH_FAMILY_SPECIFIC__ >= 1000 && __CUDA_ARCH_FAMILY_SPECIFIC__ < 1300
#define __WEFT_SMALL_BY_PTX 1
#else
#define __WEFT_SMALL_BY_PTX 0
#endif

/* A magnitude, by the bits of a `float`, in a format with so many bits: its exponent and fraction as one number, which counts up
   with the magnitude, and is above the greatest where that is exceeded. */
__WEFT_SMALL unsigned __weft_small_rounded(unsigned magnitude, unsigned exponent_bits, unsigned fraction_bits, bool to_nearest, bool is_up)
{
    const unsigned least = 129 - (1u << (exponent_bits - 1));
    const bool is_normal = magnitude >> 23;
    const unsigned mantissa = is_normal ? magnitude & 0x7fffff | 0x800000 : magnitude;
    const unsigned exponent = is_normal ? magnitude >> 23 : 1;
    const unsigned scale = exponent > least ? exponent : least;
    /* Shifted further, nothing of a mantissa is left, and less than a half. */
    const unsigned wanted = 23 - fraction_bits + (scale - exponent);
    const unsigned shift = wanted < 25 ? wanted : 25;
    const unsigned kept = mantissa >> shift, rest = mantissa & (1u << shift) - 1, half = 1u << (shift - 1);
    const bool is_above = to_nearest ? rest > half || rest == half && kept & 1 : is_up && rest;
    return kept + is_above + (scale - least << fraction_bits);
}

/* What such a number stands for. */
__WEFT_SMALL float __weft_small_value(unsigned code, unsigned exponent_bits, unsigned fraction_bits)
{
    const unsigned least = 129 - (1u << (exponent_bits - 1));
    if (code >> fraction_bits)
        return __uint_as_float((code << (23 - fraction_bits)) + (least - 1 << 23));
    return (float)code * __uint_as_float(least - fraction_bits << 23);
}

__WEFT_SMALL __half_raw __weft_half_raw(unsigned bits)
{
    __half_raw raw;
    raw.x = (unsigned short)bits;
    return raw;
}
__WEFT_SMALL __half2_raw __weft_half2_raw(unsigned bits)
{
    __half2_raw raw;
    raw.x = (unsigned short)bits;
    raw.y = (unsigned short)(bits >> 16);
    return raw;
}
__WEFT_SMALL __nv_bfloat16_raw __weft_bfloat16_raw(unsigned bits)
{
    __nv_bfloat16_raw raw;
    raw.x = (unsigned short)bits;
    return raw;
}
__WEFT_SMALL __nv_bfloat162_raw __weft_bfloat162_raw(unsigned bits)
{
    __nv_bfloat162_raw raw;
    raw.x = (unsigned short)bits;
    raw.y = (unsigned short)(bits >> 16);
    return raw;
}

/* Options flush none of these. */
__WEFT_SMALL float __weft_small_of_half(unsigned short bits)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}
__WEFT_SMALL float __weft_small_of_bfloat16(unsigned short bits) { return __uint_as_float((unsigned)bits << 16); }
__WEFT_SMALL unsigned short __weft_small_to_half(float value)
{
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}
__WEFT_SMALL unsigned short __weft_small_to_bfloat16(float value) { return (unsigned short)(__float_as_uint(value) >> 16); }

__WEFT_SMALL double __weft_small_to_double(float value)
{
    double wide;
    asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(value));
    return wide;
}

/* Rounded to odd, which rounds again to fewer digits as the number itself does. */
__WEFT_SMALL float __weft_small_of_double(double number)
{
    float value;
    asm("cvt.rz.f32.f64 %0, %1;" : "=f"(value) : "d"(number));
    return __weft_small_to_double(value) == number ? value : __uint_as_float(__float_as_uint(value) | 1);
}

__WEFT_SMALL float __weft_small_of_half_raw(__half_raw bits) { return __weft_small_of_half(bits.x); }
__WEFT_SMALL float __weft_small_of_bfloat16_raw(__nv_bfloat16_raw bits) { return __weft_small_of_bfloat16(bits.x); }
/* The same by the instruction, where there is one: what is no number may become another. */
__WEFT_SMALL float __weft_small_widened(__nv_bfloat16_raw bits)
{
#if __CUDA_ARCH__ >= 900
    float value;
    asm("cvt.f32.bf16 %0, %1;" : "=f"(value) : "h"(bits.x));
    return value;
#else
    return __weft_small_of_bfloat16(bits.x);
#endif
}
__WEFT_SMALL float2 __weft_small_widened2(__nv_bfloat162_raw bits)
{
    return make_float2(__weft_small_widened(__weft_bfloat16_raw(bits.x)), __weft_small_widened(__weft_bfloat16_raw(bits.y)));
}
__WEFT_SMALL float2 __weft_small_of_half2(__half2_raw bits)
{
    return make_float2(__weft_small_of_half(bits.x), __weft_small_of_half(bits.y));
}
__WEFT_SMALL float2 __weft_small_of_bfloat162(__nv_bfloat162_raw bits)
{
    return make_float2(__weft_small_of_bfloat16(bits.x), __weft_small_of_bfloat16(bits.y));
}
__WEFT_SMALL float2 __weft_small_of_double2(double2 numbers)
{
    return make_float2(__weft_small_of_double(numbers.x), __weft_small_of_double(numbers.y));
}
__WEFT_SMALL __half2_raw __weft_small_to_half2(float2 values)
{
    return __weft_half2_raw((unsigned)__weft_small_to_half(values.y) << 16 | __weft_small_to_half(values.x));
}
/* What a half stands for, where that has no more digits than fit. */
__WEFT_SMALL __nv_bfloat16_raw __weft_bfloat16_raw_of(__half_raw half)
{
    return __weft_bfloat16_raw(__weft_small_to_bfloat16(__weft_small_of_half(half.x)));
}
__WEFT_SMALL __nv_bfloat162_raw __weft_bfloat162_raw_of(__half2_raw halves)
{
    const unsigned low = __weft_small_to_bfloat16(__weft_small_of_half(halves.x));
    return __weft_bfloat162_raw((unsigned)__weft_small_to_bfloat16(__weft_small_of_half(halves.y)) << 16 | low);
}
/* Away from zero, as the sign and the mode have it. */
__WEFT_SMALL bool __weft_small_is_nearest(enum cudaRoundMode rounding)
{
    return rounding != cudaRoundZero && rounding != cudaRoundPosInf && rounding != cudaRoundMinInf;
}
__WEFT_SMALL bool __weft_small_is_up(enum cudaRoundMode rounding, unsigned sign)
{
    return rounding == (sign ? cudaRoundMinInf : cudaRoundPosInf);
}

/* What CUDA's headers have as classes: a number, two and four of them, which functions convert whose names the compiler knows. */
#define __WEFT_CLASS(tag, storage, n_bytes) \
    struct __align__(n_bytes) __attribute__((__weft_class__)) tag { storage __x; };
#define __WEFT_FROM(tag, word, type, value) \
    __WEFT_SMALL tag __weft_##tag##_from_##word(type x) { tag made; made.__x = value; return made; }
#define __WEFT_FROM_TWO(tag, word, type, bits, low, high) \
    __WEFT_SMALL tag __weft_##tag##_from_##word##_##word(type x, type y) { tag made; made.__x = (high) << bits | (low); return made; }
#define __WEFT_FROM_FOUR(tag, type, make) \
    __WEFT_SMALL tag __weft_##tag##_from_##type(type x) { return tag(make(x.x, x.y), make(x.z, x.w)); }
#define __WEFT_TO(tag, word, type, value) \
    __WEFT_SMALL type __weft_##tag##_to_##word(tag x) { return value; }

/* Of names `__nv_WIDTH_KIND`, made by functions of names `__nv_cvt_float_to_FORMAT`, which are told more, and become half-precision
   numbers named HALF, from which OF_HALF makes a `float`. Two of them are in so many bits. */
#define __WEFT_CLASSES(width, kind, format, n_bits, half, half_type, to_half, to_half2, of_half, of_half2, ...) \
    __WEFT_CLASS(__nv_##width##_##kind, __nv_##width##_storage_t, sizeof(__nv_##width##_storage_t)) \
    __WEFT_CLASS(__nv_##width##x2_##kind, __nv_##width##x2_storage_t, sizeof(__nv_##width##x2_storage_t)) \
    __WEFT_CLASS(__nv_##width##x4_##kind, __nv_##width##x4_storage_t, sizeof(__nv_##width##x4_storage_t)) \
    __WEFT_FROM(__nv_##width##_##kind, float, float, __nv_cvt_float_to_##format(x, __VA_ARGS__)) \
    __WEFT_FROM(__nv_##width##_##kind, double, double, __nv_cvt_double_to_##format(x, __VA_ARGS__)) \
    __WEFT_TO(__nv_##width##_##kind, half, half_type, to_half) \
    __WEFT_TO(__nv_##width##_##kind, float, float, of_half((to_half))) \
    __WEFT_TO(__nv_##width##_##kind, double, double, __weft_small_to_double(of_half((to_half)))) \
    __WEFT_FROM(__nv_##width##x2_##kind, float2, float2, __nv_cvt_float2_to_##format##x2(x, __VA_ARGS__)) \
    __WEFT_FROM(__nv_##width##x2_##kind, double2, double2, __nv_cvt_double2_to_##format##x2(x, __VA_ARGS__)) \
    __WEFT_TO(__nv_##width##x2_##kind, half##2, half_type##2, to_half2) \
    __WEFT_TO(__nv_##width##x2_##kind, float2, float2, of_half2((to_half2))) \
    __WEFT_FROM_TWO(__nv_##width##x4_##kind, float2, float2, n_bits, __nv_cvt_float2_to_##format##x2(x, __VA_ARGS__), (__nv_##width##x4_storage_t)__nv_cvt_float2_to_##format##x2(y, __VA_ARGS__)) \
    __WEFT_FROM_TWO(__nv_##width##x4_##kind, double2, double2, n_bits, __nv_cvt_double2_to_##format##x2(x, __VA_ARGS__), (__nv_##width##x4_storage_t)__nv_cvt_double2_to_##format##x2(y, __VA_ARGS__)) \
    __WEFT_FROM_FOUR(__nv_##width##x4_##kind, float4, make_float2) \
    __WEFT_FROM_FOUR(__nv_##width##x4_##kind, double4, make_double2) \
    __WEFT_FROM_FOUR(__nv_##width##x4_##kind, double4_16a, make_double2) \
    __WEFT_FROM_FOUR(__nv_##width##x4_##kind, double4_32a, make_double2) \
    __WEFT_SMALL float4 __weft___nv_##width##x4_##kind##_to_float4(__nv_##width##x4_##kind x) \
    { \
        __nv_##width##x2_##kind low, high; \
        low.__x = (__nv_##width##x2_storage_t)x.__x; \
        high.__x = (__nv_##width##x2_storage_t)(x.__x >> n_bits); \
        const float2 first = (float2)low, second = (float2)high; \
        return make_float4(first.x, first.y, second.x, second.y); \
    }
