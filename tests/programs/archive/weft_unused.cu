__device__ int unused(int n) { return n * n; }
