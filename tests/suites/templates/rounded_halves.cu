//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)

// Products that are rounded to half precision before they are added: one instruction for both would round once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ void store(__half &to, float x) { to = __float2half(x); }
__device__ void store(__nv_bfloat16 &to, float x) { to = __float2bfloat16(x); }
__device__ float load(__half x) { return __half2float(x); }
__device__ float load(__nv_bfloat16 x) { return __bfloat162float(x); }
template <typename T> struct Number {
    T bits;
    __device__ Number(float x) { store(bits, x); }
    __device__ operator float() const { return load(bits); }
};
template <typename T> __device__ Number<T> operator*(const Number<T> &a, const Number<T> &b) { return float(a) * float(b); }
template <typename T> __device__ Number<T> operator+(const Number<T> &a, const Number<T> &b) { return float(a) + float(b); }

template <typename T> __device__ float weighted(float x, float y, float z) {
    Number<T> a(x), b(y), c(z);
    return a * b + b * c + c * a;
}
__device__ float pairs(float x, float y) {
    __half2 a = __floats2half2_rn(x, y), b = __floats2half2_rn(y, x);
    float2 f = __half22float2(a), g = __half22float2(b);
    float2 p = __half22float2(__floats2half2_rn(f.x * g.x, f.y * g.y));
    return __low2float(__floats2half2_rn(p.x + f.x, p.y + g.y)) + __half2float(__double2half((double)f.x * g.y));
}

extern "C" __global__ void test(float *out) {
    int i = threadIdx.x;
    float x = out[i] + i * 0.37f;
    float sum = weighted<__half>(x, 1.7f + i, 0.3f) + weighted<__nv_bfloat16>(x, 1.7f + i, 0.3f);
    out[i] = sum + pairs(x, 3.1f) + __half2float(__float2half(0.1f));
}
