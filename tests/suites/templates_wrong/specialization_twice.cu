// A specialization is defined twice.
// clang: 5:28
template <class T> __device__ T twice(T a) { return a + a; }
template <> __device__ int twice<int>(int a) { return a * 2; }
template <> __device__ int twice<int>(int a) { return a << 1; }
