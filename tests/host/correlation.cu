// PolyBench's style in two files' worth: statistics with global constants of the host in macros, typedefs, callbacks, va_list.
//@ launch: mean_kernel grid=1 block=16
//@ arg: mean=f32[12]
//@ arg: f32[20,12]=random(1, 0, 8)
//@ launch: std_kernel grid=1 block=16
//@ arg: f32[12]=fill(4)
//@ arg: std=f32[12]
//@ arg: f32[20,12]=random(1, 0, 8)
//@ launch: reduce_kernel grid=1,3 block=16,8
//@ arg: f32[12]=random(2, 3, 5)
//@ arg: f32[12]=random(3, 1, 2)
//@ arg: data=f32[20,12]=random(4, 0, 8)
//@ launch: corr_kernel grid=1 block=16
//@ arg: symmat=f32[12,12]=zeros
//@ arg: f32[20,12]=random(5, -1, 1)
//@ launch: finish grid=1 block=1
//@ arg: symmat=f32[12,12]=zeros
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime.h"
#include "device_launch_parameters.h"

#define GPU_DEVICE 0
#define M 12
#define N 20
#define DIM_THREAD_BLOCK_KERNEL_1_X 16
#define DIM_THREAD_BLOCK_KERNEL_3_X 16
#define DIM_THREAD_BLOCK_KERNEL_3_Y 8
#define sqrt_of_array_cell(x, j) sqrtf(x[j])
#define FLOAT_N 20.0f
#define EPS 0.005f

typedef float DATA_TYPE;
typedef DATA_TYPE Matrix[N][M];
typedef DATA_TYPE (*Accessor)(const Matrix m, int row, int col);
typedef void (*Logger)(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void log_stderr(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

static DATA_TYPE direct(const Matrix m, int row, int col) { return m[row][col]; }
static Accessor accessors[2] = {direct, nullptr};
static Logger logger = log_stderr;
static Matrix data_host, *data_pointer = &data_host;
static struct {
    int n_errors;
    DATA_TYPE worst;
    struct { int row, col; } where;
} comparison = {0, 0.0f, {-1, -1}};

__global__ void mean_kernel(DATA_TYPE *mean, DATA_TYPE *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < M) {
        mean[j] = 0.0;
        for (int i = 0; i < N; i++) mean[j] += data[i * M + j];
        mean[j] /= (DATA_TYPE)FLOAT_N;
    }
}

__global__ void std_kernel(DATA_TYPE *mean, DATA_TYPE *std, DATA_TYPE *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < M) {
        std[j] = 0.0;
        for (int i = 0; i < N; i++) std[j] += (data[i * M + j] - mean[j]) * (data[i * M + j] - mean[j]);
        std[j] /= (FLOAT_N);
        std[j] = sqrtf(std[j]);
        if (std[j] <= EPS) std[j] = 1.0;
    }
}

__global__ void reduce_kernel(DATA_TYPE *mean, DATA_TYPE *std, DATA_TYPE *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < N) && (j < M)) {
        data[i * M + j] -= mean[j];
        data[i * M + j] /= (sqrtf(FLOAT_N) * std[j]);
    }
}

__global__ void corr_kernel(DATA_TYPE *symmat, DATA_TYPE *data)
{
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 < (M - 1)) {
        symmat[j1 * M + j1] = 1.0;
        for (int j2 = (j1 + 1); j2 < M; j2++) {
            for (int i = 0; i < N; i++) symmat[j1 * M + j2] += data[i * M + j1] * data[i * M + j2];
            symmat[j2 * M + j1] = symmat[j1 * M + j2];
        }
    }
}

__global__ void finish(DATA_TYPE *symmat) { symmat[(M - 1) * M + M - 1] = 1.0f; }

extern "C" {

void init_arrays(Matrix data)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) data[i][j] = ((DATA_TYPE)i * j) / M;
}

static int compare(const DATA_TYPE (*expected)[M], const DATA_TYPE actual[][M], Accessor at)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            DATA_TYPE error = fabsf(at(expected, i, j) - at(actual, i, j));
            if (error > comparison.worst) comparison = {comparison.n_errors + 1, error, {i, j}};
        }
    return comparison.n_errors;
}
}

static void correlation_gpu(DATA_TYPE *data, DATA_TYPE *symmat_out)
{
    DATA_TYPE *d[4];
    size_t sizes[] = {sizeof(DATA_TYPE) * M * N, sizeof(DATA_TYPE) * M, sizeof(DATA_TYPE) * M, sizeof(DATA_TYPE) * M * M};
    for (size_t k = 0; k < sizeof d / sizeof *d; k++) cudaMalloc((void **)&d[k], sizes[k]), cudaMemset(d[k], 0, sizes[k]);
    cudaMemcpy(d[0], data, sizes[0], cudaMemcpyHostToDevice);
    dim3 block1(DIM_THREAD_BLOCK_KERNEL_1_X), grid1((M + block1.x - 1) / block1.x);
    dim3 block3(DIM_THREAD_BLOCK_KERNEL_3_X, DIM_THREAD_BLOCK_KERNEL_3_Y);
    dim3 grid3((size_t)ceil((float)M / (float)DIM_THREAD_BLOCK_KERNEL_3_X), (size_t)ceil((float)N / (float)block3.y));
    mean_kernel<<<grid1, block1>>>(d[1], d[0]);
    cudaDeviceSynchronize();
    std_kernel<<<grid1, block1>>>(d[1], d[2], d[0]);
    reduce_kernel<<<grid3, block3>>>(d[1], d[2], d[0]);
    corr_kernel<<<grid1, block1>>>(d[3], d[0]);
    finish<<<1, 1>>>(d[3]);
    cudaMemcpy(symmat_out, d[3], sizes[3], cudaMemcpyDeviceToHost);
}

int main(int argc, char *argv[])
{
    cudaDeviceProp deviceProp;
    cudaGetDeviceProperties(&deviceProp, GPU_DEVICE);
    logger("setting device %d with name %s\n", GPU_DEVICE, deviceProp.name);
    cudaSetDevice(GPU_DEVICE);
    init_arrays(*data_pointer);
    DATA_TYPE(*symmat)[M] = (DATA_TYPE(*)[M])malloc(sizeof(Matrix));
    correlation_gpu(&data_host[0][0], *symmat);
    return compare(symmat, symmat, accessors[0]);
}
