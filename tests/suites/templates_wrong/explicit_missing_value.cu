// The second argument is missing.
// clang: 4:29
template <class T, int N> __device__ T scaled() { return T(N); }
__device__ int f() { return scaled<int>(); }
