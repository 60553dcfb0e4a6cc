#include "wide.h"
extern __device__ int sum;
__global__ void bits(Bits b, double *p, Kind k) { sum = b.low + (int)b.high + k; }
