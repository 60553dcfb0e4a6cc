// LU decomposition in blocks: three kernels that a host loop launches over a shrinking matrix; enums, getopt_long, a stopwatch.
//@ launch: lud_diagonal grid=1 block=8
//@ arg: m=f32[8,8]={16, 1, 2, 1, 0, 3, 1, 1, 2, 18, 1, 0, 1, 1, 2, 1, 1, 1, 20, 2, 3, 1, 0, 1, 0, 2, 1, 17, 1, 1, 1, 2, 3, 1, 1, 1, 19, 2, 1, 0, 1, 0, 2, 3, 1, 16, 1, 1, 1, 1, 0, 2, 1, 1, 18, 1, 2, 1, 1, 1, 0, 2, 1, 17}
//@ arg: 8
//@ arg: 0
//@ tolerance: 1e-5 absolute
//@ launch: lud_perimeter grid=2 block=16
//@ arg: m=f32[24,24]=random(4, 1, 2)
//@ arg: 24
//@ arg: 0
//@ tolerance: 1e-5 absolute
//@ launch: lud_internal grid=2,2 block=8,8
//@ arg: m=f32[24,24]=random(5, 1, 2)
//@ arg: 24
//@ arg: 0
//@ tolerance: 1e-5 absolute
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/param.h>
#include <sys/time.h>

#define BLOCK_SIZE 8
#define GET_RAND_FP ((float)rand() / ((float)(RAND_MAX) + (float)(1)))
#define SWAP(type, a, b) do { type t_ = (a); (a) = (b); (b) = t_; } while (0)
#define CUDA_CHECK(call)                                                                          \
    do {                                                                                          \
        cudaError_t code_ = (call);                                                               \
        if (code_ != cudaSuccess) {                                                               \
            fprintf(stderr, #call " at %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(code_)); \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

typedef enum _FUNC_RETURN_CODE { RET_SUCCESS, RET_FAILURE } func_ret_t;
typedef struct __stopwatch_t {
    struct timeval begin;
    struct timeval end;
} stopwatch;

static int do_verify = 0;
static struct option long_options[] = {
    {"input", 1, NULL, 'i'},
    {"size", required_argument, NULL, 's'},
    {"verify", 0, &do_verify, 1},
    {0, 0, 0, 0},
};

__global__ void lud_diagonal(float *m, int matrix_dim, int offset)
{
    int i, j;
    __shared__ float shadow[BLOCK_SIZE][BLOCK_SIZE];
    int array_offset = offset * matrix_dim + offset;
    for (i = 0; i < BLOCK_SIZE; i++) {
        shadow[i][threadIdx.x] = m[array_offset + threadIdx.x];
        array_offset += matrix_dim;
    }
    __syncthreads();
    for (i = 0; i < BLOCK_SIZE - 1; i++) {
        if (threadIdx.x > i) {
            for (j = 0; j < i; j++) shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
            shadow[threadIdx.x][i] /= shadow[i][i];
        }
        __syncthreads();
        if (threadIdx.x > i)
            for (j = 0; j < i + 1; j++) shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
        __syncthreads();
    }
    array_offset = (offset + 1) * matrix_dim + offset;
    for (i = 1; i < BLOCK_SIZE; i++) {
        m[array_offset + threadIdx.x] = shadow[i][threadIdx.x];
        array_offset += matrix_dim;
    }
}

__global__ void lud_perimeter(float *m, int matrix_dim, int offset)
{
    __shared__ float dia[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int i, j, array_offset, idx;
    const bool is_row = threadIdx.x < BLOCK_SIZE;

    idx = is_row ? threadIdx.x : threadIdx.x - BLOCK_SIZE;
    array_offset = offset * matrix_dim + offset;
    for (i = is_row ? 0 : BLOCK_SIZE / 2; i < (is_row ? BLOCK_SIZE / 2 : BLOCK_SIZE); i++)
        dia[i][idx] = m[array_offset + i * matrix_dim + idx];
    if (is_row) {
        for (i = 0; i < BLOCK_SIZE; i++)
            peri_row[i][idx] = m[array_offset + (blockIdx.x + 1) * BLOCK_SIZE + i * matrix_dim + idx];
    } else {
        array_offset = (offset + (blockIdx.x + 1) * BLOCK_SIZE) * matrix_dim + offset;
        for (i = 0; i < BLOCK_SIZE; i++) peri_col[i][idx] = m[array_offset + i * matrix_dim + idx];
    }
    __syncthreads();
    if (is_row) {
        for (i = 1; i < BLOCK_SIZE; i++)
            for (j = 0; j < i; j++) peri_row[i][idx] -= dia[i][j] * peri_row[j][idx];
    } else {
        for (i = 0; i < BLOCK_SIZE; i++) {
            for (j = 0; j < i; j++) peri_col[idx][i] -= peri_col[idx][j] * dia[j][i];
            peri_col[idx][i] /= dia[i][i];
        }
    }
    __syncthreads();
    for (i = 0; i < BLOCK_SIZE; i++) {
        if (is_row)
            m[(offset + i) * matrix_dim + offset + (blockIdx.x + 1) * BLOCK_SIZE + idx] = peri_row[i][idx];
        else
            m[(offset + (blockIdx.x + 1) * BLOCK_SIZE + i) * matrix_dim + offset + idx] = peri_col[i][idx];
    }
}

__global__ void lud_internal(float *m, int matrix_dim, int offset)
{
    __shared__ float peri_row[BLOCK_SIZE][BLOCK_SIZE], peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int global_row_id = offset + (blockIdx.y + 1) * BLOCK_SIZE;
    int global_col_id = offset + (blockIdx.x + 1) * BLOCK_SIZE;
    float sum = 0;

    peri_row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * matrix_dim + global_col_id + threadIdx.x];
    peri_col[threadIdx.y][threadIdx.x] = m[(global_row_id + threadIdx.y) * matrix_dim + offset + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < BLOCK_SIZE; i++) sum += peri_col[threadIdx.y][i] * peri_row[i][threadIdx.x];
    m[(global_row_id + threadIdx.y) * matrix_dim + global_col_id + threadIdx.x] -= sum;
}

extern "C" void lud_cuda(float *m, int matrix_dim)
{
    int i = 0;
    dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
    for (i = 0; i < matrix_dim - BLOCK_SIZE; i += BLOCK_SIZE) {
        lud_diagonal<<<1, BLOCK_SIZE>>>(m, matrix_dim, i);
        lud_perimeter<<<(matrix_dim - i) / BLOCK_SIZE - 1, BLOCK_SIZE * 2>>>(m, matrix_dim, i);
        dim3 dimGrid((matrix_dim - i) / BLOCK_SIZE - 1, (matrix_dim - i) / BLOCK_SIZE - 1);
        lud_internal<<<dimGrid, dimBlock>>>(m, matrix_dim, i);
    }
    lud_diagonal<<<1, BLOCK_SIZE>>>(m, matrix_dim, i);
}

static inline void stopwatch_start(stopwatch *sw)
{
    if (sw == NULL) return;
    gettimeofday(&sw->begin, NULL);
}

static inline double get_interval_by_usec(stopwatch *sw)
{
    return ((sw->end.tv_sec - sw->begin.tv_sec) * 1000000 + (sw->end.tv_usec - sw->begin.tv_usec));
}

func_ret_t create_matrix_from_random(float **mp, int size)
{
    float *l, *u, *m;
    srand(time(NULL));
    l = (float *)malloc(size * size * sizeof(float)), u = (float *)malloc(size * size * sizeof(float));
    if (l == NULL || u == NULL || (m = (float *)calloc(size * size, sizeof(float))) == NULL) goto failed;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            l[i * size + j] = i > j ? GET_RAND_FP : i == j, u[j * size + i] = i > j ? 0 : GET_RAND_FP;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            for (int k = 0; k <= MIN(i, j); k++) m[i * size + j] += l[i * size + k] * u[j * size + k];
    free(l), free(u);
    *mp = m;
    return RET_SUCCESS;
failed:
    return RET_FAILURE;
}

int main(int argc, char *argv[])
{
    int matrix_dim = 32, opt, option_index = 0;
    float *m, *d_m;
    stopwatch sw;
    while ((opt = getopt_long(argc, argv, "::vs:i:", long_options, &option_index)) != -1) {
        switch (opt) {
        case 's': matrix_dim = atoi(optarg); break;
        case '?': fprintf(stderr, "invalid option\n"); break;
        case ':': fprintf(stderr, "missing argument\n"); break;
        default: exit(EXIT_FAILURE);
        }
    }
    if (create_matrix_from_random(&m, matrix_dim) != RET_SUCCESS) exit(EXIT_FAILURE);
    CUDA_CHECK(cudaMalloc((void **)&d_m, matrix_dim * matrix_dim * sizeof(float)));
    stopwatch_start(&sw);
    CUDA_CHECK(cudaMemcpy(d_m, m, matrix_dim * matrix_dim * sizeof(float), cudaMemcpyHostToDevice));
    lud_cuda(d_m, matrix_dim);
    CUDA_CHECK(cudaMemcpy(m, d_m, matrix_dim * matrix_dim * sizeof(float), cudaMemcpyDeviceToHost));
    printf("Time consumed(ms): %lf\n", 1000 * get_interval_by_usec(&sw));
    SWAP(float, m[0], m[1]);
    return do_verify;
}
