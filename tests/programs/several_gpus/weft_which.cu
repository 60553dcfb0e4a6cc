__global__ void which(int *gpu)
{
#ifdef __CUDA_ARCH__
    *gpu = __CUDA_ARCH__;
#endif
}
