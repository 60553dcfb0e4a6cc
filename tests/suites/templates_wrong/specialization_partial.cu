// Functions have no partial specializations.
// clang: 4:35 4:39
template <class T> __device__ int size() { return sizeof(T); }
template <class T> __device__ int size<T *>() { return 8; }
__device__ int f() { return size<int>(); }
