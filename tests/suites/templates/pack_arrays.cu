// Expansions in initial values, and packs of values as dimensions.
template <class... T> __device__ int nth(int n, T... a)
{
    int all[] = {a...};
    return all[n] + (int)(sizeof(all) / sizeof(int)) * 100;
}
template <int... N> __device__ int lookup(int i)
{
    const int table[sizeof...(N)] = {N...};
    return table[i];
}
template <int... N> __device__ int squares(int i)
{
    const int table[] = {(N * N)..., -1};
    return table[i];
}
template <class T, int... DIMS> __device__ int volume(T (&)[(DIMS * ... * 1)]) { return (int)sizeof(T) * (DIMS * ...); }
template <class V, class... T> __device__ V vector(T... a) { return V{a...}; }

extern "C" __global__ void test(int *out)
{
    short s[24];
    out[0] = nth(1, 5, 6, 7);
    out[1] = lookup<8, 9, 10>(2);
    out[2] = squares<2, 3>(1);
    out[3] = squares<2, 3>(2);
    out[4] = volume<short, 2, 3, 4>(s);
    out[5] = vector<int4>(1, 2, 3, 4).w;
}
