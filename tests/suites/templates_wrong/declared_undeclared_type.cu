// A type in the signature that is not declared.
// clang: 3:31
template <class T> __device__ nothing twice(T a) { return a + a; }
__device__ int f(int i) { return twice(i); }
