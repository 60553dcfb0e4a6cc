// Types and constants that a template declares of its parameters.
template <class T, int N> __device__ T sum_of_tile(T start)
{
    typedef T Row[N];
    using Pointer = const T *;
    constexpr int LAST = N - 1;
    const int half = N / 2;
    enum { TWICE = N * 2 };
    Row tile[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) tile[i][j] = start + (T)(i * N + j);
    Pointer p = tile[LAST];
    int spare[TWICE + half];
    return p[0] + tile[0][half] + (T)(sizeof(spare) / sizeof(int));
}
template <class T> __device__ T swapped(T a, T b)
{
    struct Pair { T first, second; };
    Pair pair = {b, a};
    return pair.first - pair.second;
}
template <class T> __device__ int bits(T a)
{
    union { T value; unsigned char bytes[sizeof(T)]; } u;
    u.value = a;
    return u.bytes[sizeof(T) - 1];
}

extern "C" __global__ void test(int *out)
{
    out[0] = sum_of_tile<int, 4>(100);
    out[1] = (int)(sum_of_tile<float, 3>(0.5f) * 10);
    out[2] = swapped(3, 10);
    out[3] = (int)(swapped(0.5, 2.0) * 10);
    out[4] = bits(1.0f);
    out[5] = bits(-1ll);
}
