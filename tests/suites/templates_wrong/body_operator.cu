// One of two instances has no such operator.
// clang: 6:14 6:12 6:16
// instances: 10:22
template <class T> __device__ T rest(T a)
{
    return a % 3;
}
__device__ float f(int i, float x)
{
    return rest(i) + rest(x);
}
