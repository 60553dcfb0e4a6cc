// A pointer and a value give different types.
// clang: 4:31
template <class T> __device__ void set(T *p, T value) { *p = value; }
__device__ void f(float *p) { set(p, 1); }
