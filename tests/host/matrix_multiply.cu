// Matrix multiplication with tiles, as in a course: error macros, matrices in a struct, a check against the CPU.
//@ launch: multiply_simple grid=2,2 block=16,16
//@ arg: {24, 17, f32[24,17]=random(1, -1, 1)}
//@ arg: {17, 20, f32[17,20]=random(2, -1, 1)}
//@ arg: {24, 20, f32[24,20]}
//@ launch: multiply_tiled grid=3,2 block=16,16
//@ arg: {24, 17, f32[24,17]=random(1, -1, 1)}
//@ arg: {17, 33, f32[17,33]=random(2, -1, 1)}
//@ arg: {24, 33, f32[24,33]}
//@ arg: f32:0.5
//@ launch: transpose grid=2,1 block=32,8
//@ arg: in=f32[20,37]=iota
//@ arg: out=f32[37,20]
//@ arg: 20
//@ arg: 37
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

#include <cuda_runtime.h>

#ifndef TILE
#define TILE 16
#endif

#define CUDA_CHECK(expr) checkCuda((expr), #expr, __FILE__, __LINE__)
#define KERNEL_CHECK()                       \
    do {                                     \
        CUDA_CHECK(cudaGetLastError());      \
        CUDA_CHECK(cudaDeviceSynchronize()); \
    } while (false)
#define IDX(m, row, col) ((m).data[(row) * (m).cols + (col)])

inline void checkCuda(cudaError_t code, const char *expr, const char *file, int line, bool abort = true)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s (%d)\n", file, line, expr, cudaGetErrorString(code), static_cast<int>(code));
    if (abort)
        exit(EXIT_FAILURE);
}

typedef struct {
    int rows;
    int cols;
    float *data;
} Matrix;

static Matrix to_device(const std::vector<float> &host, int rows, int cols)
{
    Matrix m = {rows, cols, nullptr};
    CUDA_CHECK(cudaMalloc(&m.data, sizeof(float) * host.size()));
    CUDA_CHECK(cudaMemcpy(m.data, host.data(), sizeof(float) * host.size(), cudaMemcpyHostToDevice));
    return m;
}

__global__ void multiply_simple(const Matrix a, const Matrix b, Matrix c)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= c.rows || col >= c.cols)
        return;
    float sum = 0.0f;
    for (int k = 0; k < a.cols; ++k)
        sum += IDX(a, row, k) * IDX(b, k, col);
    IDX(c, row, col) = sum;
}

__global__ void __launch_bounds__(TILE *TILE) multiply_tiled(Matrix a, Matrix b, Matrix c, float alpha)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < a.cols; first += TILE) {
        left[ty][tx] = row < a.rows && first + tx < a.cols ? IDX(a, row, first + tx) : 0.0f;
        right[ty][tx] = first + ty < b.rows && col < b.cols ? IDX(b, first + ty, col) : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    if (row < c.rows && col < c.cols)
        IDX(c, row, col) = alpha * sum;
}

__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < cols && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < rows && y + j < cols)
            out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

static double max_difference(const std::vector<float> &a, const std::vector<float> &b, const std::vector<float> &c, int n)
{
    double worst = 0.0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k)
                sum += double(a[i * n + k]) * b[k * n + j];
            worst = std::fmax(worst, std::fabs(sum - c[i * n + j]));
        }
    return worst;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 512;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (auto *v : {&a, &b})
        for (float &x : *v)
            x = rand() / (float)RAND_MAX - 0.5f;
    Matrix da = to_device(a, n, n), db = to_device(b, n, n), dc = to_device(c, n, n);

    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    const dim3 threads(TILE, TILE), blocks((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    multiply_simple<<<blocks, threads>>>(da, db, dc);
    KERNEL_CHECK();
    CUDA_CHECK(cudaEventRecord(start));
    for (int repeat = 0; repeat < 10; ++repeat)
        multiply_tiled<<<blocks, threads>>>(da, db, dc, 1.0f);
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms = 0.0f;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaMemcpy(c.data(), dc.data, sizeof(float) * c.size(), cudaMemcpyDeviceToHost));
    printf("%.3f ms, %.1f GFLOP/s, error %g\n", ms / 10, 2e-6 * n * n * n / (ms / 10), max_difference(a, b, c, n));
    transpose<<<dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 8)>>>(da.data, dc.data, n, n);
    KERNEL_CHECK();
    for (Matrix *m : {&da, &db, &dc})
        CUDA_CHECK(cudaFree(m->data));
    return 0;
}
