#include "config.h"
__device__ int counter;
__device__ double table[3][4] = {{1}, {2, 3}};
__device__ float4 vectors[2];
__constant__ float weights[8] = {1, 2, 3};
__constant__ Config config = {{0, 1}, 2, "five"};
