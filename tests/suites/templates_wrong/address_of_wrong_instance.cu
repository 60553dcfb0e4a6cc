// The instance has another type.
// clang: 6:21
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int f(int i)
{
    int (*p)(int) = twice<float>;
    return p(i);
}
