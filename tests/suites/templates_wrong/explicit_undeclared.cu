// A type that is not declared.
// clang: 4:34
template <class T> __device__ int size() { return sizeof(T); }
__device__ int f() { return size<nothing>(); }
