// A variable is no constant.
// clang: 4:34
template <int N> __device__ int value() { return N; }
__device__ int f(int n) { return value<n>(); }
