__device__ float level = 3;
__global__ void blue(float *x, __int128 at) { x[(int)(at >> 90)] = level; }
