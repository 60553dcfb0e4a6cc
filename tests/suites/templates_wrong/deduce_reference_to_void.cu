// The type makes a reference to `void` of a parameter.
// clang: 4:36
template <class T> __device__ int of(T *, T &(*)()) { return 1; }
__device__ int f(void *p) { return of(p, nullptr); }
