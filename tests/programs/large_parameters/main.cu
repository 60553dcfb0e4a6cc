// Parameters up to the most that a kernel may have, 32,764 bytes.
// arch: sm_90
#include "sizes.h"
__global__ void at_old_limit(Bytes<4096>::Type a);
__global__ void above_it(Bytes<4097>::Type a, char b);
__global__ void at_limit(Bytes<32764>::Type a);
__global__ void in_two(double d, Bytes<16000>::Type a, short s, Bytes<16738>::Type b);
template <int N> static typename Bytes<N>::Type filled(int seed)
{
    typename Bytes<N>::Type bytes;
    for (int i = 0; i < N; i++) bytes.b[i] = seed = seed * 1103515245 + 12345;
    return bytes;
}
int main()
{
    at_old_limit<<<1, 1>>>(filled<4096>(1));
    above_it<<<1, 1>>>(filled<4097>(2), 'b');
    at_limit<<<1, 1>>>(filled<32764>(3));
    in_two<<<1, 1>>>(2.5, filled<16000>(4), -7, filled<16738>(5));
}
