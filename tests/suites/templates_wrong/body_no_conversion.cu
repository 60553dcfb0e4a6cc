// One of two instances returns what does not convert.
// clang: 6:12
// instances: 10:24
template <class T> __device__ int as_int(T a)
{
    return a;
}
__device__ int f(float x, float *p)
{
    return as_int(x) + as_int(p);
}
