// An old sample: separable convolution, a kernel of weights in constant memory, helpers from a header of the program's own.
//@ args: -Iinclude
//@ launch: convolutionRowsKernel grid=3,2 block=16,4
//@ arg: d_Dst=f32[8,48]
//@ arg: d_Src=f32[8,48]=random(1)
//@ arg: 48
//@ arg: 8
//@ arg: 48
//@ launch: convolutionColumnsKernel grid=3,1 block=16,4
//@ arg: d_Dst=f32[8,48]
//@ arg: d_Src=f32[8,48]=random(2)
//@ arg: 48
//@ arg: 8
//@ arg: 48
#include <assert.h>

#include "helper_check.h"

#define KERNEL_RADIUS 4
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define IMUL(a, b) __mul24(a, b)

////////////////////////////////////////////////////////////////////////////////
// Convolution kernel storage
////////////////////////////////////////////////////////////////////////////////
__constant__ float c_Kernel[KERNEL_LENGTH] = {0.01f, 0.05f, 0.1f, 0.2f, 0.28f, 0.2f, 0.1f, 0.05f, 0.01f};

extern "C" {
void convolutionRowCPU(float *h_Dst, float *h_Src, float *h_Kernel, int imageW, int imageH, int kernelR);
void setConvolutionKernel(float *h_Kernel);
void convolutionRowsGPU(float *d_Dst, float *d_Src, int imageW, int imageH);
void convolutionColumnsGPU(float *d_Dst, float *d_Src, int imageW, int imageH);
}

void setConvolutionKernel(float *h_Kernel)
{
    cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float));
}

////////////////////////////////////////////////////////////////////////////////
// Row convolution filter
////////////////////////////////////////////////////////////////////////////////
#define ROWS_BLOCKDIM_X 16
#define ROWS_BLOCKDIM_Y 4

__global__ void convolutionRowsKernel(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch)
{
    __shared__ float s_Data[ROWS_BLOCKDIM_Y][ROWS_BLOCKDIM_X + 2 * KERNEL_RADIUS];

    const int baseX = IMUL(blockIdx.x, ROWS_BLOCKDIM_X) + threadIdx.x;
    const int baseY = IMUL(blockIdx.y, ROWS_BLOCKDIM_Y) + threadIdx.y;
    d_Src += baseY * pitch + baseX;
    d_Dst += baseY * pitch + baseX;

    // Load main data and halo
    s_Data[threadIdx.y][threadIdx.x + KERNEL_RADIUS] = d_Src[0];
    if (threadIdx.x < KERNEL_RADIUS) {
        s_Data[threadIdx.y][threadIdx.x] = (baseX >= KERNEL_RADIUS) ? d_Src[-KERNEL_RADIUS] : 0;
        s_Data[threadIdx.y][threadIdx.x + KERNEL_RADIUS + ROWS_BLOCKDIM_X] =
            (imageW - baseX > ROWS_BLOCKDIM_X) ? d_Src[ROWS_BLOCKDIM_X] : 0;
    }

    // Compute and store results
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
        sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.y][threadIdx.x + KERNEL_RADIUS + j];
    d_Dst[0] = sum;
}

extern "C" {
void convolutionRowsGPU(float *d_Dst, float *d_Src, int imageW, int imageH)
{
    assert(imageW % ROWS_BLOCKDIM_X == 0);
    assert(imageH % ROWS_BLOCKDIM_Y == 0);

    dim3 blocks(imageW / ROWS_BLOCKDIM_X, imageH / ROWS_BLOCKDIM_Y);
    dim3 threads(ROWS_BLOCKDIM_X, ROWS_BLOCKDIM_Y);

    convolutionRowsKernel<<<blocks, threads>>>(d_Dst, d_Src, imageW, imageH, imageW);
    getLastCudaError("convolutionRowsKernel() execution failed\n");
}
}

////////////////////////////////////////////////////////////////////////////////
// Column convolution filter
////////////////////////////////////////////////////////////////////////////////
#define COLUMNS_BLOCKDIM_X 16
#define COLUMNS_BLOCKDIM_Y 4
#define COLUMNS_RESULT_STEPS 2

__global__ void convolutionColumnsKernel(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch)
{
    __shared__ float s_Data[COLUMNS_BLOCKDIM_X][COLUMNS_RESULT_STEPS * COLUMNS_BLOCKDIM_Y + 2 * KERNEL_RADIUS + 1];
    const int baseX = blockIdx.x * COLUMNS_BLOCKDIM_X + threadIdx.x;
    const int baseY = blockIdx.y * COLUMNS_RESULT_STEPS * COLUMNS_BLOCKDIM_Y;

    for (int y = (int)threadIdx.y - KERNEL_RADIUS; y < COLUMNS_RESULT_STEPS * COLUMNS_BLOCKDIM_Y + KERNEL_RADIUS;
         y += COLUMNS_BLOCKDIM_Y) {
        int row = baseY + y;
        s_Data[threadIdx.x][y + KERNEL_RADIUS] = row >= 0 && row < imageH ? d_Src[row * pitch + baseX] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < COLUMNS_RESULT_STEPS; i++) {
        int y = threadIdx.y + i * COLUMNS_BLOCKDIM_Y;
        float sum = 0;
#pragma unroll
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
            sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.x][y + KERNEL_RADIUS + j];
        d_Dst[(baseY + y) * pitch + baseX] = sum;
    }
}

void convolutionColumnsGPU(float *d_Dst, float *d_Src, int imageW, int imageH)
{
    dim3 blocks(imageW / COLUMNS_BLOCKDIM_X, imageH / (COLUMNS_RESULT_STEPS * COLUMNS_BLOCKDIM_Y));
    dim3 threads(COLUMNS_BLOCKDIM_X, COLUMNS_BLOCKDIM_Y);
    convolutionColumnsKernel<<<blocks, threads>>>(d_Dst, d_Src, imageW, imageH, imageW);
    getLastCudaError("convolutionColumnsKernel() execution failed\n");
}

////////////////////////////////////////////////////////////////////////////////
// Main program
////////////////////////////////////////////////////////////////////////////////
int main(int argc, char **argv)
{
    printf("[%s] - Starting...\n", argv[0]);
    float *h_Kernel, *h_Input, *d_Input, *d_Output, *d_Buffer;
    int imageW = 3072, imageH = 3072 / 2, iterations = 16;
    StopWatchInterface *hTimer = NULL;

    if (checkCmdLineFlag(argc, (const char **)argv, "help")) exit(EXIT_WAIVED);
    getCmdLineArgumentValue(argc, (const char **)argv, "width", &imageW);
    sdkCreateTimer(&hTimer);
    h_Kernel = (float *)malloc(KERNEL_LENGTH * sizeof(float));
    h_Input = (float *)malloc(imageW * imageH * sizeof(float));
    srand(200);
    for (unsigned int i = 0; i < KERNEL_LENGTH; i++) h_Kernel[i] = (float)(rand() % 16);
    for (unsigned i = 0; i < imageW * imageH; i++) h_Input[i] = (float)(rand() % 16);
    checkCudaErrors(cudaMalloc((void **)&d_Input, imageW * imageH * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_Output, imageW * imageH * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_Buffer, imageW * imageH * sizeof(float)));
    setConvolutionKernel(h_Kernel);
    checkCudaErrors(cudaMemcpy(d_Input, h_Input, imageW * imageH * sizeof(float), cudaMemcpyHostToDevice));
    for (int i = -1; i < iterations; i++) {
        // i == -1 -- warmup iteration
        if (i == 0) {
            checkCudaErrors(cudaDeviceSynchronize());
            hTimer->start();
        }
        convolutionRowsGPU(d_Buffer, d_Input, imageW, imageH);
        convolutionColumnsGPU(d_Output, d_Buffer, imageW, imageH);
    }
    checkCudaErrors(cudaDeviceSynchronize());
    hTimer->stop();
    double gpuTime = 0.001 * hTimer->getTime() / (double)MAX(iterations, 1);
    printf("Throughput = %.4f MPixels/sec, Time = %.5f s, %i\n", 1.0e-6 * imageW * imageH / gpuTime, gpuTime, ftoi(1.5f));
    delete hTimer;
    exit(EXIT_SUCCESS);
}
