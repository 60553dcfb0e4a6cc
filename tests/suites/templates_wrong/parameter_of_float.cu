// A value parameter of a floating-point type.
// clang: 3:17
template <float F> __device__ float scaled(float a) { return a * F; }
__device__ float f(float x) { return scaled<2.0f>(x); }
