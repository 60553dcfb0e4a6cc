extern "C" __global__ void plain(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
__global__ void dynamic_shared(float *x)
{
    extern __shared__ float buffer[];
    buffer[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
