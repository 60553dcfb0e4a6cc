// A pointer to another type than the explicit one.
// clang: 4:37
template <class T> __device__ T load(const T *p) { return *p; }
__device__ float f(int *p) { return load<float>(p); }
