// Kernels of each compiler call functions of the other.
__global__ void by_weft(float *x, int n);
__global__ void by_nvcc(float *x, int n);
int main()
{
    float *x;
    cudaMalloc(&x, 128 * sizeof(float));
    by_weft<<<2, 64>>>(x, 128);
    by_nvcc<<<4, 32>>>(x, 127);
}
