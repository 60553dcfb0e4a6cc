// A function of other parameters.
// clang: 5:34
template <class T> __device__ T apply(T (*f)(T), T a) { return f(a); }
__device__ int half_of(float a) { return (int)(a / 2); }
__device__ int f(int i) { return apply(half_of, i); }
