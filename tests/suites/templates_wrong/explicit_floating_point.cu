// A floating-point value for an integer parameter.
// clang: 4:29
template <int N> __device__ int value() { return N; }
__device__ int f() { return value<2.0f>(); }
