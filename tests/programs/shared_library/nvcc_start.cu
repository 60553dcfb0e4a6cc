__global__ void of_weft(unsigned *x, int n, float by);
extern __constant__ unsigned mask;
static __global__ void own(unsigned *x) { x[threadIdx.x] = 0; }
void start(int n)
{
    unsigned *x, bits = 1u << n;
    cudaMalloc(&x, 128);
    own<<<1, 32>>>(x);
    of_weft<<<n, 32>>>(x, n, 0.5f * n);
    cudaMemcpyToSymbol(mask, &bits, sizeof bits);
}
