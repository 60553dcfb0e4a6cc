// An array of another length.
// clang: 7:12
template <class T> __device__ T last(const T (&a)[4]) { return a[3]; }
__device__ int f()
{
    int a[3] = {1, 2, 3};
    return last(a);
}
