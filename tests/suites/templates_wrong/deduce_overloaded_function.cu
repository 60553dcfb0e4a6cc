// A function of which there are two.
// clang: 6:29
template <class F> __device__ int call(F f) { return f(1); }
__device__ int g(int a) { return a; }
__device__ int g(float a) { return (int)a; }
__device__ int f() { return call(g); }
