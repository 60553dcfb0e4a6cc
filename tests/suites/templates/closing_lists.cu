// `>>` and `>>=` after a list within a list.
template <class T> __device__ T made() { return T(5); }
template <int N = 2> __device__ int level() { return N; }
template <int (*F)()> __device__ int called() { return F(); }
template <int (*F)(), int N> __device__ int called_with() { return F() * N; }
template <class T, T (*F)(), class = int> __device__ T typed() { return F(); }
template <int N = sizeof(long), bool B = (N > 4)> __device__ int larger() { return B; }

extern "C" __global__ void test(int *out)
{
    out[0] = called<level<3>>();
    out[1] = called<made<int>>();
    out[2] = called_with<level<4>, 10>();
    out[3] = called<called<level<>>>();
    out[4] = typed<short, made<short>>();
    out[5] = larger();
    out[6] = larger<1>();
    out[7] = called<&level<6>>() >> 1;
}
