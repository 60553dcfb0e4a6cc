__device__ float level = 1;
__constant__ int shades[3];
static __device__ int unused;
static __constant__ float scale[2] = {1, 2};
static __device__ const int step = 4;
static __device__ float brightness(float x) { return x / 2 * level + scale[1] * step; }
__global__ void red(float *x) { *x = brightness(*x) + shades[0]; }
