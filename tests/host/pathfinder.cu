// A dynamic program over a grid: macros for ranges, timing macros, C++ streams for the input, an enum of the host in an array's size.
//@ launch: dynproc_kernel grid=2 block=64
//@ arg: 4
//@ arg: gpuWall=i32[8,96]=random(1, 0, 10)
//@ arg: gpuSrc=i32[96]=random(2, 0, 10)
//@ arg: gpuResults=i32[96]
//@ arg: 96
//@ arg: 5
//@ arg: 1
//@ arg: 4
#include <assert.h>
#include <fstream>
#include <iostream>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#define BLOCK_SIZE 64
#define STR_SIZE 256
#define DEVICE 0
#define HALO 1  // halo width along one direction when advancing to the next iteration
#define M_SEED 9
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define CLAMP_RANGE(x, min, max) x = (x < (min)) ? min : ((x > (max)) ? max : x)
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

#ifdef TIMING
#define TIMER_START(t) gettimeofday(&t##_start, 0)
#define TIMER_STOP(t) gettimeofday(&t##_stop, 0)
struct timeval kernel_start, kernel_stop;
float kernel_time = 0;
#else
#define TIMER_START(t)
#define TIMER_STOP(t)
#endif

enum { SOURCE, DESTINATION, N_BUFFERS };

using namespace std;

void run(int argc, char **argv);

int rows, cols;
int *cells;
int **wall;
int *result;
int pyramid_height;
int *gpuResult[N_BUFFERS];
ofstream trace("result.txt", ios::out | ios::trunc);

void init(int argc, char **argv)
{
    if (argc == 4) {
        cols = atoi(argv[1]);
        rows = atoi(argv[2]);
        pyramid_height = atoi(argv[3]);
    } else {
        printf("Usage: dynproc row_len col_len pyramid_height\n");
        exit(0);
    }
    cells = new int[rows * cols];
    wall = new int *[rows];
    for (int n = 0; n < rows; n++) wall[n] = cells + cols * n;
    result = new int[cols];

    int seed = M_SEED;
    srand(seed);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) wall[i][j] = rand() % 10;
    }
}

void fatal(char *s) { cerr << "error: " << s << "\n" << flush; }

__global__ void dynproc_kernel(int iteration, int *gpuWall, int *gpuSrc, int *gpuResults, int cols, int rows,
                               int startStep, int border)
{
    __shared__ int prev[BLOCK_SIZE];
    __shared__ int result[BLOCK_SIZE];

    int bx = blockIdx.x;
    int tx = threadIdx.x;

    // each block finally computes result for a small block after N iterations
    int small_block_cols = BLOCK_SIZE - iteration * HALO * 2;
    int blkX = small_block_cols * bx - border;
    int blkXmax = blkX + BLOCK_SIZE - 1;
    int xidx = blkX + tx;
    int validXmin = (blkX < 0) ? -blkX : 0;
    int validXmax = (blkXmax > cols - 1) ? BLOCK_SIZE - 1 - (blkXmax - cols + 1) : BLOCK_SIZE - 1;

    int W = tx - 1;
    int E = tx + 1;
    W = (W < validXmin) ? validXmin : W;
    E = (E > validXmax) ? validXmax : E;

    bool isValid = IN_RANGE(tx, validXmin, validXmax);
    if (IN_RANGE(xidx, 0, cols - 1)) prev[tx] = gpuSrc[xidx];
    __syncthreads();
    bool computed;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && isValid) {
            computed = true;
            int left = prev[W];
            int up = prev[tx];
            int right = prev[E];
            int shortest = MIN(left, up);
            shortest = MIN(shortest, right);
            int index = cols * (startStep + i) + xidx;
            result[tx] = startStep + i < rows + 3 ? shortest + gpuWall[index - cols] : shortest;
        }
        __syncthreads();
        if (i == iteration - 1) break;
        if (computed) prev[tx] = result[tx];
        __syncthreads();
    }
    if (computed) gpuResults[xidx] = result[tx];
}

int calc_path(int *gpuWall, int *gpuResult[2], int rows, int cols, int pyramid_height, int blockCols, int borderCols)
{
    dim3 dimBlock(BLOCK_SIZE);
    dim3 dimGrid(blockCols);
    int src = DESTINATION, dst = SOURCE;
    for (int t = 0; t < rows - 1; t += pyramid_height) {
        int temp = src;
        src = dst;
        dst = temp;
        dynproc_kernel<<<dimGrid, dimBlock>>>(MIN(pyramid_height, rows - t - 1), gpuWall, gpuResult[src], gpuResult[dst],
                                              cols, rows, t, borderCols);
    }
    return dst;
}

int main(int argc, char **argv)
{
    int num_devices;
    cudaGetDeviceCount(&num_devices);
    if (num_devices > 1) cudaSetDevice(DEVICE);
    run(argc, argv);
    return EXIT_SUCCESS;
}

void run(int argc, char **argv)
{
    init(argc, argv);

    int borderCols = (pyramid_height)*HALO;
    int smallBlockCol = BLOCK_SIZE - (pyramid_height)*HALO * 2;
    int blockCols = cols / smallBlockCol + ((cols % smallBlockCol == 0) ? 0 : 1);
    printf("pyramidHeight: %d\ngridSize: [%d]\nborder:[%d]\nblockSize: %d\nblockGrid:[%d]\ntargetBlock:[%d]\n",
           pyramid_height, cols, borderCols, BLOCK_SIZE, blockCols, smallBlockCol);

    int *gpuWall;
    int size = rows * cols;
    cudaMalloc((void **)&gpuResult[0], sizeof(int) * cols);
    cudaMalloc((void **)&gpuResult[1], sizeof(int) * cols);
    cudaMemcpy(gpuResult[0], cells, sizeof(int) * cols, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&gpuWall, sizeof(int) * (size - cols));
    cudaMemcpy(gpuWall, cells + cols, sizeof(int) * (size - cols), cudaMemcpyHostToDevice);
    TIMER_START(kernel);
    int final_ret = calc_path(gpuWall, gpuResult, rows, cols, pyramid_height, blockCols, borderCols);
    cudaDeviceSynchronize();
    TIMER_STOP(kernel);
    cudaMemcpy(result, gpuResult[final_ret], sizeof(int) * cols, cudaMemcpyDeviceToHost);
    for (int i = 0; i < cols; i++) trace << cells[i] << ' ' << result[i] << endl;
    for (auto buffer : gpuResult) cudaFree(buffer);
    delete[] cells, delete[] wall;
    delete[] result;
}
