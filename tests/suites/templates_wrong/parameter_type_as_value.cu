// A type parameter used as a value.
// clang: 3:58
template <class T> __device__ int size(T a) { return a + T; }
__device__ int f(int i) { return size(i); }
