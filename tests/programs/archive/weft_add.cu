__device__ int at();
__global__ void add(double *a, const double *b) { a[at()] += b[at()]; }
