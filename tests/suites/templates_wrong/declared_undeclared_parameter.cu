// The type of a parameter is not declared.
// clang: 3:42
template <class T> __device__ T sum(T a, real_t b) { return a + b; }
__device__ int f(int i) { return sum(i, 2); }
