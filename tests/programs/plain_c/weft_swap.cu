#include "pair.h"
extern "C" __global__ void swap_pairs(struct Pair *pairs, int n, struct Pair by) { pairs[threadIdx.x].a = n + by.a; }
