// Templates with one name and different kinds and numbers of parameters.
template <int N> __device__ int f() { return N; }
template <class T> __device__ int f() { return (int)sizeof(T) * 100; }
template <class T, int N> __device__ int f() { return (int)sizeof(T) * N; }
template <bool B, class T> __device__ int f(T a) { return B ? a : -a; }
template <class T> __device__ int g(T) { return 1; }
template <class T> __device__ int g(T, T) { return 2; }
template <class T> __device__ int g(T, int, int = 0) { return 3; }
template <class A, class B> __device__ int g(B) { return 4; }
__device__ int g() { return 5; }

extern "C" __global__ void test(int *out)
{
    out[0] = f<3>();
    out[1] = f<short>();
    out[2] = f<double, 3>();
    out[3] = f<true>(7);
    out[4] = f<false>(7);
    out[5] = g(1.5f);
    out[6] = g(1.5f, 1.5f);
    out[7] = g(1.5f, 1, 1);
    out[8] = g<int, int>(1);
    out[9] = g();
    out[10] = f<(char)3>();
}
