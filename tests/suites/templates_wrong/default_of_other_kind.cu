// A type is the default argument of a value parameter.
// clang: 3:22 3:19
template <int N = int> __device__ int value() { return N; }
__device__ int f() { return value(); }
