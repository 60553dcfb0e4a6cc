// A template with the name of a variable.
// clang: 4:33
__device__ int twice;
template <class T> __device__ T twice(T a) { return a + a; }
