// `>` is missing.
// clang: 4:30
// better: 4:19 the first word that cannot follow
template <class T __device__ T twice(T a) { return a + a; }
__device__ int f(int i) { return twice(i); }
