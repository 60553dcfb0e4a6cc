// Tiled matrix product: the block size is an argument of the kernel and of the function that launches it.
#include <stdio.h>
#include <assert.h>
#include <memory>
template <int BLOCK_SIZE> __global__ void MatrixMulCUDA(float *C, float *A, float *B, int wA, int wB)
{
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE], Bs[BLOCK_SIZE][BLOCK_SIZE];
    int row = blockIdx.y * BLOCK_SIZE + threadIdx.y, col = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < wA; t += BLOCK_SIZE) {
        As[threadIdx.y][threadIdx.x] = A[row * wA + t + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(t + threadIdx.y) * wB + col];
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    C[row * wB + col] = sum;
}
struct Deleter { void operator()(float *p) const { cudaFree(p); } };
int MatrixMultiply(int argc, char **argv, int block_size, const dim3 &dimsA, const dim3 &dimsB)
{
    unsigned int mem_size_A = sizeof(float) * dimsA.x * dimsA.y;
    float *h_A, *d_A, *d_B, *d_C;
    cudaMallocHost(&h_A, mem_size_A);
    cudaStream_t stream;
    cudaMalloc(reinterpret_cast<void **>(&d_A), mem_size_A);
    std::unique_ptr<float, Deleter> owner(d_A);
    dim3 threads(block_size, block_size);
    dim3 grid(dimsB.x / threads.x, dimsA.y / threads.y);
    if (block_size == 16) {
        MatrixMulCUDA<16><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, dimsA.x, dimsB.x);
    } else {
        MatrixMulCUDA<32><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, dimsA.x, dimsB.x);
    }
    int nIter = 300;
    for (int j = 0; j < nIter; j++) {
        if (block_size == 16) MatrixMulCUDA<16><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, dimsA.x, dimsB.x);
        else MatrixMulCUDA<32><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, dimsA.x, dimsB.x);
    }
    return 0;
}
template <int BLOCK> int occupancy()
{
    int numBlocks = 0, minGridSize, blockSize;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, MatrixMulCUDA<BLOCK>, BLOCK * BLOCK, 0);
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, MatrixMulCUDA<BLOCK / 2>, 0, 0);
    return numBlocks;
}
int main(int argc, char **argv) { return MatrixMultiply(argc, argv, 32, dim3(320, 320, 1), dim3(640, 320, 1)) + occupancy<8>(); }
