// `>` is missing in a call.
// clang: 4:46
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int f(int i) { return twice<int(i); }
