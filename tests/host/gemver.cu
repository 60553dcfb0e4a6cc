// Four kernels of linear algebra with sizes as options of the compiler, timing by clock_gettime, arrays of the host as globals.
//@ launch: gemver_kernel1 grid=2,3 block=16,8
//@ arg: 24
//@ arg: A=f32[24,24]=random(1)
//@ arg: f32[24]=random(2)
//@ arg: f32[24]=random(3)
//@ arg: f32[24]=random(4)
//@ arg: f32[24]=random(5)
//@ tolerance: 1e-6 absolute
//@ launch: gemver_kernel2 grid=1 block=32
//@ arg: 24
//@ arg: f32:1.25
//@ arg: f32:0.5
//@ arg: A=f32[24,24]=random(1)
//@ arg: x=f32[24]=zeros
//@ arg: y=f32[24]=random(2)
//@ arg: z=f32[24]=random(3)
//@ launch: gemver_kernel3 grid=3 block=64
//@ arg: 20
//@ arg: f32:1.25
//@ arg: A=f32[20,20]=random(4)
//@ arg: x=f32[20]=random(5)
//@ arg: w=f32[20]=zeros
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef MINI_DATASET
#define N 32
#else
#ifdef SMALL_DATASET
#define N 128
#elif defined(LARGE_DATASET) || defined EXTRALARGE_DATASET
#define N 8192
#else
#define N 512
#endif
#endif

#ifndef FLOAT
#define FLOAT float
#endif
#define SCALAR_VAL(x) x##f
#define IDX(i, j, n) ((size_t)(i) * (n) + (j))
#define ROUND_UP(a, b) (((a) + (b)-1) / (b))
#define EXTRACT(type, name, from) type *name = (type *)((char *)(from) + sizeof(struct header))

struct header {
    char magic[8];
    int n, version;
    float checksum;
} __attribute__((aligned(8)));

FLOAT A_host[N][N], x_host[N], y_host[N], z_host[N], w_host[N];
FLOAT u1[N], v1[N], u2[N], v2[N];
FLOAT alpha = SCALAR_VAL(1.5), beta = SCALAR_VAL(1.2);
static FLOAT *const vectors[] = {x_host, y_host, z_host, w_host, u1, v1, u2, v2};
static const int n_vectors = sizeof vectors / sizeof *vectors;
struct timespec started;

#define FOR_MY_ROW(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x)

__global__ void gemver_kernel1(int n, FLOAT *a, const FLOAT *u1, const FLOAT *v1, const FLOAT *u2, const FLOAT *v2)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < n) && (j < n)) a[IDX(i, j, n)] += u1[i] * v1[j] + u2[i] * v2[j];
}

__global__ void gemver_kernel2(int n, FLOAT alpha, FLOAT beta, const FLOAT *a, FLOAT *x, const FLOAT *y, const FLOAT *z)
{
    FOR_MY_ROW(i, n) {
        FLOAT sum = x[i];
        for (int j = 0; j < n; j++) sum += beta * a[IDX(j, i, n)] * y[j];
        x[i] = sum + z[i];
    }
    (void)alpha;
}

__global__ void gemver_kernel3(int n, FLOAT alpha, const FLOAT *a, const FLOAT *x, FLOAT *w)
{
    __shared__ FLOAT partial[64];
    for (int row = blockIdx.x; row < n; row += gridDim.x) {
        FLOAT sum = 0;
        for (int j = threadIdx.x; j < n; j += blockDim.x) sum += alpha * a[IDX(row, j, n)] * x[j];
        partial[threadIdx.x] = sum;
        __syncthreads();
        if (threadIdx.x < 32) {
            sum = partial[threadIdx.x] + partial[threadIdx.x + 32];
            sum += __shfl_down_sync(0xffffffff, sum, 16);
            sum += __shfl_down_sync(0xffffffff, sum, 8);
            sum += __shfl_down_sync(0xffffffff, sum, 4);
            sum += __shfl_xor_sync(0xffffffff, sum, 2);
            sum += __shfl_xor_sync(0xffffffff, sum, 1);
            if (threadIdx.x == 0) w[row] += sum;
        }
        __syncthreads();
    }
}

void start_timer() { clock_gettime(CLOCK_MONOTONIC, &started); }

double stop_timer()
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - started.tv_sec) + 1e-9 * (now.tv_nsec - started.tv_nsec);
}

static void init(void)
{
    for (int i = 0; i < N; i++) {
        u1[i] = i;
        u2[i] = (i + 1) / (FLOAT)N / 2.0;
        v1[i] = (i + 1) / (FLOAT)N / 4.0, v2[i] = (i + 1) / (FLOAT)N / 6.0;
        y_host[i] = (i + 1) / (FLOAT)N / 8.0, z_host[i] = (i + 1) / (FLOAT)N / 9.0;
        for (int j = 0; j < N; j++) A_host[i][j] = ((FLOAT)i * j) / N;
    }
}

void gemver_cpu(FLOAT (*a)[N], FLOAT x[N]);

static void print_array(int n, FLOAT w[])
{
    for (int i = 0; i < n; i++) {
        fprintf(stderr, "%0.2lf ", w[i]);
        if (i % 20 == 0) fprintf(stderr, "\n");
    }
}

int main(int argc, char **argv)
{
    FLOAT *d[9];
    int i;
    init();
    cudaMalloc((void **)&d[0], sizeof A_host);
    cudaMemcpy(d[0], A_host, sizeof(A_host), cudaMemcpyHostToDevice);
    for (i = 0; i < n_vectors; i++) {
        cudaMalloc((void **)(d + i + 1), N * sizeof(FLOAT));
        cudaMemcpy(d[i + 1], vectors[i], sizeof(FLOAT) * N, cudaMemcpyHostToDevice);
    }
    start_timer();
    {
        dim3 block(32, 8, 1), grid(ROUND_UP(N, 32), ROUND_UP(N, 8), 1);
        gemver_kernel1 <<< grid, block >>> (N, d[0], d[5], d[6], d[7], d[8]);
        gemver_kernel2 <<< ROUND_UP(N, 256), 256 >>> (N, alpha, beta, d[0], d[1], d[2], d[3]);
        gemver_kernel3 <<<
            N / 4, 64
        >>> (N, alpha, d[0], d[1], d[4]);
    }
    cudaDeviceSynchronize();
    fprintf(stdout, "GPU Runtime: %0.6lfs\n", stop_timer());
    cudaMemcpy(w_host, d[4], sizeof w_host, cudaMemcpyDeviceToHost);
    EXTRACT(FLOAT, payload, malloc(sizeof(struct header) + sizeof w_host));
    for (i = 0; i < N; i++) payload[i] = w_host[i];
    if (argc > 42 && !*argv[0]) print_array(N, payload);
    for (i = 0; i <= n_vectors; i++) cudaFree(d[i]);
    return 0;
}
