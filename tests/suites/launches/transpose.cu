// Matrix transposition: tile sizes as constants and macros, a table of kernels of one type.
#include <cstdio>
#include <cstdlib>
#define TILE_DIM 32
#define BLOCK_ROWS 8
constexpr int NUM_REPS = 10;
template <typename T, int TILE, int ROWS> __global__ void copySharedMem(T *odata, const T *idata, int width)
{
    __shared__ T tile[TILE * TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) tile[(threadIdx.y + j) * TILE + threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS) odata[(y + j) * width + x] = tile[(threadIdx.y + j) * TILE + threadIdx.x];
}
template <typename T, int TILE, int ROWS, int PAD = 1> __global__ void transpose(T *odata, const T *idata, int width, int height)
{
    __shared__ T tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
int main(int argc, char **argv)
{
    const int nx = 1024, ny = 1024;
    const int mem_size = nx * ny * sizeof(float);
    dim3 dimGrid(nx / TILE_DIM, ny / TILE_DIM, 1), dimBlock(TILE_DIM, BLOCK_ROWS, 1);
    float *h_idata = (float *)malloc(mem_size);
    float *d_idata, *d_cdata;
    double *d_wide = nullptr;
    cudaMalloc(&d_idata, mem_size);
    cudaMalloc(&d_cdata, mem_size);
    cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice);
    void (*kernel)(float *, const float *, int, int);
    const char *kernelName;
    for (int k = 0; k < 3; k++) {
        switch (k) {
        case 0: kernel = &transpose<float, TILE_DIM, BLOCK_ROWS, 0>; kernelName = "conflicts"; break;
        case 1: kernel = &transpose<float, TILE_DIM, BLOCK_ROWS>; kernelName = "padded"; break;
        default: kernel = &transpose<float, TILE_DIM / 2, BLOCK_ROWS>; kernelName = "small";
        }
        for (int i = 0; i < NUM_REPS; i++) kernel<<<dimGrid, dimBlock>>>(d_cdata, d_idata, nx, ny);
        printf("%s\n", kernelName);
    }
    copySharedMem<float, TILE_DIM, BLOCK_ROWS><<<dimGrid, dimBlock>>>(d_cdata, d_idata, nx);
    transpose<double, 16, 16><<<dimGrid, dim3(16, 16)>>>(d_wide, d_wide, nx, ny);
    free(h_idata);
    return 0;
}
