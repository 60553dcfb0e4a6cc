// More values than elements.
// clang: 6:23
// instances: 9:42
template <int N> __device__ int first()
{
    int a[N] = {1, 2, 3};
    return a[0];
}
__device__ int f() { return first<3>() + first<2>(); }
