// PolyBench's style: y = Aᵀ(Ax), arrays by macros that pick the type, the CPU's version beside, results compared in percent.
//@ launch: atax_kernel1 grid=2 block=32
//@ arg: A=f64[40,24]=random(1)
//@ arg: x=f64[24]=random(2)
//@ arg: tmp=f64[40]
//@ launch: atax_kernel2 grid=1 block=32
//@ arg: A=f64[40,24]=random(3)
//@ arg: y=f64[24]=zeros
//@ arg: tmp=f64[40]=random(4)
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#define DATA_PRINTF_MODIFIER "%0.2lf "
#endif
#if !defined(NX) && !defined(NY)
#define NX 40
#define NY 24
#endif
#define _PB_NX POLYBENCH_LOOP_BOUND(NX, nx)
#define _PB_NY POLYBENCH_LOOP_BOUND(NY, ny)
#define POLYBENCH_LOOP_BOUND(x, y) y
#define POLYBENCH_ARRAY(x) *x
#define POLYBENCH_1D(var, dim1, ddim1) var[dim1]
#define POLYBENCH_2D(var, dim1, dim2, ddim1, ddim2) var[dim1][dim2]
#define POLYBENCH_DECL_VAR(x) (*x)
#define POLYBENCH_1D_ARRAY_DECL(var, type, dim1, ddim1)                  \
    type POLYBENCH_1D(POLYBENCH_DECL_VAR(var), dim1, ddim1);             \
    var = (type(*)[dim1])polybench_alloc_data(dim1, sizeof(type));
#define POLYBENCH_2D_ARRAY_DECL(var, type, dim1, dim2, ddim1, ddim2)     \
    type POLYBENCH_2D(POLYBENCH_DECL_VAR(var), dim1, dim2, ddim1, ddim2); \
    var = (type(*)[dim1][dim2])polybench_alloc_data((dim1) * (dim2), sizeof(type));
#define POLYBENCH_FREE_ARRAY(x) free((void *)x);
#define POLYBENCH_START_TIMER polybench_program_total_flops = 0; polybench_t_start = rtclock();
#define PERCENT_DIFF_ERROR_THRESHOLD 0.5

#ifndef M_PI
#define M_PI 3.14159
#endif

#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 1

double polybench_t_start, polybench_t_end;
double polybench_program_total_flops = 0;
#define RUN_ON_CPU

static double rtclock()
{
    struct timeval Tp;
    int stat;
    stat = gettimeofday(&Tp, NULL);
    if (stat != 0) printf("Error return from gettimeofday: %d", stat);
    return (Tp.tv_sec + Tp.tv_usec * 1.0e-6);
}

static void *xmalloc(size_t num)
{
    void *cur = NULL;
    int ret = posix_memalign(&cur, 32, num);
    if (!cur || ret) {
        fprintf(stderr, "[PolyBench] posix_memalign: cannot allocate memory");
        exit(1);
    }
    return cur;
}

void *polybench_alloc_data(unsigned long long int n, int elt_size) { return xmalloc(n * elt_size); }

float absVal(float a)
{
    if (a < 0) return (a * -1);
    return a;
}

float percentDiff(double val1, double val2)
{
    if ((absVal(val1) < 0.01) && (absVal(val2) < 0.01)) return 0.0f;
    return 100.0f * (absVal(absVal(val1 - val2) / absVal(val1 + 0.00000001f)));
}

void init_array(int nx, int ny, DATA_TYPE POLYBENCH_1D((x), NX, nx), DATA_TYPE POLYBENCH_2D((A), NX, NY, nx, ny))
{
    int i, j;
    for (i = 0; i < ny; i++) {
        x[i] = i * M_PI;
        for (j = 0; j < nx; j++) A[j][i] = ((DATA_TYPE)i * (j)) / NX;
    }
}

__global__ void atax_kernel1(DATA_TYPE *A, DATA_TYPE *x, DATA_TYPE *tmp)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < NX) {
        tmp[i] = 0;
        int j;
        for (j = 0; j < NY; j++) {
            tmp[i] += A[i * NY + j] * x[j];
        }
    }
}

__global__ void atax_kernel2(DATA_TYPE *A, DATA_TYPE *y, DATA_TYPE *tmp)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (j < NY) {
        int i;
        for (i = 0; i < NX; i++) {
            y[j] += A[i * NY + j] * tmp[i];
        }
    }
}

void atax_cpu(int nx, int ny, DATA_TYPE A[NX][NY], DATA_TYPE POLYBENCH_1D(x, NY, ny), DATA_TYPE y[NY], DATA_TYPE tmp[NX])
{
    int i, j;
    for (i = 0; i < _PB_NY; i++) y[i] = 0;
    for (i = 0; i < _PB_NX; i++) {
        tmp[i] = 0;
        for (j = 0; j < _PB_NY; j++) tmp[i] = tmp[i] + A[i][j] * x[j];
        for (j = 0; j < _PB_NY; j++) y[j] = y[j] + A[i][j] * tmp[i];
    }
}

void ataxGpu(DATA_TYPE (*A)[NX][NY], DATA_TYPE *x, DATA_TYPE *y, DATA_TYPE *y_outputFromGpu)
{
    DATA_TYPE *A_gpu, *x_gpu, *y_gpu, *tmp_gpu;
    cudaMalloc((void **)&A_gpu, sizeof(DATA_TYPE) * NX * NY);
    cudaMalloc((void **)&x_gpu, sizeof(DATA_TYPE) * NY);
    cudaMalloc((void **)&y_gpu, sizeof(DATA_TYPE) * NY);
    cudaMalloc((void **)&tmp_gpu, sizeof(DATA_TYPE) * NX);
    cudaMemcpy(A_gpu, A, sizeof(DATA_TYPE) * NX * NY, cudaMemcpyHostToDevice);
    cudaMemcpy(x_gpu, x, sizeof(DATA_TYPE) * NY, cudaMemcpyHostToDevice);
    cudaMemcpy(y_gpu, y, sizeof(DATA_TYPE) * NY, cudaMemcpyHostToDevice);
    dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
    dim3 grid1((size_t)(ceil(((float)NX) / ((float)block.x))), 1);
    dim3 grid2((size_t)(ceil(((float)NY) / ((float)block.x))), 1);
    POLYBENCH_START_TIMER;
    atax_kernel1<<<grid1, block>>>(A_gpu, x_gpu, tmp_gpu);
    cudaDeviceSynchronize();
    atax_kernel2<<<grid2, block>>>(A_gpu, y_gpu, tmp_gpu);
    cudaDeviceSynchronize();
    printf("GPU Time in seconds:\n%0.6lf\n", rtclock() - polybench_t_start);
    cudaMemcpy(y_outputFromGpu, y_gpu, sizeof(DATA_TYPE) * NY, cudaMemcpyDeviceToHost);
}

int main(int argc, char **argv)
{
    POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, NX, NY, NX, NY);
    POLYBENCH_1D_ARRAY_DECL(x, DATA_TYPE, NX, NX);
    DATA_TYPE y[NY] = {0}, y_gpu[NY], tmp[NX];
    int fail = 0;
    init_array(NX, NY, *x, *A);
    ataxGpu(A, *x, y, y_gpu);
#ifdef RUN_ON_CPU
    atax_cpu(NX, NY, *A, *x, y, tmp);
    for (int i = 0; i < NY; i++)
        if (percentDiff(y[i], y_gpu[i]) > PERCENT_DIFF_ERROR_THRESHOLD) fail++, printf(DATA_PRINTF_MODIFIER, y_gpu[i]);
#endif //RUN_ON_CPU
    POLYBENCH_FREE_ARRAY(A);
    POLYBENCH_FREE_ARRAY(x);
    return fail;
}
