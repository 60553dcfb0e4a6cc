// `class` is missing.
// clang: 3:11
template <T> __device__ T twice(T a) { return a + a; }
__device__ int f(int i) { return twice<int>(i); }
