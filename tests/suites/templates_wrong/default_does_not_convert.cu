// The default argument does not convert in one of two instances.
// clang: 4:49 4:53
// instances: 10:29
template <class T> __device__ int size(int n, T a = 1)
{
    return n + sizeof(a);
}
__device__ int f(int i)
{
    return size<float>(i) + size<float *>(i);
}
