/* Matrices of a warp (`nvcuda::wmma`), on nvcc's built-in functions. Types, names and layouts are those of CUDA's header. */
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#if __CUDA_ARCH__ >= 700
#define __WEFT_WMMA_FUNCTION static __forceinline__ __device__

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

#if __CUDA_ARCH__ >= 800
namespace precision {
struct tf32;
}
__WEFT_WMMA_FUNCTION float __float_to_tf32(float in) {
    float rounded;
    asm("{ .reg .b32 r; cvt.rna.tf32.f32 r, %1; mov.b32 %0, r; }" : "=f"(rounded) : "f"(in));
    return rounded;
}
#endif

namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}
enum bmmaBitOp {
    bmmaBitOpXOR = 1,
#if __CUDA_ARCH__ >= 800
    bmmaBitOpAND = 2
#endif
};
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}

template <typename T>
struct helper_traits {
    typedef T element_type;
    typedef T storage_element_type;
    typedef T fill_argument_type;
};
#define __WEFT_WMMA_STORED(T, as)                                                                                      \
    template <>                                                                                                        \
    struct helper_traits<T> {                                                                                          \
        typedef T element_type;                                                                                        \
        typedef as storage_element_type;                                                                               \
        typedef as fill_argument_type;                                                                                 \
    };
__WEFT_WMMA_STORED(experimental::precision::u4, unsigned)
__WEFT_WMMA_STORED(experimental::precision::s4, int)
__WEFT_WMMA_STORED(experimental::precision::b1, unsigned)
#if __CUDA_ARCH__ >= 800
__WEFT_WMMA_STORED(precision::tf32, float)
#endif

/* What a thread has of a matrix. */
template <typename T, int size, int packed_size = size>
struct __align__(8) __frag_base {
    enum { num_elements = size };
    enum { num_storage_elements = packed_size };
    typedef T element_type;
    typedef typename helper_traits<T>::storage_element_type storage_element_type;
    storage_element_type x[num_storage_elements];
};

namespace __weft {

template <typename Layout>
struct layout_number;
template <>
struct layout_number<row_major> {
    enum { value = 0 };
};
template <>
struct layout_number<col_major> {
    enum { value = 1 };
};

/* How many elements a thread has, as which type they are in memory, and the functions for them. */
template <typename Use, int m, int n, int k, typename T>
struct part;
/* Loads take a layout that is a constant. */
#define __WEFT_WMMA_FACTOR(use, m, n, k, T, size, packed, in_memory, as, function)                                     \
    template <>                                                                                                        \
    struct part<use, m, n, k, T> {                                                                                     \
        enum { elements = size, stored = packed };                                                                     \
        typedef in_memory memory_type;                                                                                 \
        template <int layout>                                                                                          \
        __WEFT_WMMA_FUNCTION void load(void *to, const void *from, unsigned stride) {                                  \
            function((as *)to, (const as *)from, stride, layout);                                                      \
        }                                                                                                              \
    };
#define __WEFT_WMMA_SUM(m, n, k, T, size, as, loads, stores)                                                           \
    template <>                                                                                                        \
    struct part<accumulator, m, n, k, T> {                                                                             \
        enum { elements = size, stored = size };                                                                       \
        typedef T memory_type;                                                                                         \
        template <int layout>                                                                                          \
        __WEFT_WMMA_FUNCTION void load(void *to, const void *from, unsigned stride) {                                  \
            loads((as *)to, (const as *)from, stride, layout);                                                         \
        }                                                                                                              \
        template <int layout>                                                                                          \
        __WEFT_WMMA_FUNCTION void store(void *to, const void *from, unsigned stride) {                                 \
            stores((as *)to, (const as *)from, stride, layout);                                                        \
        }                                                                                                              \
    };

/* A product of two matrices and a sum: `layout` is 2 where the columns of A follow one another, and 1 where those of B do. */
template <int m, int n, int k, typename T, typename To, typename From>
struct product;
#define __WEFT_WMMA_PRODUCT(m, n, k, T, To, From, to_as, factor_as, from_as, function)                                 \
    template <>                                                                                                        \
    struct product<m, n, k, T, To, From> {                                                                             \
        template <int layout, int is_saturated>                                                                        \
        __WEFT_WMMA_FUNCTION void run(void *to, const void *a, const void *b, const void *c) {                         \
            function((to_as *)to, (const factor_as *)a, (const factor_as *)b, (const from_as *)c, layout, is_saturated); \
        }                                                                                                              \
    };

#define __WEFT_WMMA_HALVES(m, n, k, shape)                                                                             \
    __WEFT_WMMA_FACTOR(matrix_a, m, n, k, __half, 16, 16, __half, int, __hmma_##shape##_ld_a)                          \
    __WEFT_WMMA_FACTOR(matrix_b, m, n, k, __half, 16, 16, __half, int, __hmma_##shape##_ld_b)                          \
    __WEFT_WMMA_SUM(m, n, k, __half, 8, int, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)                     \
    __WEFT_WMMA_SUM(m, n, k, float, 8, float, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32)                    \
    __WEFT_WMMA_PRODUCT(m, n, k, __half, __half, __half, int, int, int, __hmma_##shape##_mma_f16f16)                   \
    __WEFT_WMMA_PRODUCT(m, n, k, __half, __half, float, int, int, float, __hmma_##shape##_mma_f16f32)                  \
    __WEFT_WMMA_PRODUCT(m, n, k, __half, float, __half, float, int, int, __hmma_##shape##_mma_f32f16)                  \
    __WEFT_WMMA_PRODUCT(m, n, k, __half, float, float, float, int, float, __hmma_##shape##_mma_f32f32)
__WEFT_WMMA_HALVES(16, 16, 16, m16n16k16)
__WEFT_WMMA_HALVES(32, 8, 16, m32n8k16)
__WEFT_WMMA_HALVES(8, 32, 16, m8n32k16)

#if __CUDA_ARCH__ >= 720
#define __WEFT_WMMA_BYTES(m, n, k, shape, T, letter, size_a, size_b)                                                   \
    __WEFT_WMMA_FACTOR(matrix_a, m, n, k, T, size_a, size_a, T, int, __imma_##shape##_ld_a_##letter)                   \
    __WEFT_WMMA_FACTOR(matrix_b, m, n, k, T, size_b, size_b, T, int, __imma_##shape##_ld_b_##letter)                   \
    __WEFT_WMMA_PRODUCT(m, n, k, T, int, int, int, int, int, __imma_##shape##_mma_##letter)
#define __WEFT_WMMA_BYTES_OF(m, n, k, shape, size_a, size_b)                                                           \
    __WEFT_WMMA_BYTES(m, n, k, shape, signed char, s8, size_a, size_b)                                                 \
    __WEFT_WMMA_BYTES(m, n, k, shape, unsigned char, u8, size_a, size_b)                                               \
    __WEFT_WMMA_SUM(m, n, k, int, 8, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)
__WEFT_WMMA_BYTES_OF(16, 16, 16, m16n16k16, 8, 8)
__WEFT_WMMA_BYTES_OF(32, 8, 16, m32n8k16, 16, 4)
__WEFT_WMMA_BYTES_OF(8, 32, 16, m8n32k16, 4, 16)
#endif

#if __CUDA_ARCH__ >= 730
#define __WEFT_WMMA_NIBBLES(T, letter)                                                                                 \
    __WEFT_WMMA_FACTOR(matrix_a, 8, 8, 32, experimental::precision::T, 8, 1, void, int, __imma_m8n8k32_ld_a_##letter)  \
    __WEFT_WMMA_FACTOR(matrix_b, 8, 8, 32, experimental::precision::T, 8, 1, void, int, __imma_m8n8k32_ld_b_##letter)  \
    __WEFT_WMMA_PRODUCT(8, 8, 32, experimental::precision::T, int, int, int, int, int, __imma_m8n8k32_mma_##letter)
__WEFT_WMMA_NIBBLES(u4, u4)
__WEFT_WMMA_NIBBLES(s4, s4)
__WEFT_WMMA_SUM(8, 8, 32, int, 2, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
__WEFT_WMMA_FACTOR(matrix_a, 8, 8, 128, experimental::precision::b1, 32, 1, void, int, __bmma_m8n8k128_ld_a_b1)
__WEFT_WMMA_FACTOR(matrix_b, 8, 8, 128, experimental::precision::b1, 32, 1, void, int, __bmma_m8n8k128_ld_b_b1)
__WEFT_WMMA_SUM(8, 8, 128, int, 2, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
#endif

#if __CUDA_ARCH__ >= 800
#define __WEFT_WMMA_BFLOATS(m, n, k, shape, size_a, size_b)                                                            \
    __WEFT_WMMA_FACTOR(matrix_a, m, n, k, __nv_bfloat16, size_a, size_a, __nv_bfloat16, int, __mma_bf16_##shape##_ld_a) \
    __WEFT_WMMA_FACTOR(matrix_b, m, n, k, __nv_bfloat16, size_b, size_b, __nv_bfloat16, int, __mma_bf16_##shape##_ld_b) \
    __WEFT_WMMA_PRODUCT(m, n, k, __nv_bfloat16, float, float, float, int, float, __mma_bf16_##shape##_mma_f32)
__WEFT_WMMA_BFLOATS(16, 16, 16, m16n16k16, 8, 8)
__WEFT_WMMA_BFLOATS(32, 8, 16, m32n8k16, 16, 4)
__WEFT_WMMA_BFLOATS(8, 32, 16, m8n32k16, 4, 16)
__WEFT_WMMA_FACTOR(matrix_a, 16, 16, 8, precision::tf32, 4, 4, float, int, __mma_tf32_m16n16k8_ld_a)
__WEFT_WMMA_FACTOR(matrix_b, 16, 16, 8, precision::tf32, 4, 4, float, int, __mma_tf32_m16n16k8_ld_b)
__WEFT_WMMA_SUM(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
__WEFT_WMMA_PRODUCT(16, 16, 8, precision::tf32, float, float, float, int, float, __mma_tf32_m16n16k8_mma_f32)
__WEFT_WMMA_FACTOR(matrix_a, 8, 8, 4, double, 1, 1, double, double, __dmma_m8n8k4_ld_a)
__WEFT_WMMA_FACTOR(matrix_b, 8, 8, 4, double, 1, 1, double, double, __dmma_m8n8k4_ld_b)
__WEFT_WMMA_SUM(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
__WEFT_WMMA_PRODUCT(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64)
#endif

/* One value in every element that is stored. */
template <typename T>
struct filling {
    template <typename V>
    __WEFT_WMMA_FUNCTION V of(V value) { return value; }
};
template <>
struct filling<experimental::precision::u4> {
    __WEFT_WMMA_FUNCTION unsigned of(unsigned value) { return (value & 15) * 0x11111111u; }
};
template <>
struct filling<experimental::precision::s4> {
    __WEFT_WMMA_FUNCTION int of(int value) { return int((value & 15) * 0x11111111u); }
};
template <>
struct filling<experimental::precision::b1> {
    __WEFT_WMMA_FUNCTION unsigned of(unsigned value) { return 0u - (value & 1); }
};

}

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class fragment : public __frag_base<T, __weft::part<Use, m, n, k, T>::elements, __weft::part<Use, m, n, k, T>::stored> {};

template <typename T, int size, int packed_size>
__WEFT_WMMA_FUNCTION void fill_fragment(__frag_base<T, size, packed_size> &f,
                                        const typename helper_traits<T>::fill_argument_type &in) {
    typename helper_traits<T>::storage_element_type value = __weft::filling<T>::of(in);
#pragma unroll
    for (int i = 0; i < packed_size; i++)
        f.x[i] = value;
}

template <typename Use, int m, int n, int k, typename T, typename Layout>
__WEFT_WMMA_FUNCTION void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &a,
                                           const typename __weft::part<Use, m, n, k, T>::memory_type *p, unsigned ldm) {
    __weft::part<Use, m, n, k, T>::template load<__weft::layout_number<Layout>::value>(&a, p, ldm);
}

template <int m, int n, int k, typename T>
__WEFT_WMMA_FUNCTION void load_matrix_sync(fragment<accumulator, m, n, k, T> &a,
                                           const typename __weft::part<accumulator, m, n, k, T>::memory_type *p,
                                           unsigned ldm, layout_t layout) {
    if (layout == mem_row_major)
        __weft::part<accumulator, m, n, k, T>::template load<0>(&a, p, ldm);
    else
        __weft::part<accumulator, m, n, k, T>::template load<1>(&a, p, ldm);
}

template <int m, int n, int k, typename T>
__WEFT_WMMA_FUNCTION void store_matrix_sync(typename __weft::part<accumulator, m, n, k, T>::memory_type *p,
                                            const fragment<accumulator, m, n, k, T> &a, unsigned ldm, layout_t layout) {
    if (layout == mem_row_major)
        __weft::part<accumulator, m, n, k, T>::template store<0>(p, &a, ldm);
    else
        __weft::part<accumulator, m, n, k, T>::template store<1>(p, &a, ldm);
}

template <int m, int n, int k, typename T, typename A, typename B, typename To, typename From>
__WEFT_WMMA_FUNCTION void mma_sync(fragment<accumulator, m, n, k, To> &d, const fragment<matrix_a, m, n, k, T, A> &a,
                                   const fragment<matrix_b, m, n, k, T, B> &b,
                                   const fragment<accumulator, m, n, k, From> &c) {
    constexpr int layout = 2 * __weft::layout_number<A>::value + __weft::layout_number<B>::value;
    __weft::product<m, n, k, T, To, From>::template run<layout, 0>(&d, &a, &b, &c);
}

#if __CUDA_ARCH__ >= 720
template <int m, int n, int k, typename T, typename A, typename B>
__WEFT_WMMA_FUNCTION void mma_sync(fragment<accumulator, m, n, k, int> &d, const fragment<matrix_a, m, n, k, T, A> &a,
                                   const fragment<matrix_b, m, n, k, T, B> &b,
                                   const fragment<accumulator, m, n, k, int> &c, bool satf) {
    constexpr int layout = 2 * __weft::layout_number<A>::value + __weft::layout_number<B>::value;
    if (satf)
        __weft::product<m, n, k, T, int, int>::template run<layout, 1>(&d, &a, &b, &c);
    else
        __weft::product<m, n, k, T, int, int>::template run<layout, 0>(&d, &a, &b, &c);
}
#endif

#if __CUDA_ARCH__ >= 730
__WEFT_WMMA_FUNCTION void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
                                    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
                                    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
                                    const fragment<accumulator, 8, 8, 128, int> &c,
                                    experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                                    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
#if __CUDA_ARCH__ >= 800
    if (op == experimental::bmmaBitOpAND)
        __bmma_m8n8k128_mma_and_popc_b1((int *)&d, (const int *)&a, (const int *)&b, (const int *)&c, 1);
    else
#endif
        __bmma_m8n8k128_mma_xor_popc_b1((int *)&d, (const int *)&a, (const int *)&b, (const int *)&c, 1);
}
#endif

}
}

#undef __WEFT_WMMA_FUNCTION
#endif
