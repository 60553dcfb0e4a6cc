// A value that does not fit.
// clang: 4:29
template <unsigned char N> __device__ int value() { return N; }
__device__ int f() { return value<300>(); }
