#include "sizes.h"
extern __device__ int sum;
__global__ void at_limit(B32764 a) { sum = a.b[32763]; }
__global__ void in_two(double d, B16000 a, short s, B16738 b) { sum = (int)d + a.b[9] + s + b.b[16737]; }
