static __device__ int hidden = 3;
static __managed__ short managed;
static __device__ int next() { return hidden++ + managed; }
__global__ void second(int *out) { *out = next(); }
