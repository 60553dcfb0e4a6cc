// A value where a variable is wanted.
// clang: 4:28
template <class T> __device__ void increment(T &a) { ++a; }
__device__ void f(int i) { increment(i + 1); }
