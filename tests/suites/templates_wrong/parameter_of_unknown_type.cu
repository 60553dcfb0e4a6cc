// A value parameter of a type that is not declared.
// clang: 3:11
template <index_t N> __device__ int value() { return N; }
__device__ int f() { return value<3>(); }
