// The first arguments are explicit, the others deduced.
template <class To, class From> __device__ To cast(From a) { return static_cast<To>(a); }
template <int N, class T> __device__ T power(T a)
{
    T result = 1;
    for (int i = 0; i < N; i++) result *= a;
    return result;
}
template <class R, class A, class B> __device__ R sum(A a, B b) { return (R)a + (R)b; }
template <int SHIFT, class T, int N> __device__ T shifted(const T (&a)[N], int i) { return a[(i + SHIFT) % N]; }

extern "C" __global__ void test(int *out)
{
    const short a[3] = {7, 8, 9};
    out[0] = cast<int>(2.75f);
    out[1] = cast<unsigned char>(513);
    out[2] = power<3>(5);
    out[3] = (int)(power<2>(1.5f) * 100);
    out[4] = (int)sum<double>(1, 2.5f);
    out[5] = sum<int, float>(1.75f, 2.75f);
    out[6] = shifted<2>(a, 2);
    out[7] = sum<int, float, char>(1.5, 3000000 % 100);
}
