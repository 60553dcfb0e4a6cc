// The specialization has another result.
// clang: 4:30
template <class T> __device__ T twice(T a) { return a + a; }
template <> __device__ float twice<int>(int a) { return a * 2.0f; }
