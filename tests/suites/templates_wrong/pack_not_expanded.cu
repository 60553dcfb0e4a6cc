// A pack is used without `...`.
// clang: 4:59 4:61
__device__ int g(int a) { return a; }
template <class... T> __device__ int sum(T... a) { return g(a); }
__device__ int f(int i) { return sum(i); }
