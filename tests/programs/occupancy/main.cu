// Attributes of kernels, and what the runtime computes from them.
__global__ void __launch_bounds__(256, 2) bounded(float *x);
extern "C" __global__ void plain(float *x, int n);
__global__ void dynamic_shared(float *x);
static size_t shared_of(int block) { return block * sizeof(float); }
int main()
{
    cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, bounded)) return 1;
    cudaFuncGetAttributes(&attributes, (const void *)plain);
    cudaFuncSetAttribute(dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
    cudaFuncSetAttribute(dynamic_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
    cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1);
    int n, block;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, bounded, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&n, &block, plain, 128, 512);
    plain<<<n, block>>>((float *)256, n * block);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&n, &block, dynamic_shared, shared_of);
    dynamic_shared<<<n, block, shared_of(block)>>>((float *)512);
    size_t bytes;
    cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, dynamic_shared, 2, 64);
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = 64;
    cudaOccupancyMaxPotentialClusterSize(&n, bounded, &config);
    return cudaOccupancyMaxActiveClusters(&n, bounded, &config);
}
