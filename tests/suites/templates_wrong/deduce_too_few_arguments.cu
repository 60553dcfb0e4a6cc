// Too few arguments.
// clang: 4:34
template <class T> __device__ T largest(T a, T b) { return a > b ? a : b; }
__device__ int f(int i) { return largest(i); }
