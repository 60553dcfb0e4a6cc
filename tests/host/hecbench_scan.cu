// HeCBench's style: warm-up and repeat loops with chrono, verification against a host function, warp shuffles, error rates.
//@ launch: block_scan grid=3 block=64
//@ arg: d_in=i32[192]=random(1, -50, 50)
//@ arg: d_out=i32[192]
//@ arg: d_sums=i32[3]
//@ arg: 180
//@ launch: add_offsets grid=2 block=96
//@ arg: d_out=i32[192]=iota
//@ arg: d_sums=i32={10, 20, 30}
//@ arg: 64
//@ arg: 190
//@ launch: count_rising grid=2 block=64
//@ arg: f32[128]=random(3)
//@ arg: 120
//@ arg: d_count=u64={0}
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <vector>
#include <cuda.h>

#ifndef REPEAT
#define REPEAT 100
#endif
#define BLOCK 64
#define WARP 32
#define FULL_MASK 0xffffffffu

typedef std::chrono::duration<double, std::micro> usec;
using Clock = std::chrono::steady_clock;

__device__ __forceinline__ int warp_scan(int v, int lane)
{
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
        int up = __shfl_up_sync(FULL_MASK, v, d);
        if (lane >= d) v += up;
    }
    return v;
}

__global__ void __launch_bounds__(BLOCK) block_scan(const int *__restrict__ d_in, int *__restrict__ d_out,
                                                    int *__restrict__ d_sums, const int n)
{
    __shared__ int warp_sums[BLOCK / WARP];
    const int gid = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int v = warp_scan(gid < n ? d_in[gid] : 0, lane);
    if (lane == WARP - 1) warp_sums[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; w++) v += warp_sums[w];
    if (gid < n) d_out[gid] = v;
    if (threadIdx.x == blockDim.x - 1) d_sums[blockIdx.x] = v;
}

__global__ void add_offsets(int *d_out, const int *d_sums, int chunk, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int offset = 0;
        for (int c = 0; c < i / chunk; c++) offset += d_sums[c];
        d_out[i] += offset;
    }
}

__global__ void count_rising(const float *d_values, int n, unsigned long long *d_count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool rises = i + 1 < n && d_values[i + 1] > d_values[i];
    const unsigned votes = __ballot_sync(FULL_MASK, rises);
    if (threadIdx.x % WARP == 0) atomicAdd(d_count, (unsigned long long)__popc(votes));
}

static void reference(const int *in, int *out, const int n)
{
    out[0] = in[0];
    for (int i = 1; i < n; i++) out[i] = out[i - 1] + in[i];
}

template <typename T>
bool verify(const T *ref, const T *res, size_t n, double tolerance = 10 * std::numeric_limits<double>::epsilon())
{
    size_t errors = 0;
    for (size_t i = 0; i < n; ++i) {
        if (std::fabs(static_cast<double>(ref[i] - res[i])) > tolerance && ++errors < 10)
            printf("Mismatch at %zu: %g != %g\n", i, double(ref[i]), double(res[i]));
    }
    return errors == 0;
}

struct Options {
    int n = 1 << 16;
    int repeat = REPEAT;
    bool check = true;
    uint64_t seed = 0x9E3779B97F4A7C15ull;

    static Options parse(int argc, char *argv[])
    {
        Options options;
        for (int i = 1; i < argc; i++) {
            const std::string arg{argv[i]};
            auto next = [&, i]() mutable -> const char * { return i + 1 < argc ? argv[++i] : "0"; };
            if (arg == "-n") options.n = std::atoi(next());
            else if (arg == "-r" || arg == "--repeat") options.repeat = std::atoi(next());
            else if (arg == "--no-check") options.check = false;
        }
        return options;
    }
};

int main(int argc, char *argv[])
{
    if (argc != 3 && argc != 1) {
        printf("Usage: %s <number of elements> <repeat>\n", argv[0]);
        return 1;
    }
    const auto options = Options::parse(argc, argv);
    const int n = options.n, repeat = options.repeat, blocks = (n + BLOCK - 1) / BLOCK;
    const size_t bytes = sizeof(int) * n;
    std::vector<int> h_in(n), h_out(n), h_ref(n);
    std::unique_ptr<float[]> h_values(new float[n]);

    std::mt19937_64 generator(options.seed);
    std::uniform_int_distribution<int> distribution(-100, 100);
    std::normal_distribution<float> normal{0.f, 1.f};
    for (int &v : h_in) v = distribution(generator);
    std::generate_n(h_values.get(), n, [&] { return normal(generator); });

    int *d_in, *d_out, *d_sums;
    float *d_values;
    unsigned long long *d_count, h_count;
    cudaMalloc((void **)&d_in, bytes);
    cudaMalloc((void **)&d_out, bytes);
    cudaMalloc((void **)&d_sums, sizeof(int) * blocks);
    cudaMalloc((void **)&d_values, sizeof(float) * n);
    cudaMalloc((void **)&d_count, sizeof *d_count);
    cudaMemcpy(d_in, h_in.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_values, h_values.get(), sizeof(float) * n, cudaMemcpyHostToDevice);

    // warm up
    for (int i = 0; i < 10; i++) block_scan<<<blocks, BLOCK>>>(d_in, d_out, d_sums, n);
    cudaDeviceSynchronize();

    auto start = Clock::now();
    for (int i = 0; i < repeat; i++) {
        block_scan<<<dim3(blocks), dim3(BLOCK)>>>(d_in, d_out, d_sums, n);
        add_offsets<<<(n + 255) / 256, 256>>>(d_out, d_sums, BLOCK, n);
    }
    cudaDeviceSynchronize();
    auto end = Clock::now();
    printf("Average execution time of scan: %f (us)\n", usec(end - start).count() / repeat);

    cudaMemset(d_count, 0, sizeof *d_count);
    count_rising<<<blocks, BLOCK>>>(d_values, n, d_count);
    cudaMemcpy(&h_count, d_count, sizeof h_count, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
    if (options.check) {
        reference(h_in.data(), h_ref.data(), n);
        bool ok = verify(h_ref.data(), h_out.data(), h_ref.size());
        printf("%s (%llu rising)\n", ok ? "PASS" : "FAIL", h_count);
    }
    for (void *pointer : {(void *)d_in, (void *)d_out, (void *)d_sums, (void *)d_values, (void *)d_count})
        cudaFree(pointer);
    return 0;
}
