__device__ int at() { return threadIdx.x; }
