// Half precision and its vectors as parameters.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include "quantized.h"
__global__ void halves(__half *x, __half a, __half2 b, unsigned short c);
__global__ void brains(__nv_bfloat16 a, __nv_bfloat162 b, float c);
__global__ void quantized(Quantized q, char4 scale, ushort3 zero, longlong2 wide);
int main()
{
    __half *x;
    cudaMalloc(&x, 64);
    halves<<<1, 32>>>(x, __float2half(1.5f), __floats2half2_rn(-2, 0.25f), 77);
    brains<<<2, 32>>>(__float2bfloat16(3), __floats2bfloat162_rn(1, 2), 4);
    Quantized q;
    memset(&q, 0, sizeof q);
    q.scale = __float2half(0.125f);
    for (int i = 0; i < 18; i++) q.values[i] = i - 9;
    quantized<<<3, 32>>>(q, make_char4(1, 2, 3, 4), make_ushort3(5, 6, 7), make_longlong2(-1, 1ll << 40));
}
