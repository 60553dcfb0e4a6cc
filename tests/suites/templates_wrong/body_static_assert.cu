// A failed `static_assert` of one instance.
// clang: 6:19
// instances: 11:25
template <int N> __device__ int value()
{
    static_assert(N % 4 == 0, "N is a multiple of 4");
    return N;
}
__device__ int f()
{
    return value<8>() + value<6>();
}
