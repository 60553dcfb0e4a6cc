// `constexpr` function templates: in array bounds, in arguments of templates, in constants, and executed.
template <class T> __host__ __device__ constexpr T largest(T a, T b) { return a > b ? a : b; }
template <int N> __device__ constexpr int log2_of()
{
    int result = 0;
    for (int n = N; n > 1; n /= 2) result++;
    return result;
}
template <class T, int N> constexpr __device__ T total(const T (&a)[N])
{
    T sum = 0;
    for (int i = 0; i < N; i++) sum += a[i];
    return sum;
}
template <int N> __device__ int level() { return N; }

extern "C" __global__ void test(int *out)
{
    int a[largest(2, 3)] = {1, 2, *out};
    float f = *out * 0.5f;
    constexpr int n = log2_of<1024>();
    static_assert(largest(2u, 7u) == 7, "evaluated");
    out[0] = (int)(sizeof(a) / sizeof(a[0]));
    out[1] = n;
    out[2] = level<largest<int>(4, 'a')>();
    out[3] = total(a);
    out[4] = level<log2_of<300>()>();
    out[5] = largest(a[1], a[2]);
    out[6] = (int)(largest(f, 0.25f) * 100);
}
