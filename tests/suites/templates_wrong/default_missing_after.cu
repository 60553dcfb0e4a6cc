// A parameter after one with a default argument has none.
// clang: 3:48
template <class T> __device__ T sum(T a = 1, T b) { return a + b; }
__device__ int f(int i) { return sum(i, i); }
