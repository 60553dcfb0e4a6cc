// Two parameters with the same name.
// clang: 3:26
template <class T, class T> __device__ T sum(T a) { return a; }
__device__ int f(int i) { return sum<int, int>(i); }
