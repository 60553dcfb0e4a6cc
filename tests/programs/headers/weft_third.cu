#include "common.h"
__device__ __noinline__ int third(int n) { return clamped(n) - limits[0]; }
