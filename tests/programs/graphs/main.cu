// Kernels as nodes of graphs and as handles.
#include <cstdio>
__global__ void scale(float *x, float by, int n);
__global__ void shift(float *x, double by);
int main()
{
    float *x, by = 2;
    double more = 0.25;
    int n = 100;
    cudaMalloc(&x, n * sizeof *x);
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    void *of_scale[] = {&x, &by, &n}, *of_shift[] = {&x, &more};
    cudaKernelNodeParams params = {};
    params.func = (void *)scale;
    params.gridDim = dim3(1, 2, 3);
    params.blockDim = 100;
    params.kernelParams = of_scale;
    cudaGraphNode_t a, b;
    if (cudaGraphAddKernelNode(&a, graph, nullptr, 0, &params)) return 1;
    params.func = (void *)shift;
    params.sharedMemBytes = 44;
    params.kernelParams = of_shift;
    if (cudaGraphAddKernelNode(&b, graph, &a, 1, &params)) return 1;
    const char *name;
    cudaFuncGetName(&name, (void *)scale);
    puts(name);
    cudaFunction_t function;
    cudaGetFuncBySymbol(&function, (void *)shift);
    cudaKernel_t kernel;
    cudaGetKernel(&kernel, (void *)scale);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 32;
    return cudaLaunchKernelExC(&config, (void *)kernel, of_scale);
}
