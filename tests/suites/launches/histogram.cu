// Histograms with the number of bins as an argument, per thread and per block.
#include <cstdint>
#include <cstdio>
typedef unsigned int uint;
typedef unsigned char uchar;
#define HISTOGRAM64_BIN_COUNT 64
#define HISTOGRAM256_BIN_COUNT 256
enum { WARP_COUNT = 6, LOG2_WARP_SIZE = 5, WARP_SIZE_ = 1 << LOG2_WARP_SIZE };
template <int BINS, typename Sample> __global__ void histogram(uint *bins, const Sample *samples, uint n)
{
    __shared__ uint local[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[samples[i] % BINS], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}
template <uint THREADS> __global__ void merge(uint *out, const uint *partial, uint count)
{
    __shared__ uint data[THREADS];
    uint sum = 0;
    for (uint i = threadIdx.x; i < count; i += THREADS) sum += partial[blockIdx.x + i * HISTOGRAM256_BIN_COUNT];
    data[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = data[0];
}
extern "C" void histogram64(uint *d_Histogram, void *d_Data, uint byteCount)
{
    histogram<HISTOGRAM64_BIN_COUNT><<<64, 64>>>(d_Histogram, (const uchar *)d_Data, byteCount);
    merge<WARP_COUNT * WARP_SIZE_><<<HISTOGRAM64_BIN_COUNT, WARP_COUNT * WARP_SIZE_>>>(d_Histogram, d_Histogram, 64);
}
extern "C" void histogram256(uint *d_Histogram, void *d_Data, uint byteCount)
{
    auto *data = static_cast<const uint16_t *>(d_Data);
    histogram<HISTOGRAM256_BIN_COUNT><<<240, 192>>>(d_Histogram, data, byteCount / 2);
    const uint MERGE_THREADBLOCK_SIZE = 256;
    merge<MERGE_THREADBLOCK_SIZE><<<HISTOGRAM256_BIN_COUNT, MERGE_THREADBLOCK_SIZE>>>(d_Histogram, d_Histogram, 240);
}
