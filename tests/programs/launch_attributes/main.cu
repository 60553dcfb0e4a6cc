// Launches with attributes: clusters, cooperative ones.
// arch: sm_90
#include "point.h"
__global__ void step(Point *points, Point by, int n);
__global__ void __cluster_dims__(2, 1, 1) in_clusters(int *out);
__global__ void all_together(int *out, long n);
int main()
{
    Point *points, by;
    memset(&by, 1, sizeof by);
    cudaMalloc(&points, 64 * sizeof by);
    int *out;
    cudaMalloc(&out, 64);
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim = {4, 2, 1};
    attributes[1].id = cudaLaunchAttributeCooperative;
    attributes[1].val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8, 4);
    config.blockDim = 96;
    config.dynamicSmemBytes = 512;
    config.attrs = attributes;
    for (config.numAttrs = 0; config.numAttrs <= 2; config.numAttrs++)
        if (cudaLaunchKernelEx(&config, step, points, by, 64)) return 1;
    in_clusters<<<4, 32>>>(out);
    long n = 12;
    void *arguments[] = {&out, &n};
    return cudaLaunchCooperativeKernel((void *)all_together, dim3(2), dim3(32), arguments, 0, 0);
}
