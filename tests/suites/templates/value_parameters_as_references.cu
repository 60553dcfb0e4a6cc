//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// Parameters of templates for values are no objects: references bind to copies of them, and overloads for rvalues take them.
enum Kind { none, some = 7 };
template <class T> __device__ int by_reference(const T &x) { return x; }
__device__ int number(const int &x) { return x; }
template <class T> struct Same { static constexpr int c = 1; };
template <class T> struct Same<T &> { static constexpr int c = 2; };
template <class T> struct Same<const T> { static constexpr int c = 3; };
template <class T> __device__ int forwarded(T &&x) { return Same<T>::c * 100 + (int)x; }
__device__ int chosen(const int &) { return 1; }
__device__ int chosen(int &&) { return 2; }
__device__ int chosen(const Kind &) { return 3; }
__device__ int chosen(Kind &&) { return 4; }
template <class... T> __device__ int all(const T &...x) { return (0 + ... + (int)x); }
template <int N, Kind K, auto V, int... Is> __device__ void use(float *out)
{
    const int &r = N;
    auto &&s = N;
    s += 1;
    out[0] = by_reference(N) + number(N) + r + s;
    out[1] = forwarded(N), out[2] = forwarded(K), out[3] = forwarded(V);
    out[4] = chosen(N) * 10 + chosen(K);
    out[5] = all(N, K, V, Is...), out[6] = (forwarded(Is) + ...);
    out[7] = Same<decltype(N)>::c * 100 + Same<decltype((N))>::c * 10 + Same<decltype(true ? N : N)>::c;
    auto twice = [](const int &x) { return 2 * x; };
    out[8] = twice(N) + [] { return chosen(N) + number(N); }();
    int list[] = {N, Is...};
    out[9] = list[0] + list[1] + sizeof...(Is);
    struct Inner { __device__ static int get() { return number(N) + chosen(N); } };
    out[10] = Inner::get() + max(N, 2) + min((int)K, N);
}
template <int N> struct Class { static constexpr int twice = 2 * N; int n = N; __device__ const int &get() const { return n; } __device__ int call() const { return number(N) + chosen(N); } };
extern "C" __global__ void test(float *out)
{
    use<5, some, 'c', 1, 2, 3>(out);
    out[11] = Class<6>().call() + Class<3>::twice + Class<2>().get();
}
