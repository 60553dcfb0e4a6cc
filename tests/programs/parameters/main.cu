// Every kind of parameter.
#include "types.h"
__global__ void scalars(bool, char, signed char, unsigned char, short, unsigned long long, float, double);
__global__ void wide(__int128, int, unsigned __int128);
__global__ void small(Two, Floats, Mixed, Empty, Small);
__global__ void memory(Large, Aligned, Packed, Bits, Either, Nested);
__global__ void vectors(float4, int2, double2, char3, dim3);
__global__ void copied(Copied, int, Destroyed);
__global__ void huge(Huge, const int *, void (*)(int));
__global__ void nothing();
extern "C" __global__ void plain(const int *, int, const Two *const);
extern __device__ int counter;
extern __constant__ float weights[8];
int main()
{
    scalars<<<1, 2>>>(true, 'x', -3, 200, -30000, 1ull << 60, 0.1f, 1e300);
    wide<<<dim3(2, 3, 4), dim3(5, 6, 7), 99>>>((__int128)7 << 70, 3, 5);
    Two two, *pointer = (Two *)64;
    memset(&two, 5, sizeof two);
    Large large;
    Aligned aligned;
    Mixed mixed;
    memset(&aligned, 1, sizeof aligned);
    memset(&mixed, 2, sizeof mixed);
    Nested nested;
    memset(&large, 17, sizeof large);
    memset(&nested, 23, sizeof nested);
    Bits bits;
    memset(&bits, 0, sizeof bits);
    bits.a = 21, bits.b = 999999, bits.c = -4;
    Either either;
    either.d = 2.5;
    Packed packed = {'p', 3.25};
    small<<<1, 1>>>(two, Floats{1, 2, 3}, mixed, Empty{}, MANY);
    memory<<<1, 1>>>(large, aligned, packed, bits, either, nested);
    vectors<<<1, 1>>>(make_float4(1, 2, 3, 4), make_int2(5, 6), make_double2(7, 8), make_char3(1, 2, 3), dim3(4, 5, 6));
    Destroyed destroyed = {1.5f};
    copied<<<3, 32>>>(Copied(41), 77, destroyed);
    Huge big;
    for (int i = 0; i < 8000; i++) big.list[i] = i * i;
    huge<<<1, 1>>>(big, (const int *)4096, (void (*)(int))8192);
    nothing<<<1, 1>>>();
    plain<<<1, 1>>>((const int *)128, 12, pointer);
    return &counter == (void *)&weights;
}
