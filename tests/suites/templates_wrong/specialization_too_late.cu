// The instance exists already.
// clang: 5:28
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int f(int i) { return twice(i); }
template <> __device__ int twice<int>(int a) { return a * 2; }
