// By value and by reference are equally good.
// clang: 5:34
template <class T> __device__ int g(T) { return 1; }
template <class T> __device__ int g(T &) { return 2; }
__device__ int f(int i) { return g(i); }
