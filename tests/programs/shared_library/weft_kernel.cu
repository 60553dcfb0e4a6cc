__constant__ unsigned mask = ~0u;
__global__ void of_weft(unsigned *x, int n, float by) { x[threadIdx.x] = (unsigned)(n * by) & mask; }
