// An instance is explicitly instantiated twice.
// clang: 5:26
template <class T> __global__ void k(T *p) { *p = 1; }
template __global__ void k<float>(float *);
template __global__ void k<float>(float *);
