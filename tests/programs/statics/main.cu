// Static variables and functions of one name in several files, which are as many variables.
__global__ void first(int *out);
__global__ void second(int *out);
__global__ void third(int *out);
static __device__ int hidden = 1;
static __device__ int next() { return hidden++; }
static __global__ void own(int *out) { *out = next(); }
int main()
{
    int *out;
    cudaMalloc(&out, 4);
    first<<<1, 1>>>(out);
    second<<<1, 1>>>(out + 1);
    third<<<1, 1>>>(out + 2);
    own<<<1, 1>>>(out + 3);
    int value = 9;
    return cudaMemcpyToSymbol(hidden, &value, 4);
}
