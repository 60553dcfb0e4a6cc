// Packs with explicit first elements, of references and arrays, and overloads with packs.
template <class... T> __device__ int sizes(T... a) { return (0 + ... + (int)sizeof(a)); }
template <class... T> __device__ void add_one(T &...a) { ((a += 1), ...); }
template <class T, int... N> __device__ int lengths(const T (&...a)[N]) { return (N + ...); }
template <class... T> __device__ int chosen(T...) { return 1; }
template <class T> __device__ int chosen(T) { return 2; }
template <class T, class... R> __device__ int chosen(T *, R...) { return 3; }
__device__ int chosen(int, int) { return 4; }

extern "C" __global__ void test(int *out)
{
    int a = 1, list[3] = {};
    double d = 2.5;
    const int other[4] = {};
    out[0] = sizes<char>(1, 2.0);
    out[1] = sizes<char, short>(1, 2, 3);
    add_one(a, d);
    out[2] = a * 100 + (int)(d * 10);
    out[3] = lengths(list, other);
    out[4] = chosen();
    out[5] = chosen(1);
    out[6] = chosen(1, 2);
    out[7] = chosen(1, 2.0);
    out[8] = chosen(&a, 1);
    out[9] = chosen(&a);
}
