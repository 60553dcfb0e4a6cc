// The result of an instance is used as another type.
// clang: 6:10 6:14
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int f(int i)
{
    int *p = twice(i);
    return *p;
}
