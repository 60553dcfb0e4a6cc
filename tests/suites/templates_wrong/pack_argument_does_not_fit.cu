// One of the arguments of an expansion does not convert.
// clang: 7:12
// instances: 9:48
__device__ int g(int a, int *b) { return a + *b; }
template <class... T> __device__ int call(T... a)
{
    return g(a...);
}
__device__ int f(int i) { return call(i, &i) + call(i, i); }
