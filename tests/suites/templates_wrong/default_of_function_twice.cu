// A default argument of a function is given again after a call.
// clang: 5:44 5:48
template <class T> __device__ T sum(T a, T b = 1);
__device__ int f(int i) { return sum(i); }
template <class T> __device__ T sum(T a, T b = 1) { return a + b; }
