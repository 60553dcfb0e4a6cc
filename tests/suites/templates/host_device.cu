// `__host__ __device__` templates, and templates of the host that nothing of the device uses.
template <class T> __host__ __device__ T limited(T a, T most) { return a < most ? a : most; }
template <class T> void on_host(T a) { (void)a; }
template <class T, int N> T on_host_too(const T (&a)[N]) { return a[0]; }
template <class T> __host__ __device__ inline int twice(T a)
{
#ifdef __CUDA_ARCH__
    return a * 2;
#else
    return a * 3;
#endif
}

extern "C" __global__ void test(int *out)
{
    out[0] = limited(9, 4);
    out[1] = (int)(limited(1.5f, 4.0f) * 10);
    out[2] = twice(5);
}
