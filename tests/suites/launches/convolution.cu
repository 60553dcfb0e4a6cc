// Separable convolution: radius as an argument, constant memory, loops over streams.
#include <cstdio>
#define KERNEL_RADIUS 8
const int ROWS_BLOCKDIM_X = 16, ROWS_RESULT_STEPS = 8;
__constant__ float c_Kernel[2 * KERNEL_RADIUS + 1];
template <int RADIUS, int STEPS> __global__ void rows(float *dst, const float *src, int w, int pitch)
{
    int x = (blockIdx.x * STEPS) * blockDim.x + threadIdx.x, y = blockIdx.y;
    for (int i = 0; i < STEPS; i++) {
        float sum = 0;
        for (int j = -RADIUS; j <= RADIUS; j++) sum += c_Kernel[RADIUS - j] * src[y * pitch + min(max(x + j, 0), w - 1)];
        dst[y * pitch + x] = sum;
    }
}
template <int i> __device__ float columnStep(const float *src, int pitch) { return src[i * pitch] * c_Kernel[KERNEL_RADIUS - i] + columnStep<i - 1>(src, pitch); }
template <> __device__ float columnStep<-1>(const float *, int) { return 0; }
template <typename T, int RADIUS = KERNEL_RADIUS> __global__ void columns(T *dst, const T *src, int pitch)
{
    dst[threadIdx.x] = columnStep<RADIUS>(src + threadIdx.x, pitch);
}
void convolutionRowsGPU(float *d_Dst, float *d_Src, int imageW, int imageH)
{
    dim3 blocks(imageW / (ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X), imageH), threads(ROWS_BLOCKDIM_X, 4);
    rows<KERNEL_RADIUS, ROWS_RESULT_STEPS><<<blocks, threads>>>(d_Dst, d_Src, imageW, imageW);
}
void convolutionColumnsGPU(float *d_Dst, float *d_Src, int imageW, int imageH)
{
    static const int steps[] = {1, 2};
    for (auto step : steps) columns<<<step, imageH>>>(d_Dst, (const float *)d_Src, imageW);
    columns<float, 3><<<1, 32>>>(d_Dst, d_Src, imageW);
}
int main()
{
    float *d_Input, *d_Output, *streams_in[4];
    cudaStream_t streams[4];
    for (int i = 0; i < 4; ++i) rows<1, 1><<<1, 32, 0, streams[i]>>>(d_Output, streams_in[i], 512, 512);
    convolutionRowsGPU(d_Output, d_Input, 512, 512);
    convolutionColumnsGPU(d_Output, d_Input, 512, 512);
}
