// Kernels with packs, explicitly instantiated; packs of pointers.
template <class... T> __global__ void zero_all(int n, T *...p) { ((p[n] = T(0)), ...); }
template __global__ void zero_all<float, double>(int, float *, double *);
template __global__ void zero_all(int, char *);
template <int... N> __global__ void constants(int *p) { ((*p++ = N), ...); }
template __global__ void constants<1, -2, 3>(int *);
template __global__ void constants<>(int *);
template <class... T> __device__ void set_all(int value, T *...p) { ((*p = T(value)), ...); }

extern "C" __global__ void test(int *out)
{
    float f;
    short s;
    set_all(7, &f, &s, &out[0]);
    out[1] = (int)f * 10 + s;
}
