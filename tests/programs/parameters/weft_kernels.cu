#include "types.h"
__device__ int counter;
__device__ double table[3][4];
__constant__ float weights[8];
__managed__ long shared_with_host;
static __device__ short hidden;
__global__ void scalars(bool b, char c, signed char s, unsigned char u, short h, unsigned long long l, float f, double d) { counter = b + c + s + u + h + l + f + d; }
__global__ void wide(__int128 a, int b, unsigned __int128 c) { counter = (int)a + b + (int)c; }
__global__ void small(Two a, Floats b, Mixed c, Empty e, Small s) { counter = a.a + (int)b.z + c.n + s + hidden; }
__global__ void memory(Large a, Aligned b, Packed c, Bits d, Either e, Nested f) { counter = a.c + b.b + (int)c.d + d.b + e.i + f.in[1].s[2] + (int)weights[1]; }
__global__ void vectors(float4 a, int2 b, double2 c, char3 d, dim3 e) { counter = (int)a.w + b.y + (int)c.x + d.z + e.y; }
__global__ void copied(Copied a, int n, Destroyed d) { counter = a.b + n + (int)d.a; }
__global__ void huge(Huge h, const int *p, void (*f)(int)) { counter = h.list[7999]; }
__global__ void nothing() { table[1][2] = shared_with_host; }
extern "C" __global__ void plain(const int *a, int n, const Two *const b) { counter = a[n] + b->a; }
