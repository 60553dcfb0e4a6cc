#include "sizes.h"
__device__ int sum;
__global__ void at_old_limit(B4096 a) { sum = a.b[4095]; }
__global__ void above_it(B4097 a, char b) { sum = a.b[4096] + b; }
