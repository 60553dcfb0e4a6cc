// Two templates fit equally well.
// clang: 5:34
template <class T> __device__ int g(T, int) { return 1; }
template <class T> __device__ int g(int, T) { return 2; }
__device__ int f(int i) { return g(i, i); }
