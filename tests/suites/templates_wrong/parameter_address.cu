// A value parameter has no address.
// clang: 5:20 5:21
template <int N> __device__ int next()
{
    const int *p = &N;
    return *p;
}
__device__ int f() { return next<3>(); }
