// No argument gives the type.
// clang: 4:29
template <class T> __device__ T zero() { return T(0); }
__device__ int f() { return zero(); }
