// A null pointer says nothing of what it points to.
// clang: 4:29
template <class T> __device__ int size_of(T *) { return sizeof(T); }
__device__ int f() { return size_of(nullptr); }
