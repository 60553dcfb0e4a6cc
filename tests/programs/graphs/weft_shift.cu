__global__ void shift(float *x, double by) { x[threadIdx.x] += (float)by; }
