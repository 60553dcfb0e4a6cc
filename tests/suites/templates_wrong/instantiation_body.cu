// A mistake in an instance that is made explicitly.
// clang: 6:13 6:10 6:16
// instances: 9:26
template <class T> __global__ void k(T *p)
{
    *p = *p << 1;
}
template __global__ void k<int>(int *);
template __global__ void k<float>(float *);
