// A comma is missing between parameters.
// clang: 3:19
template <class T int N> __device__ T scaled(T a) { return a * N; }
__device__ int f(int i) { return scaled<int, 3>(i); }
