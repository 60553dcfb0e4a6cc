// The parameter belongs to the template before alone.
// clang: 4:23
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int thrice(T a) { return 3; }
