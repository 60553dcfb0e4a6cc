// No instance has the type that is wanted.
// clang: 6:23
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int f(int i)
{
    int (*p)(float) = twice;
    return p(i);
}
