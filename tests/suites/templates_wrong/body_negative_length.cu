// One of two instances has an array of negative length.
// clang: 6:11
// instances: 12:23
template <int N> __device__ int sum()
{
    int a[N - 4];
    a[0] = N;
    return a[0];
}
__device__ int f()
{
    return sum<8>() + sum<2>();
}
