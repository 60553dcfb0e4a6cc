// A specialization has no default arguments.
// clang: 4:48 4:52
template <class T> __device__ T sum(T a, T b) { return a + b; }
template <> __device__ int sum<int>(int a, int b = 3) { return a - b; }
