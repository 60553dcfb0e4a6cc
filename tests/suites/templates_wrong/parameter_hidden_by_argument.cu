// A function's parameter with the name of the template's.
// clang: 3:43
template <class T> __device__ int sum(int T) { return T; }
__device__ int f(int i) { return sum<int>(i); }
