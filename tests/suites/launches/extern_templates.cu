// `extern template` makes no instance, and neither do the functions of the host that it names.
template <int N> __global__ void k(float *o) { o[0] = N; }
template <int N> void f(float *o) { k<N><<<1, 1>>>(o); }
template <typename T> __global__ void by_type(T *o) { o[0] = 1; }
extern template void f<3>(float *);
extern template __global__ void by_type<int>(int *);
extern template __global__ void k<7>(float *);
void host(float *o) { f<4>(o); by_type<float><<<1, 1>>>(o); }
