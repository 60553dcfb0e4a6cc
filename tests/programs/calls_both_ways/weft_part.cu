__device__ double3 of_nvcc(double3 v, signed char c);
__device__ float shared_factor = 1.5f;
__device__ float of_weft(float x, int2 k) { return x * k.x + k.y * shared_factor; }
__global__ void by_weft(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = (float)of_nvcc(make_double3(x[i], 1, 2), 3).z;
}
