// A type where a value is wanted.
// clang: 4:29
template <int N> __device__ int value() { return N; }
__device__ int f() { return value<int>(); }
