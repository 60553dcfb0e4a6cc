// A number where a pointer is wanted.
// clang: 4:34
template <class T> __device__ T load(const T *p) { return *p; }
__device__ int f(int i) { return load(i); }
