// Sums in three ways: with a class for timing, std::vector, std::chrono, a namespace of helpers and default arguments.
//@ launch: reduce_interleaved grid=3 block=64 shared=256
//@ arg: in=f32[150]=random(11)
//@ arg: out=f32[3]
//@ arg: 150
//@ launch: reduce_sequential grid=2 block=128 shared=512
//@ arg: in=f32[1000]=random(12)
//@ arg: out=f32[2]
//@ arg: 1000
//@ launch: reduce_shuffle grid=2 block=96
//@ arg: in=i32[700]=iota
//@ arg: out=i64={0}
//@ arg: 700
//@ expect: out={244650}
//@ launch: minimum_and_maximum grid=1 block=64
//@ arg: in=i32={7, -3, 12, 99, 0, -45, 6}
//@ arg: 7
//@ arg: out=i32={2147483647, -2147483648}
//@ expect: out={-45, 99}
#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <cuda_runtime.h>

#define WARP_SIZE 32
#define FULL_MASK 0xffffffffu

using Clock = std::chrono::high_resolution_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

namespace {

class Stopwatch {
    Clock::time_point started_{Clock::now()};

  public:
    double ms() const { return Milliseconds(Clock::now() - started_).count(); }
};

template <typename T>
inline T ceil_div(T a, T b)
{
    return (a + b - T(1)) / b;
}

void require(cudaError_t error, const char *what = "CUDA")
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(error));
        std::exit(1);
    }
}

} // namespace

extern __shared__ float partial[];

__global__ void reduce_interleaved(const float *in, float *out, int n)
{
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = partial[0];
}

__global__ void reduce_sequential(const float *__restrict__ in, float *__restrict__ out, const int n)
{
    const unsigned tid = threadIdx.x;
    float sum = 0.f;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    partial[tid] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = partial[0];
}

__device__ __forceinline__ int warp_sum(int value)
{
    for (int offset = WARP_SIZE / 2; offset; offset /= 2)
        value += __shfl_down_sync(FULL_MASK, value, offset);
    return value;
}

__global__ void reduce_shuffle(const int *in, unsigned long long *out, int n)
{
    static __shared__ int sums[WARP_SIZE];
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = warp_sum(sum);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < blockDim.x / WARP_SIZE ? sums[lane] : 0);
        if (lane == 0)
            atomicAdd(out, static_cast<unsigned long long>(sum));
    }
}

__global__ void minimum_and_maximum(const int *in, int n, int *out)
{
    __shared__ int low, high;
    if (threadIdx.x == 0) {
        low = INT_MAX;
        high = INT_MIN;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicMin(&low, in[i]);
        atomicMax(&high, in[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMin(out, low);
        atomicMax(out + 1, high);
    }
}

typedef void (*Reduction)(const float *, float *, int);

static float run(Reduction kernel, const std::vector<float> &values, int threads = 256)
{
    const int n = static_cast<int>(values.size());
    const int blocks = std::min(ceil_div(n, threads), 1024);
    float *in = nullptr, *out = nullptr;
    require(cudaMalloc(reinterpret_cast<void **>(&in), n * sizeof(float)), "cudaMalloc");
    require(cudaMalloc(reinterpret_cast<void **>(&out), blocks * sizeof(float)));
    require(cudaMemcpy(in, &values[0], n * sizeof(float), cudaMemcpyHostToDevice));
    Stopwatch watch;
    (*kernel)<<<blocks, threads, threads * sizeof(float)>>>(in, out, n);
    require(cudaDeviceSynchronize(), "kernel");
    std::printf("%d blocks: %.3f ms\n", blocks, watch.ms());
    std::vector<float> sums(blocks);
    require(cudaMemcpy(sums.data(), out, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    cudaFree(in), cudaFree(out);
    return std::accumulate(sums.begin(), sums.end(), 0.0f);
}

int main()
{
    std::vector<float> values(1u << 18);
    std::generate(values.begin(), values.end(), [state = 1u]() mutable {
        state = state * 1664525u + 1013904223u;
        return (state >> 8) * (1.0f / (1 << 24));
    });
    const float first = run(reduce_interleaved, values);
    const float second = run(&reduce_sequential, values, 128);
    const double exact = std::accumulate(values.cbegin(), values.cend(), 0.0);
    std::printf("%f %f %f\n", first, second, exact);
    return std::abs(first - exact) < 1 && std::abs(second - exact) < 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
