// The host copies to and from variables, and asks for their addresses and sizes.
#include "config.h"
extern __device__ int counter;
extern __device__ double table[3][4];
extern __device__ float4 vectors[2];
extern __constant__ float weights[8];
extern __constant__ Config config;
extern __device__ unsigned char byte;
extern __managed__ int both;
extern "C" { extern __device__ long plain; }
__global__ void use(float *out);
int main()
{
    int value = 42;
    cudaMemcpyToSymbol(counter, &value, sizeof value);
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    double row[4] = {1, 2, 3, 4};
    cudaMemcpyToSymbol(table, row, sizeof row, 2 * sizeof row);
    float some[3] = {0.5f, -1, 9};
    cudaMemcpyToSymbol(weights, some, sizeof some, 8, cudaMemcpyHostToDevice);
    Config own;
    memset(&own, 3, sizeof own);
    cudaMemcpyToSymbolAsync(config, &own, sizeof own);
    unsigned char one = 1;
    cudaMemcpyToSymbol(byte, &one, 1);
    void *address;
    cudaGetSymbolAddress(&address, vectors);
    cudaGetSymbolAddress(&address, plain);
    size_t size;
    cudaGetSymbolSize(&size, vectors);
    cudaGetSymbolSize(&size, config);
    both = 5;
    float *out;
    cudaMalloc(&out, size);
    use<<<1, (unsigned)size>>>(out);
    return both != 5 || size != sizeof(Config);
}
