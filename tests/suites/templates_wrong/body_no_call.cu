// A call in one of two instances does not fit.
// clang: 8:12
// instances: 12:22
// better: 8:14 the argument that does not fit
__device__ int g(int *p) { return *p; }
template <class T> __device__ int call(T a)
{
    return g(a);
}
__device__ int f(int *p, float *q)
{
    return call(p) + call(q);
}
