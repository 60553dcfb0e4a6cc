// Templates and their arguments from macros.
#define TEMPLATE template <typename T>
#define DEVICE __device__ __forceinline__
#define BINARY(NAME, OP) TEMPLATE DEVICE T NAME(T a, T b) { return a OP b; }
#define DISPATCH(N, F, ...) ((N) == 1 ? F<1>(__VA_ARGS__) : (N) == 2 ? F<2>(__VA_ARGS__) : F<4>(__VA_ARGS__))
#define INSTANTIATE(T) template __global__ void fill<T>(T *, T);
BINARY(added, +)
BINARY(shifted, >>)
template <int N> __device__ int repeated(int a, int b) { return a * N + b; }
template <class T> __global__ void fill(T *p, T a) { p[threadIdx.x] = a; }
INSTANTIATE(int)
INSTANTIATE(float)

extern "C" __global__ void test(int *out)
{
    out[0] = added(3, 4);
    out[1] = shifted(64, 2);
    out[2] = DISPATCH(2, repeated, 10, 1);
    out[3] = DISPATCH(out[0], repeated, 10, 1);
}
