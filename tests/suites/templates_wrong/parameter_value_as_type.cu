// A value parameter used as a type.
// clang: 5:6
template <int N> __device__ int size(int a)
{
    N b = a;
    return b;
}
__device__ int f(int i) { return size<3>(i); }
