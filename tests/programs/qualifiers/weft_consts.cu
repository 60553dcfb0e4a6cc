#include "ids.h"
__device__ int sum;
__global__ void consts(const int n, const float *const p, const Id id) { sum = n + (int)*p + id.member; }
