// Neither template is more specialized.
// clang: 5:35
template <class T, class U> __device__ int g(T *, U) { return 1; }
template <class T, class U> __device__ int g(T, U *) { return 2; }
__device__ int f(int *p) { return g(p, p); }
