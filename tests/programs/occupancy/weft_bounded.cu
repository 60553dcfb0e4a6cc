__global__ void __launch_bounds__(256, 2) bounded(float *x) { x[threadIdx.x] = 1; }
