// An argument that does not convert to the explicit type.
// clang: 4:35
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int f(int *p) { return twice<int>(p); }
