// A mistake in a template that another template calls.
// clang: 6:12 6:13
// instances: 10:12 14:12
template <class T> __device__ T inner(T a)
{
    return *a;
}
template <class T> __device__ T outer(T a)
{
    return inner(a) + 1;
}
__device__ int f(int i)
{
    return outer(i);
}
