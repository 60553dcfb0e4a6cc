// Needleman-Wunsch: a wavefront of tiles, a score table, macros for indices, helpers for the host and the device.
//@ launch: needle_upper grid=1 block=16
//@ arg: reference=i32[33,33]=random(11, -4, 10)
//@ arg: matrix=i32[33,33]=random(12, -20, 20)
//@ arg: 33
//@ arg: 10
//@ arg: 1
//@ arg: 2
//@ launch: needle_lower grid=1 block=16
//@ arg: reference=i32[33,33]=random(13, -4, 10)
//@ arg: matrix=i32[33,33]=random(14, -20, 20)
//@ arg: 33
//@ arg: 10
//@ arg: 1
//@ arg: 2
#define LIMIT -999
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#include <cuda_runtime.h>

//#define TRACEBACK

#define BLOCK_SIZE 16
#define SCORE(t, ref, y, x) ref[y][x]

// A part of a table of substitutions.
static int blosum[6][6] = {{4, -1, -2, -2, 0, -1}, {-1, 5, 0, -2, -3, 1}, {-2, 0, 6, 1, -3, 0},
                           {-2, -2, 1, 6, -3, 0}, {0, -3, -3, -3, 9, -3}, {-1, 1, 0, 0, -3, 5}};

__device__ __host__ int maximum(int a, int b, int c)
{
    int k;
    if (a <= b)
        k = b;
    else
        k = a;
    if (k <= c)
        return (c);
    else
        return (k);
}

void runTest(int argc, char **argv);
double gettime();

#define DECLARE_NEEDLE(NAME, B_X, B_Y)                                                                             \
    __global__ void NAME(int *reference, int *matrix, int cols, int penalty, int i, int block_width)               \
    {                                                                                                              \
        int bx = blockIdx.x, tx = threadIdx.x;                                                                     \
        int b_index_x = B_X, b_index_y = B_Y;                                                                      \
        int index = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + (cols + 1);                      \
        int index_n = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + (1);                           \
        int index_w = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + (cols);                             \
        int index_nw = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x;                                     \
        __shared__ int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];                                                       \
        __shared__ int ref[BLOCK_SIZE][BLOCK_SIZE];                                                                \
        if (tx == 0) temp[tx][0] = matrix[index_nw];                                                               \
        for (int ty = 0; ty < BLOCK_SIZE; ty++) ref[ty][tx] = reference[index + cols * ty];                        \
        __syncthreads();                                                                                           \
        temp[tx + 1][0] = matrix[index_w + cols * tx];                                                             \
        __syncthreads();                                                                                           \
        temp[0][tx + 1] = matrix[index_n];                                                                         \
        __syncthreads();                                                                                           \
        for (int m = 0; m < BLOCK_SIZE; m++) {                                                                     \
            if (tx <= m) {                                                                                         \
                int x = tx + 1, y = m - tx + 1;                                                                    \
                temp[y][x] = maximum(temp[y - 1][x - 1] + SCORE(temp, ref, y - 1, x - 1), temp[y][x - 1] - penalty, \
                                     temp[y - 1][x] - penalty);                                                    \
            }                                                                                                      \
            __syncthreads();                                                                                       \
        }                                                                                                          \
        for (int m = BLOCK_SIZE - 2; m >= 0; m--) {                                                                \
            if (tx <= m) {                                                                                         \
                int x = tx + BLOCK_SIZE - m, y = BLOCK_SIZE - tx;                                                  \
                temp[y][x] = maximum(temp[y - 1][x - 1] + SCORE(temp, ref, y - 1, x - 1), temp[y][x - 1] - penalty, \
                                     temp[y - 1][x] - penalty);                                                    \
            }                                                                                                      \
            __syncthreads();                                                                                       \
        }                                                                                                          \
        for (int ty = 0; ty < BLOCK_SIZE; ty++) matrix[index + ty * cols] = temp[ty + 1][tx + 1];                  \
    }

DECLARE_NEEDLE(needle_upper, bx, i - 1 - bx)
DECLARE_NEEDLE(needle_lower, bx + block_width - i, block_width - bx - 1)

void usage(int argc, char **argv)
{
    fprintf(stderr, "Usage: %s <max_rows/max_cols> <penalty> \n", argv[0]);
    fprintf(stderr, "\t<dimension>  - x and y dimensions\n"
                    "\t<penalty> - penalty(positive integer)\n");
    exit(1);
}

int main(int argc, char **argv)
{
    runTest(argc, argv);
    return EXIT_SUCCESS;
}

void runTest(int argc, char **argv)
{
    int max_rows, max_cols, penalty;
    int *input_itemsets, *output_itemsets, *referrence;
    int *matrix_cuda, *referrence_cuda;
    int size;

    if (argc == 3) {
        max_rows = atoi(argv[1]);
        max_cols = atoi(argv[1]);
        penalty = atoi(argv[2]);
    } else {
        usage(argc, argv);
    }
    if (atoi(argv[1]) % 16 != 0) {
        fprintf(stderr, "The dimension values must be a multiple of 16\n");
        exit(1);
    }
    max_rows = max_rows + 1;
    max_cols = max_cols + 1;
    referrence = (int *)malloc(max_rows * max_cols * sizeof(int));
    input_itemsets = (int *)malloc(max_rows * max_cols * sizeof(int));
    output_itemsets = (int *)malloc(max_rows * max_cols * sizeof(int));
    if (!input_itemsets) fprintf(stderr, "error: can not allocate memory");
    srand(7);
    memset(input_itemsets, 0, sizeof(int) * max_rows * max_cols);
    for (int i = 1; i < max_rows; i++) input_itemsets[i * max_cols] = rand() % 6;
    for (int j = 1; j < max_cols; j++) input_itemsets[j] = rand() % 6;
    for (int i = 1; i < max_cols; i++)
        for (int j = 1; j < max_rows; j++)
            referrence[i * max_cols + j] = blosum[input_itemsets[i * max_cols]][input_itemsets[j]];
    size = max_cols * max_rows;
    cudaMalloc((void **)&referrence_cuda, sizeof(int) * size);
    cudaMalloc((void **)&matrix_cuda, sizeof(int) * size);
    cudaMemcpy(referrence_cuda, referrence, sizeof(int) * size, cudaMemcpyHostToDevice);
    cudaMemcpy(matrix_cuda, input_itemsets, sizeof(int) * size, cudaMemcpyHostToDevice);
    dim3 dimGrid;
    dim3 dimBlock(BLOCK_SIZE, 1);
    int block_width = (max_cols - 1) / BLOCK_SIZE;
    for (int i = 1; i <= block_width; i++) {
        dimGrid.x = i;
        dimGrid.y = 1;
        needle_upper<<<dimGrid, dimBlock>>>(referrence_cuda, matrix_cuda, max_cols, penalty, i, block_width);
    }
    for (int i = block_width - 1; i >= 1; i--) {
        dimGrid.x = i;
        needle_lower<<<dimGrid, dimBlock>>>(referrence_cuda, matrix_cuda, max_cols, penalty, i, block_width);
    }
    cudaMemcpy(output_itemsets, matrix_cuda, sizeof(int) * size, cudaMemcpyDeviceToHost);
#ifdef TRACEBACK
    FILE *fpo = fopen("result.txt", "w");
    for (int i = max_rows - 2, j = max_rows - 2; i >= 0 && j >= 0;) {
        int nw = output_itemsets[(i - 1) * max_cols + j - 1], w = output_itemsets[i * max_cols + j - 1];
        int n = output_itemsets[(i - 1) * max_cols + j], traceback = maximum(nw, w, n);
        fprintf(fpo, "%d ", traceback);
        traceback == nw ? (i--, j--) : traceback == w ? j-- : i--;
    }
    fclose(fpo);
#else
    printf("%d\n", output_itemsets[size - 1] > LIMIT ? maximum(1, 2, 3) : LIMIT);
#endif
    cudaFree(referrence_cuda);
    cudaFree(matrix_cuda);
    free(referrence), free(input_itemsets), free(output_itemsets);
}
