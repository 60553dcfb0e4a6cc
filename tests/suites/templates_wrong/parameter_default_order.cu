// A default argument uses a parameter that follows.
// clang: 3:21
template <class A = B, class B = int> __device__ int size() { return sizeof(A); }
__device__ int f() { return size<>(); }
