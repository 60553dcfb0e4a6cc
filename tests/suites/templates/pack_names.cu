// Symbols of templates with packs: patterns, results, values, namespaces.
struct P { int x; };
namespace ns { template <class T, class... R> __device__ int f(T, R...) { return 1 + sizeof...(R); } struct Q { int v; }; }
template <class... T> __device__ auto ret(T... a) -> decltype((a + ...)) { return (a + ...); }
template <class... T> __device__ auto ret2(T... a) -> decltype((... * a)) { return (... * a); }
template <class... T> __device__ auto ret3(int n, T... a) -> decltype((n + ... + a)) { return (n + ... + a); }
template <class... T> __device__ auto ret4(int n, T... a) -> decltype((a - ... - n)) { return (a - ... - n); }
template <class... T> __device__ int arr2(T (&...x)[3]) { return sizeof...(x); }
template <class... T> __device__ int ptrs(T *...x) { return sizeof...(x); }
template <class... T> __device__ int ptrs2(const T *...x) { return sizeof...(x); }
template <class... T> __device__ int refs(T &&...x) { return sizeof...(x); }
template <class R, class... A> __device__ R call(R (*f)(A...), A... a) { return f(a...); }
template <class... A> __device__ int fp(void (*...f)(A)) { return sizeof...(f); }
template <int... N, class... T> __device__ int mixed(T... t) { return (N + ... + 0) + sizeof...(T); }
template <bool... B> __device__ int bools() { return (B || ...); }
template <class T, T... V> __device__ T seq() { return (V + ...); }
template <class... T> __device__ int twice(T... a, T... b) { return 0; }
template <class... T, class U> __device__ int first(U u, T... a) { return sizeof...(a); }
template <class T, int... N> __device__ int dims(T (&)[(N * ... * 1)]) { return sizeof(T); }
template <class... T> __device__ int cnt(int (&)[sizeof...(T) + 1]) { return sizeof...(T); }
__device__ int g2(int a, float b) { return a; }
__device__ void v1(int) {}
__device__ void v2(float) {}

extern "C" __global__ void test(int *out)
{
    P p{1}; ns::Q q{2}; int x3[3]; float f3[3]; int x2[2]; int x6[6];
    out[0] = f(q, p, 1, 2.0f, q, &p);
    out[1] = ret(1, 2, 3) + (int)ret2(1, 2.0f) + ret3(1, 2) + ret4(1, 2, 3);
    out[2] = arr2(x3, f3) + arr2(x3);
    out[3] = ptrs(&x2[0], &f3[0]) + ptrs2(&x2[0], &f3[0], &p) + refs(x2[0], 3, p);
    out[4] = call(g2, 1, 2.0f) + fp(v1, v2);
    out[5] = mixed<1, 2, 3>(1, 2.0f) + mixed(1) + mixed<>() + bools<true, false>() + bools<>();
    out[6] = seq<int, 1, 2, 3>() + (int)seq<unsigned long, 4>();
    out[7] = first<int, float>(1.0, 1, 2.0f) + first(1) + first<char>(1, 'a', 3);
    out[8] = dims<int, 2, 3>(x6) + cnt<int>(x2);
    out[9] = twice<int>(1, 2) + twice<>();
}
