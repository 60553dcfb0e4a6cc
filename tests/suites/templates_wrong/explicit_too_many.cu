// More arguments than parameters.
// clang: 4:34
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int f(int i) { return twice<int, int>(i); }
