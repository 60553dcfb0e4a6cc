__device__ int at();
__global__ void sub(double *a, const double *b) { a[at()] -= b[at()]; }
