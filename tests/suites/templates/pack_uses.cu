// What programs do with packs: greatest of several, indices, calls for each, forwarding.
template <typename T> __device__ __forceinline__ T vmax(T a) { return a; }
template <typename T, typename... Ts> __device__ __forceinline__ T vmax(T a, T b, Ts... rest) { return vmax(a > b ? a : b, rest...); }
template <typename T, typename... Ts> __device__ T vmin(const T &a, const Ts &...rest)
{
    T r = a;
    ((r = rest < r ? rest : r), ...);
    return r;
}
template <int... I> __device__ float dot_n(const float *a, const float *b) { return ((a[I] * b[I]) + ...); }
template <int... I> __device__ void axpy(float *y, const float *x, float a) { ((y[I] += a * x[I]), ...); }
template <typename... T> __device__ void swallow(T &&...) {}
template <typename F, typename... A> __device__ void each(F f, A... a) { int dummy[] = {0, (f(a), 0)...}; (void)dummy; }
__device__ int total;
__device__ void add(int x) { total += x; }
template <unsigned... D> __device__ unsigned flat(const unsigned (&idx)[sizeof...(D)])
{
    const unsigned dims[] = {D...};
    unsigned r = 0;
    for (unsigned i = 0; i < sizeof...(D); i++) r = r * dims[i] + idx[i];
    return r;
}
template <class T> __device__ T &&pass_on(T &a) { return static_cast<T &&>(a); }
template <typename F, typename... A> __device__ decltype(auto) invoke(F &&f, A &&...a) { return f(pass_on<A>(a)...); }
template <typename F, typename... A> __device__ auto invoke_typed(F f, A... a) -> decltype(f(a...)) { return f(a...); }
__device__ int add_product(int a, float b, double c) { return a + (int)(b * c); }
template <typename K, typename... A> void launch(K k, dim3 g, dim3 b, A &&...a) { k<<<g, b>>>(std::forward<A>(a)...); }
template <class... A> struct OfHost {
    void operator()(A... a) const { launch(k, 1, 1, a...); }
    void (*k)(A...);
};

extern "C" __global__ void test(int *out)
{
    float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
    out[0] = vmax(3, 9, 4, 7);
    out[1] = (int)vmin(3.5f, 2.5f, 9.0f);
    out[2] = (int)dot_n<0, 1, 2, 3>(a, b);
    axpy<0, 2>(a, b, 2.0f);
    out[3] = (int)a[0] * 100 + (int)a[2];
    total = 0;
    each(add, 1, 2, 3);
    out[4] = total;
    unsigned idx[3] = {1, 2, 3};
    out[5] = flat<4, 5, 6>(idx);
    swallow(a[0] += 1, a[1] += 2);
    out[6] = (int)a[0];
    out[7] = invoke(add_product, 1, 2.0f, 3.0);
    out[8] = invoke_typed(add_product, 1, 2.0f, 4.0);
}
