// Two templates that differ in the result alone.
// clang: 5:34
template <class T> __device__ int g(T a) { return a; }
template <class T> __device__ float g(T a) { return a; }
__device__ int f(int i) { return g(i); }
