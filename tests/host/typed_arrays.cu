// One huge macro: a table of types makes structs, kernels, tables of functions, tests and names, as C libraries for arrays do it.
//@ launch: fill_f32 grid=2 block=32
//@ arg: f32:1.5
//@ arg: out=f32[40]
//@ arg: 40
//@ launch: map_f32 grid=2 block=32
//@ arg: f32[40]=random(1, -2, 2)
//@ arg: out=f32[40]
//@ arg: 40
//@ launch: fold_f32 grid=1 block=64
//@ arg: f32[100]=fill(0.5)
//@ arg: out=f32[1]
//@ arg: 100
//@ expect: out={50}
//@ launch: fill_f64 grid=2 block=32
//@ arg: f64:-2
//@ arg: out=f64[40]
//@ arg: 40
//@ launch: map_f64 grid=2 block=32
//@ arg: f64[40]=random(2, -2, 2)
//@ arg: out=f64[40]
//@ arg: 40
//@ launch: fold_f64 grid=1 block=64
//@ arg: f64[100]=iota
//@ arg: out=f64[1]
//@ arg: 100
//@ expect: out={4950}
//@ launch: fill_i32 grid=2 block=32
//@ arg: 7
//@ arg: out=i32[40]
//@ arg: 40
//@ launch: map_i32 grid=2 block=32
//@ arg: i32[40]=random(3, -1000, 1000)
//@ arg: out=i32[40]
//@ arg: 40
//@ launch: fold_i32 grid=1 block=64
//@ arg: i32[100]=random(4)
//@ arg: out=i32[1]
//@ arg: 100
//@ launch: fill_u8 grid=2 block=32
//@ arg: u8:255
//@ arg: out=u8[40]
//@ arg: 40
//@ launch: map_u8 grid=2 block=32
//@ arg: u8[40]=random(5)
//@ arg: out=u8[40]
//@ arg: 40
//@ launch: fold_u8 grid=1 block=64
//@ arg: u8[100]=random(6)
//@ arg: out=u8[1]
//@ arg: 100
//@ launch: iota grid=1 block=16
//@ arg: out=u64[16]
//@ launch: narrow_f64_to_f32 grid=1 block=8
//@ arg: f64={0.1, -1e30, 1e300, 3, 0, 1e-40, 2.5, -0.3}
//@ arg: out=f32[8]
//@ launch: narrow_i32_to_u8 grid=1 block=8
//@ arg: i32={-1, 256, 255, 300, 0, 77, -77, 1000}
//@ arg: out=u8[8]
//@ expect: out={255, 0, 255, 44, 0, 77, 179, 232}
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*      name, type,          zero,  map,                               format, flags */
#define TYPES(X)                                                                        \
    X(f32, float,         0.0f,  x > 0 ? __fsqrt_rn(x) : -x,         "%g",   FLOATING)   \
    X(f64, double,        0.0,   x > 0 ? __dsqrt_rn(x) : -x,         "%g",   FLOATING)   \
    X(i32, int,           0,     (x ^ 0x55) + __clz(x),              "%d",   SIGNED)     \
    X(u8,  unsigned char, 0,     (unsigned char)(x << 1 | x >> 7),   "%hhu", 0)

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define STRING(x) #x
#define COUNT_ONE(...) +1
#define N_TYPES (0 TYPES(COUNT_ONE))
#define UNIQUE(prefix) CONCAT(prefix, __COUNTER__)
#define FOREACH_THREAD(i, n) \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x, n_threads_ = gridDim.x * blockDim.x; i < (n); i += n_threads_)
#define COMPILE_TIME_CHECK(condition) typedef char UNIQUE(check_)[(condition) ? 1 : -1] __attribute__((unused))
#define EMPTY()
#define DEFER(x) x EMPTY()
#define EXPAND(...) __VA_ARGS__
#define FIRST(a, ...) a
#define DEFAULTS(...) EXPAND(DEFER(FIRST)(__VA_ARGS__, 64))
#define TRY(call, ...)                                                     \
    ({                                                                     \
        cudaError_t error_ = (call);                                       \
        if (error_ != cudaSuccess) {                                       \
            fprintf(stderr, "%s:%d: " STRING(call) ": %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
            __VA_ARGS__;                                                   \
        }                                                                  \
        error_;                                                            \
    })

enum flags { FLOATING = 1 << 0, SIGNED = 1 << 1 };
enum type {
#define X(name, ...) TYPE_##name,
    TYPES(X)
#undef X
    TYPE_NONE = -1
};

COMPILE_TIME_CHECK(N_TYPES == 4);
COMPILE_TIME_CHECK(TYPE_u8 == 3 && (int)TYPE_NONE < 0);
COMPILE_TIME_CHECK(DEFAULTS(1, 2) == 1);

#define DECLARE(NAME, TYPE, ZERO, MAP, FORMAT, FLAGS)                                                       \
    typedef struct { TYPE *data; size_t n; enum type type; } array_##NAME;                                  \
                                                                                                            \
    __device__ static __forceinline__ TYPE one_##NAME(TYPE x) { return MAP; }                               \
                                                                                                            \
    extern "C" __global__ void fill_##NAME(TYPE value, TYPE *out, int n) { FOREACH_THREAD(i, n) out[i] = value; } \
                                                                                                            \
    extern "C" __global__ void map_##NAME(const TYPE *in, TYPE *out, int n)                                 \
    {                                                                                                       \
        FOREACH_THREAD(i, n) out[i] = one_##NAME(in[i]);                                                    \
    }                                                                                                       \
                                                                                                            \
    __global__ void fold_##NAME(const TYPE *in, TYPE *out, int n)                                           \
    {                                                                                                       \
        __shared__ TYPE own[DEFAULTS(64)];                                                                  \
        TYPE sum = ZERO;                                                                                    \
        FOREACH_THREAD(i, n) sum += in[i];                                                                  \
        own[threadIdx.x] = sum;                                                                             \
        __syncthreads();                                                                                    \
        if (threadIdx.x != 0) return;                                                                       \
        for (unsigned t = 1; t < blockDim.x; t++) own[0] += own[t];                                         \
        *out = own[0];                                                                                      \
    }                                                                                                       \
                                                                                                            \
    static array_##NAME new_##NAME(size_t n, TYPE value)                                                    \
    {                                                                                                       \
        array_##NAME array = {NULL, n, TYPE_##NAME};                                                        \
        if (TRY(cudaMallocManaged(&array.data, n * sizeof(TYPE)), array.n = 0) == cudaSuccess)              \
            fill_##NAME<<<(n + 63) / 64, 64>>>(value, array.data, (int)n);                                  \
        return array;                                                                                       \
    }                                                                                                       \
                                                                                                            \
    static void print_##NAME(const void *data, size_t n)                                                    \
    {                                                                                                       \
        for (size_t i = 0; i < n; i++) printf(FORMAT "%c", ((const TYPE *)data)[i], " \n"[i + 1 == n]);     \
    }                                                                                                       \
                                                                                                            \
    static int test_##NAME(void)                                                                            \
    {                                                                                                       \
        array_##NAME a = new_##NAME(100, (TYPE)3), b = new_##NAME(100, ZERO);                               \
        map_##NAME<<<2, 64>>>(a.data, b.data, 100);                                                         \
        fold_##NAME<<<1, 64>>>(b.data, a.data, 100);                                                        \
        TRY(cudaDeviceSynchronize(), return 1);                                                             \
        print_##NAME(a.data, 1);                                                                            \
        return TRY(cudaFree(a.data)) || TRY(cudaFree(b.data));                                              \
    }

TYPES(DECLARE)

#define NARROW(FROM, TO) \
    __global__ void narrow_##FROM##_to_##TO(const CONCAT(FROM, _t_) *in, CONCAT(TO, _t_) *out) { out[threadIdx.x] = (CONCAT(TO, _t_))in[threadIdx.x]; }
#define ALIAS(NAME, TYPE, ...) typedef TYPE CONCAT(NAME, _t_);
TYPES(ALIAS)
NARROW(f64, f32)
NARROW(i32, u8)

__global__ void iota(unsigned long long out[DEFAULTS(16)]) { out[threadIdx.x] = threadIdx.x * N_TYPES + TYPE_i32 + (FLOATING | SIGNED); }

static const struct {
    const char *name;
    size_t size;
    unsigned flags;
    int (*test)(void);
    void (*print)(const void *, size_t);
} type_table[] = {
#define X(NAME, TYPE, ZERO, MAP, FORMAT, FLAGS) {#NAME, sizeof(TYPE), FLAGS, test_##NAME, &print_##NAME},
    TYPES(X)
#undef X
    {NULL, 0, 0, NULL, NULL},
};

int main(int argc, char **argv)
{
    int n_failed = 0;
    for (int t = 0; t < N_TYPES; t++) {
        if (argc > 1 && strcmp(argv[1], type_table[t].name))
            continue;
        const int failed = type_table[t].test();
        printf("%-4s %zu bytes%s: %s\n", type_table[t].name, type_table[t].size, type_table[t].flags & FLOATING ? ", floating" : "",
               failed ? "FAILED" : "ok");
        n_failed += failed;
    }
    iota<<<1, 16>>>(NULL);
    narrow_f64_to_f32<<<1, 8>>>(NULL, NULL);
    narrow_i32_to_u8<<<1, 8>>>(NULL, NULL);
    return n_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
