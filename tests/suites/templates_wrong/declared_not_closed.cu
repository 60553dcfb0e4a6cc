// `>` is missing.
// clang: 3:30
template <class T __device__ T twice(T a) { return a + a; }
__device__ int f(int i) { return twice(i); }
