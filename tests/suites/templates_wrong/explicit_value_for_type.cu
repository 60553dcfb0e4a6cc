// A value where a type is wanted.
// clang: 4:29
template <class T> __device__ int size() { return sizeof(T); }
__device__ int f() { return size<3>(); }
