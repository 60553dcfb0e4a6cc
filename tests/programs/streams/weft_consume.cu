__device__ int seen;
__global__ void consume(const volatile int *from, const bool last) { if (last) seen = from[threadIdx.x]; }
