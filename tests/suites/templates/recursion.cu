// Recursion ended by `if constexpr`, by values and by types.
template <int N> __device__ int factorial()
{
    if constexpr (N <= 1) return 1;
    else return N * factorial<N - 1>();
}
template <int N, class T> __device__ T power(T a)
{
    if constexpr (N == 0) {
        return T(1);
    } else if constexpr (N % 2 == 0) {
        T half = power<N / 2>(a);
        return half * half;
    } else {
        return a * power<N - 1>(a);
    }
}
template <int FROM, int TO> __device__ int sum(const int *a)
{
    if constexpr (TO - FROM == 1) return a[FROM];
    else return sum<FROM, (FROM + TO) / 2>(a) + sum<(FROM + TO) / 2, TO>(a);
}
template <class T> __device__ int runtime(T n) { return n <= 0 ? 0 : (int)n + runtime(n - 2); }

extern "C" __global__ void test(int *out)
{
    const int a[7] = {1, 2, 3, 4, 5, 6, 7};
    out[0] = factorial<6>();
    out[1] = factorial<0>();
    out[2] = power<10>(2);
    out[3] = (int)(power<3>(1.5) * 1000);
    out[4] = sum<0, 7>(a);
    out[5] = runtime(9);
}
