// Parallel reduction: a switch of block sizes picks the instance, for several types.
#include <cstdio>
#include <vector>

template <class T> struct SharedMemory {};

template <typename T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce6(const T *in, T *out, unsigned int n)
{
    __shared__ T partial[blockSize];
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + tid;
    T sum = 0;
    while (i < n) {
        sum += in[i];
        if (nIsPow2 || i + blockSize < n) sum += in[i + blockSize];
        i += blockSize * 2 * gridDim.x;
    }
    partial[tid] = sum;
    __syncthreads();
    for (unsigned int s = blockSize / 2; s > 0; s >>= 1) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = partial[0];
}

static bool isPow2(unsigned int x) { return (x & (x - 1)) == 0; }

template <class T> void reduce(int size, int threads, int blocks, T *d_idata, T *d_odata)
{
    dim3 dimBlock(threads, 1, 1);
    dim3 dimGrid(blocks, 1, 1);
    int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
    if (isPow2(size)) {
        switch (threads) {
        case 512: reduce6<T, 512, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 256: reduce6<T, 256, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 128: reduce6<T, 128, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        }
    } else {
        switch (threads) {
        case 512: reduce6<T, 512, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 256: reduce6<T, 256, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        case 128: reduce6<T, 128, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size); break;
        }
    }
}

template void reduce<double>(int size, int threads, int blocks, double *d_idata, double *d_odata);

template <class T> bool runTest(int size)
{
    std::vector<T> h_idata(size);
    T *d_idata = NULL;
    T *d_odata = NULL;
    cudaMalloc((void **)&d_idata, size * sizeof(T));
    cudaMalloc((void **)&d_odata, 64 * sizeof(T));
    cudaMemcpy(d_idata, h_idata.data(), size * sizeof(T), cudaMemcpyHostToDevice);
    reduce<T>(size, 256, 64, d_idata, d_odata);
    return cudaGetLastError() == cudaSuccess;
}

int main(int argc, char **argv)
{
    bool ok = true;
    switch (argc) {
    default: ok = runTest<int>(1 << 20); break;
    case 2: ok = runTest<float>(1 << 20); break;
    }
    printf("%d\n", ok);
    return ok ? 0 : 1;
}
