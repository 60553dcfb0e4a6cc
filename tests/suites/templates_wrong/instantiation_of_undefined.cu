// A template without a definition is instantiated.
// clang: 4:25
template <class T> __device__ T twice(T a);
template __device__ int twice<int>(int);
