inline __host__ __device__ int clamped(int n) { return n < 100 ? n : 100; }
static __constant__ int limits[2] = {1, 2};
