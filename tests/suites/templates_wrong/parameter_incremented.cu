// A value parameter is no variable: increment.
// clang: 3:49 3:51
template <int N> __device__ int next() { return ++N; }
__device__ int f() { return next<3>(); }
