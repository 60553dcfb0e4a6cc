// A value parameter is no variable: assignment.
// clang: 5:7 5:5
template <int N> __device__ int next()
{
    N = N + 1;
    return N;
}
__device__ int f() { return next<3>(); }
