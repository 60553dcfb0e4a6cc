// How far approximate instructions are from the exact results, over all arguments of 32 bits.
//
// A line of output: instruction; arguments tried; results that are not the nearest number; the largest error in units in the last
// place and its argument; the largest absolute error and its argument. Arguments whose result is not finite and normal count only
// for being equal to what the exact one rounds to.
#include <cmath>
#include <cstdio>
#include <cstring>

typedef unsigned long long Word;

struct Found {
    Word n_tried, n_not_nearest, n_other_specials;
    Word ulps;     // the largest error in 1/1024 units, with the argument's bits below it
    Word absolute; // the bits of a float, likewise
};

#define UNARY(NAME, TEXT, EXACT)                                                                                                 \
    struct NAME {                                                                                                                \
        static __device__ float compute(float x)                                                                                 \
        {                                                                                                                        \
            float y;                                                                                                             \
            asm(TEXT " %0, %1;" : "=f"(y) : "f"(x));                                                                             \
            return y;                                                                                                            \
        }                                                                                                                        \
        static __device__ double exact(double x) { return EXACT; }                                                               \
        static const char *text() { return TEXT; }                                                                               \
    };

UNARY(Rcp, "rcp.approx.f32", 1 / x)
UNARY(RcpFtz, "rcp.approx.ftz.f32", 1 / x)
UNARY(Sqrt, "sqrt.approx.f32", sqrt(x))
UNARY(SqrtFtz, "sqrt.approx.ftz.f32", sqrt(x))
UNARY(Rsqrt, "rsqrt.approx.f32", 1 / sqrt(x))
UNARY(RsqrtFtz, "rsqrt.approx.ftz.f32", 1 / sqrt(x))
UNARY(Ex2, "ex2.approx.f32", exp2(x))
UNARY(Ex2Ftz, "ex2.approx.ftz.f32", exp2(x))
UNARY(Lg2, "lg2.approx.f32", log2(x))
UNARY(Lg2Ftz, "lg2.approx.ftz.f32", log2(x))
UNARY(Sin, "sin.approx.f32", sin(x))
UNARY(Cos, "cos.approx.f32", cos(x))
UNARY(Tanh, "tanh.approx.f32", tanh(x))

template <class Function>
__global__ void measure(float low, float high, Found *found)
{
    const Word n_threads = (Word)gridDim.x * blockDim.x;
    Word ulps = 0, absolute = 0, n_tried = 0, n_not_nearest = 0, n_other = 0;
    for (Word i = blockIdx.x * (Word)blockDim.x + threadIdx.x; i < 1ull << 32; i += n_threads) {
        const float x = __uint_as_float((unsigned)i);
        if (!(fabsf(x) >= low && fabsf(x) <= high))
            continue;
        const float y = Function::compute(x);
        const double exact = Function::exact(x);
        const float nearest = (float)exact;
        ++n_tried;
        const bool is_same = __float_as_uint(y) == __float_as_uint(nearest) || (y != y && nearest != nearest);
        n_not_nearest += !is_same;
        if (isfinite(y) && isfinite(nearest) && fabsf(nearest) >= 1.17549435e-38f) {
            const int exponent = ilogb(exact);
            const double error = fabs(y - exact), units = ldexp(error, 23 - exponent);
            const Word scaled = units * 1024 < 4e9 ? (Word)(units * 1024) : 0xffffffff;
            const Word first = scaled << 32 | (unsigned)i, second = (Word)__float_as_uint((float)error) << 32 | (unsigned)i;
            ulps = first > ulps ? first : ulps;
            absolute = second > absolute ? second : absolute;
        } else {
            n_other += !is_same;
        }
    }
    atomicAdd(&found->n_tried, n_tried);
    atomicAdd(&found->n_not_nearest, n_not_nearest);
    atomicAdd(&found->n_other_specials, n_other);
    atomicMax(&found->ulps, ulps);
    atomicMax(&found->absolute, absolute);
}

static float number(Word bits)
{
    const unsigned word = (unsigned)bits;
    float x;
    std::memcpy(&x, &word, 4);
    return x;
}

// Over arguments whose absolute value is in an interval, NaNs aside.
template <class Function>
static void show(float low, float high)
{
    Found *device, found;
    cudaMalloc(&device, sizeof found);
    cudaMemset(device, 0, sizeof found);
    measure<Function><<<132 * 8, 256>>>(low, high, device);
    if (cudaMemcpy(&found, device, sizeof found, cudaMemcpyDeviceToHost))
        std::printf("%s: %s\n", Function::text(), cudaGetErrorString(cudaGetLastError()));
    std::printf("%s in [%a, %a]: %llu tried, %llu not nearest (%llu of them not normal), %.3f ulp at %a, %.3e at %a\n", Function::text(),
                low, high, found.n_tried, found.n_not_nearest, found.n_other_specials, (found.ulps >> 32) / 1024.0,
                number(found.ulps), number(found.absolute >> 32), number(found.absolute));
    cudaFree(device);
}

int main()
{
    show<Rcp>(0, INFINITY);
    show<RcpFtz>(0, INFINITY);
    show<Sqrt>(0, INFINITY);
    show<SqrtFtz>(0, INFINITY);
    show<Rsqrt>(0, INFINITY);
    show<RsqrtFtz>(0, INFINITY);
    show<Ex2>(0, INFINITY);
    show<Ex2Ftz>(0, INFINITY);
    show<Lg2>(0, 0.5f);
    show<Lg2>(0.5f, 2);
    show<Lg2>(2, INFINITY);
    show<Lg2Ftz>(0, INFINITY);
    show<Sin>(0, 3.14159265f);
    show<Sin>(3.14159265f, 100 * 3.14159265f);
    show<Cos>(0, 3.14159265f);
    show<Cos>(3.14159265f, 100 * 3.14159265f);
    show<Tanh>(0, INFINITY);
    return 0;
}
