// Rows of a neural network's layer: half precision, vector types, rounding up to powers of two.
#include <cuda_fp16.h>
#include <cstdint>
#include <cassert>
template <typename input_t, typename output_t, typename acc_t, int log2_elements, bool is_log>
__global__ void softmax_warp(output_t *dst, const input_t *src, int batch, int stride)
{
    constexpr int elements = 1 << log2_elements;
    acc_t sum = 0;
    for (int i = 0; i < elements; i++) if (i < stride) sum += (acc_t)src[threadIdx.x * stride + i];
    dst[threadIdx.x] = (output_t)(is_log ? -sum : sum);
}
template <typename T> __global__ void gelu(T *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = x[i] * (T)0.5f; }
static inline int log2_ceil(int value) { int l = 0; while ((1 << l) < value) ++l; return l; }
template <typename input_t, typename output_t, typename acc_t, bool is_log>
void dispatch_softmax(output_t *dst, const input_t *src, int elements, int batch)
{
    if (elements == 0) return;
    int log2_elements = log2_ceil(elements);
    dim3 threads(32, 4, 1);
    int blocks = (batch + 3) / 4;
    switch (log2_elements) {
#define LAUNCH(L2E) case L2E: softmax_warp<input_t, output_t, acc_t, L2E, is_log><<<blocks, threads, 0>>>(dst, src, batch, elements); break;
        LAUNCH(0)
        LAUNCH(1)
        LAUNCH(2)
        LAUNCH(3)
        LAUNCH(4)
#undef LAUNCH
    default: assert(false);
    }
}
void forward(__half *dst, const __half *src, float *f, int dim, int batch)
{
    dispatch_softmax<__half, __half, float, false>(dst, src, dim, batch);
    dispatch_softmax<float, float, float, true>(f, f, dim, batch);
    gelu<<<batch, dim>>>(f, batch);
    gelu<<<batch, dim>>>(dst, batch);
}
