// Arguments for a function that is no template.
// clang: 4:34 4:35
__device__ int g(int a) { return a; }
__device__ int f(int i) { return g<int>(i); }
