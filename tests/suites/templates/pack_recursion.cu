// Recursion over packs: to a function, to a template, with `if constexpr`.
__device__ int sum() { return 0; }
template <class T, class... R> __device__ int sum(T a, R... r) { return a + sum(r...); }
template <class T> __device__ T largest(T a) { return a; }
template <class T, class... R> __device__ T largest(T a, R... r)
{
    T other = largest<T>(r...);
    return a > other ? a : other;
}
template <class T, class... R> __device__ int count(T, R... r)
{
    if constexpr (sizeof...(r) == 0) return 1;
    else return 1 + count(r...);
}
template <int N, int... R> __device__ int number()
{
    if constexpr (sizeof...(R) > 0) return N + 10 * number<R...>();
    else return N;
}

extern "C" __global__ void test(int *out)
{
    out[0] = sum(1, 2, 3, 4);
    out[1] = largest(3, 9, 4);
    out[2] = (int)(largest(0.5, 0.25) * 100);
    out[3] = count('a', 2, 3.0f);
    out[4] = number<1, 2, 3>();
}
