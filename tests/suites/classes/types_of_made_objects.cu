//@ launch: test grid=1 block=32
//@ arg: out=f32[64]=fill(0)
// `decltype` of an object that an expression makes is its class; member templates that differ by `&` and `&&`.
template <typename T, typename U> struct same { static constexpr bool value = false; };
template <typename T> struct same<T, T> { static constexpr bool value = true; };
#define SAME(...) static_assert(same<__VA_ARGS__>::value, "")
struct N { int v; __device__ N(int v) : v(v) {} __device__ N(const N &o) : v(o.v + 1) {} __device__ ~N() { v = -1; } };
struct A { int x, y; };
__device__ N make() { return N(1); }
__device__ decltype(auto) f(int i) { return N(i); }
__device__ decltype(auto) g(int i) { return N{i}; }
__device__ decltype(auto) h(int i) { return (N(i)); }
__device__ decltype(auto) k(int i) { return i ? N(i) : N(2); }
struct Q {
    int v;
    template <int i> __device__ decltype(auto) get() & { return (v); }
    template <int i> __device__ decltype(auto) get() && { return N(v + i); }
    template <int i> __device__ int get() const & { return v * 2; }
    template <typename T> __device__ T as() &;
    template <typename T> __device__ T as() &&;
};
template <typename T> __device__ T Q::as() & { return v + 10; }
template <typename T> __device__ T Q::as() && { return v + 20; }
extern "C" __global__ void test(float *out)
{
    SAME(decltype(N(1)), N); SAME(decltype(N{1}), N); SAME(decltype((N(1))), N); SAME(decltype((N{1})), N); SAME(decltype((N)1), N); SAME(decltype((1, N(1))), N);
    SAME(decltype(A()), A); SAME(decltype(A{1, 2}), A); SAME(decltype(static_cast<N &&>(N(1))), N &&); SAME(decltype(make().v), int);
    SAME(decltype(f(1)), N); SAME(decltype(g(1)), N); SAME(decltype(h(1)), N); SAME(decltype(k(1)), N);
    decltype(auto) q = N(3);
    SAME(decltype(q), N);
    int t = threadIdx.x;
    Q object{t};
    const Q constant{t};
    SAME(decltype(object.get<1>()), int &); SAME(decltype(Q{1}.get<1>()), N);
    object.get<0>() += 5;
    out[t] = f(t).v + g(t).v * 2 + h(t).v * 3 + k(t).v + q.v + object.v + Q{t}.get<3>().v + constant.get<2>() + object.as<float>() + Q{t}.as<int>();
}
