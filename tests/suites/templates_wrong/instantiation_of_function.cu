// The function is no template.
// clang: 4:25
__device__ int twice(int a) { return a + a; }
template __device__ int twice(int);
