#include "wide.h"
__device__ int sum;
__global__ void wide(Wide a, __int128 b, const Empty c, double4_32a d) { sum = (int)a.n + (int)b + (int)d.w; }
