// No template has this specialization.
// clang: 4:28
template <class T> __device__ T *same(T *p) { return p; }
template <> __device__ int same(int a) { return a; }
