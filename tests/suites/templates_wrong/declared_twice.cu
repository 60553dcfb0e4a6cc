// A template is defined twice.
// clang: 4:33
template <class T> __device__ T twice(T a) { return a + a; }
template <class U> __device__ U twice(U a) { return a * 2; }
__device__ int f(int i) { return twice(i); }
