// `template` without parameters.
// clang: 3:38
template __device__ int twice(int a) { return a + a; }
__device__ int f(int i) { return twice(i); }
