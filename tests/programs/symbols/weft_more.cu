#include "config.h"
extern __constant__ Config config;
extern __device__ int counter;
__device__ unsigned char byte = 'x';
__managed__ int both;
extern "C" { __device__ long plain = -1; }
__global__ void use(float *out) { out[0] = counter + byte + both + plain + config.mode; }
