// Too many arguments.
// clang: 4:34
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int f(int i) { return twice(i, 2); }
