// A call of a function that is not `constexpr`.
// clang: 5:29
template <int N> __device__ int value() { return N; }
__device__ int g() { return 3; }
__device__ int f() { return value<g()>(); }
