#include "pair.h"
extern "C" __global__ void clear_pairs(struct Pair *pairs) { pairs[threadIdx.x].a = 0; }
