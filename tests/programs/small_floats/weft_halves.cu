#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void halves(__half *x, __half a, __half2 b, unsigned short c) { x[threadIdx.x] = __hfma(a, __low2half(b), __ushort2half_rn(c)); }
__device__ float kept;
__global__ void brains(__nv_bfloat16 a, __nv_bfloat162 b, float c) { kept = __bfloat162float(a) + c; }
