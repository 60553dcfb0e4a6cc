// No template has this instance.
// clang: 4:26
template <class T> __global__ void k(T *p) { *p = 1; }
template __global__ void k<float>(int *);
