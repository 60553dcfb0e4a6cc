__device__ float of_weft(float x, int2 k);
extern __device__ float shared_factor;
__device__ double3 of_nvcc(double3 v, signed char c) { return make_double3(v.x + c, v.y, v.z * shared_factor); }
__global__ void by_nvcc(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = of_weft(x[i], make_int2(i, n));
}
