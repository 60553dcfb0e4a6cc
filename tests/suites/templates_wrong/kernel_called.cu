// Device code calls a kernel.
// clang: 4:35 4:29
template <class T> __global__ void k(T *p) { *p = 1; }
__device__ void f(int *p) { k<int>(p); }
