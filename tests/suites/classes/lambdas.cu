// Lambda expressions: captures, `this`, lambdas in lambdas, in templates and in member functions, as arguments of templates, and their names.
template <class F> __device__ __noinline__ int apply(F f, int x) { return f(x); }
template <class F, class G> __device__ __noinline__ int both(F f, G g, int x) { return f(x) + g(x); }
namespace n {
struct S {
    int m;
    __device__ __noinline__ int twice() const { return m * 2; }
    __device__ __noinline__ int deep(int k)
    {
        // What the outer ones have by copy is const in the inner one.
        return [this, k] { return [=] { return [&] { return m + k + twice(); }(); }(); }();
    }
    __device__ __noinline__ int go(int k)
    {
        auto f = [this, k](int x) { return x + m + k + twice(); };
        m++;
        auto copied = [*this](int y) { return y * m + twice(); };
        m++;
        return f(1) + apply([=](int y) { return y + m; }, 2) + apply(copied, 3);
    }
};
}
__device__ __noinline__ int captures(int q)
{
    auto none = [](int x) { return x; };
    auto copy = [q](int x) { return x + q; };
    auto reference = [&](float x) { q++; return (int)x + q; };
    auto changed = [=](int x) mutable { q += x; return q; };
    int arr[4] = {1, 2, 3, 4};
    const int N = 5;
    static int kept = 2;
    auto outer = [&](int x) {
        auto inner = [&](int z) { kept++; return z + q + arr[z & 3] + N; };
        return apply(inner, x);
    };
    auto own = [arr, n = q * 2, &r = q](int x) -> int { r += 1; return arr[x & 3] + n + r; };
    auto void_result = [&arr](int i, int v) { arr[i] = v; };
    void_result(1, 20);
    struct L {
        __device__ int h(int z) { return apply([](int w) { return w * 2; }, z); }
    };
    return none(1) + copy(2) * 10 + reference(3.5f) * 100 + changed(4) + changed(1) * 3 + outer(5) + own(2) * 7 + apply(copy, 3) + q
        + L().h(3) + both(none, copy, 3) + both(none, none, 3) + arr[1] + kept;
}
template <class T> __device__ __noinline__ int of_template(T t) { return apply([t](T x) { return (int)(x + t); }, 3); }
template <class... T> __device__ __noinline__ int of_pack(T... a)
{
    return [=](int k) { int u[] = {(int)a...}; int s = 0; for (int v : u) s += v * k; return s; }(2);
}
inline __device__ __noinline__ int of_inline(int t) { return apply([t](int x) { return x + t; }, 3); }
static __device__ __noinline__ int of_static(int t) { return [t](int x) { return x * t; }(3); }
struct P { int a, b; };
__device__ __noinline__ int through(int (*p)(int, int &), int x)
{
    int r = x;
    return p(x, r) + r;
}
__device__ __noinline__ P made(P (*p)(P), int x) { return p(P{x, 2}); }
__device__ __noinline__ int pointers(int x)
{
    int (*p)(int, int &) = [](int v, int &r) { r *= 2; return v * 3; };
    auto q = +[](int k) -> long { return k * 10; };
    void (*v)(int *) = [](int *to) { *to = 7; };
    P r = made([](P from) { return P{from.b, from.a}; }, x);
    int w;
    v(&w);
    return through(p, x) + (int)q(x) + r.a * 100 + r.b * 1000 + w;
}
// A class that is copied by its constructor, captured, in a closure that is copied.
struct Counted {
    int v;
    __device__ Counted(int x) : v(x) {}
    __device__ Counted(const Counted &other) : v(other.v + 1) {}
};
__device__ __noinline__ int copied(int x)
{
    Counted c(x);
    auto by_copy = [c](int x) { return c.v * 10 + x; };
    auto by_reference = [&c](int x) { return c.v * 100 + x; };
    auto by_default = [=](int x) { return c.v * 1000 + x; };
    return by_copy(1) + by_reference(2) + by_default(3) + apply(by_copy, 1) + apply(by_reference, 3);
}

extern "C" __global__ void test(int *out)
{
    n::S s{3};
    out[0] = captures(7);
    out[1] = s.go(2);
    out[2] = s.m + s.deep(4) * 100;
    out[3] = of_template(2) + of_template(2.5f) * 100;
    out[4] = of_pack(1, 2.5f, 3ull);
    out[5] = of_inline(4) + of_static(5);
    [out] { out[6] = 9; }();
    int k = [](int a, int b) { return a > b ? a : b; }(3, 8);
    out[7] = k;
    auto chosen = [&](bool first) -> int & { return first ? out[8] : out[9]; };
    chosen(true) = 11;
    chosen(false) = 12;
    out[10] = pointers(5);
    constexpr auto square = [](int x) { return x * x; };
    constexpr int nine = square(3);
    out[11] = nine;
    out[12] = copied(3);
}
