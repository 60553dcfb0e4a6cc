// One of the arguments of an expansion does not convert.
// clang: 8:12
// better: 8:14 the argument that does not fit
// instances: 10:48
__device__ int g(int a, int *b) { return a + *b; }
template <class... T> __device__ int call(T... a)
{
    return g(a...);
}
__device__ int f(int i) { return call(i, &i) + call(i, i); }
