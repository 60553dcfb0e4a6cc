// A list in braces has no type.
// clang: 4:29
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int f() { return twice({1}); }
