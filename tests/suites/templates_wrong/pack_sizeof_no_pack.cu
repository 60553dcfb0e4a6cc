// `sizeof...` of what is no pack.
// clang: 3:65
template <class T> __device__ int count(T a) { return sizeof...(a); }
__device__ int f(int i) { return count(i); }
