// Clang as the host's compiler of both.
// host: ccbin
#include "wide.h"
__global__ void wide(Wide a, __int128 b, const Empty c, double4_32a d);
__global__ void bits(Bits b, double *p, Kind k);
__global__ void own(Wide a) {}
int main()
{
    Wide a;
    memset(&a, 7, sizeof a);
    Bits b;
    memset(&b, 0, sizeof b);
    b.low = 5, b.high = -3;
    wide<<<1, 2>>>(a, -5, Empty(), double4_32a{1, 2, 3, 4});
    bits<<<3, 4>>>(b, nullptr, LATE);
    own<<<5, 6>>>(a);
}
