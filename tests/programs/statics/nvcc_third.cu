static __device__ int hidden = 4;
static __device__ int next() { return hidden++; }
__global__ void third(int *out) { *out = next(); }
