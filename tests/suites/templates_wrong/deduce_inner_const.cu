// `int **` is no `const T **`.
// clang: 4:36
template <class T> __device__ T deep(const T **p) { return **p; }
__device__ int f(int **p) { return deep(p); }
