// A negative value for an unsigned parameter.
// clang: 4:29
template <unsigned N> __device__ int value() { return N; }
__device__ int f() { return value<-1>(); }
