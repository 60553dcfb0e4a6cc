//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Generic lambda expressions in templates, as arguments of templates, in member functions.
template <class T> struct S {
    T v;
    template <class F> __device__ __noinline__ float map(F f) const { return f(v); }
    template <class F> __device__ __noinline__ float both(F f) const { return map([=](auto x) { return f(x) + v; }) + map(f); }
    __device__ __noinline__ float plain() const { auto g = [&](const auto &x) { return x * v; }; return g(2) + g(0.5f); }
};
template <class T> __device__ __noinline__ float outer(T t) {
    S<T> s{t};
    auto f = [=](auto *p, T q) { return *p + q; };
    float a = 1.5f; int b = 2;
    return s.map([](auto x) { return x + 1; }) + s.both([&](auto x) { return x + a; }) + f(&a, t) + f(&b, t) + s.plain();
}
struct P { template <class F, class G> static __device__ __noinline__ float two(F f, G g) { return f((int)threadIdx.x) + g(2.f); } };
extern "C" __global__ void test(float *out) {
    int t = threadIdx.x;
    out[t] = outer(t) + outer(t * 0.5f);
    out[t + 32] = P::two([](auto x) { return x; }, [=](auto y) { return y + t; });
}
