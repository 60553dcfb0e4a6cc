// No argument gives the value.
// clang: 4:34
template <int N, class T> __device__ T scaled(T a) { return a * N; }
__device__ int f(int i) { return scaled(i); }
