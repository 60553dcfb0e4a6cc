// Symbols of instances whose parameters are types of expressions of the template's parameters.
template <int N> __device__ int plus_one(int (&a)[N + 1]) { return a[N]; }
template <int N> __device__ int twice(int (*a)[N * 2]) { return (*a)[N]; }
template <class T> __device__ int by_size(char (&a)[sizeof(T)]) { return a[0]; }
template <class T, int N> __device__ int exact(T (&a)[N]) { return a[N - 1]; }
template <int R, int C> __device__ int matrix(const float (&a)[R][C]) { return (int)a[R - 1][C - 1]; }
template <class A, class B> __device__ auto product(A a, B b) -> decltype(a * b) { return a * b; }
template <class T> __device__ auto negated(T a) -> decltype(-a) { return -a; }

extern "C" __global__ void test(int *out)
{
    int a[4] = {1, 2, 3, 4};
    char c[4] = {5, 6, 7, 8};
    float m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    out[0] = plus_one<3>(a);
    out[1] = twice<2>(&a);
    out[2] = by_size<float>(c);
    out[3] = exact(a) + exact(c);
    out[4] = matrix(m);
    out[5] = (int)product(2, 1.5f);
    out[6] = negated((short)3);
}
