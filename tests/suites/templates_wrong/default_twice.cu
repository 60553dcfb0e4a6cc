// A default argument of a template is given twice.
// clang: 4:21
template <class T = int> __device__ T zero();
template <class T = int> __device__ T zero() { return T(0); }
__device__ int f() { return zero(); }
