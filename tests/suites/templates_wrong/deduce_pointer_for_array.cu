// A pointer where an array is wanted.
// clang: 4:35
template <class T, int N> __device__ int length(T (&)[N]) { return N; }
__device__ int f(int *p) { return length(p); }
