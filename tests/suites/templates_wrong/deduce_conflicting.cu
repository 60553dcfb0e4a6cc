// The arguments give different types for one parameter.
// clang: 4:45
template <class T> __device__ T largest(T a, T b) { return a > b ? a : b; }
__device__ float f(int i, float x) { return largest(i, x); }
