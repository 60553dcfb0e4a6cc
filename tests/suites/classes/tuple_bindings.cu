//@ launch: test grid=1 block=32
//@ arg: out=f32[64]=fill(0)
// Structured bindings of classes with `std::tuple_size`: `get` as a member and by its argument, references, temporaries, templates and lambdas.
#include <utility>
template <typename T, typename U> struct same { static constexpr bool value = false; };
template <typename T> struct same<T, T> { static constexpr bool value = true; };
#define SAME(...) static_assert(same<__VA_ARGS__>::value, "")
// A member `get`.
struct Polar { float r, phi; template <size_t i> __host__ __device__ auto get() const { if constexpr (i == 0) return r; else if constexpr (i == 1) return phi; else return r > phi; } };
template <> struct std::tuple_size<Polar> { static constexpr size_t value = 3; };
template <> struct std::tuple_element<0, Polar> { using type = float; };
template <> struct std::tuple_element<1, Polar> { using type = float; };
template <> struct std::tuple_element<2, Polar> { using type = bool; };
// Functions of the namespace, which give references; the members are others.
namespace geo {
struct Line { int a[2]; int get; const char *name; };
template <size_t i> __device__ int &get(Line &l) { return l.a[i]; }
template <size_t i> __device__ const int &get(const Line &l) { return l.a[1 - i]; }
template <size_t i> __device__ int &&get(Line &&l) { l.a[i] += 100; return static_cast<int &&>(l.a[i]); }
template <typename T, int n> struct Row { T v[n]; };
template <int i, typename T, int n> __device__ T get(Row<T, n> r) { return r.v[i] * 2; }
}
namespace std {
template <> struct tuple_size<geo::Line> : integral_constant<size_t, 2> {};
template <size_t i> struct tuple_element<i, geo::Line> { using type = int; };
template <typename T, int n> struct tuple_size<geo::Row<T, n>> : integral_constant<int, n> {};
template <size_t i, typename T, int n> struct tuple_element<i, geo::Row<T, n>> { using type = T; };
}
// What is not complete says nothing.
struct Plain { int x, y; };
template <> struct std::tuple_size<Plain>;
// Elements with destructors, and an element that is a reference.
struct Noted { int v; int *log; __device__ Noted(int v, int *log) : v(v), log(log) {} __device__ Noted(const Noted &o) : v(o.v), log(o.log) { *log += 1000; } __device__ ~Noted() { *log = *log * 10 + v; } };
struct Maker { int first; int *log; template <int i> __device__ decltype(auto) get() & { if constexpr (i == 2) return (*log); else return Noted(first + i, log); } template <int i> __device__ decltype(auto) get() && { if constexpr (i == 2) return (*log); else return Noted(first + 2 * i, log); } };
template <> struct std::tuple_size<Maker> { enum { value = 3 }; };
template <size_t i> struct std::tuple_element<i, Maker> { using type = const Noted; };
template <> struct std::tuple_element<2, Maker> { using type = int &; };
struct Derived : Polar { int z; };
template <> struct std::tuple_size<Derived> : std::tuple_size<Polar> {};
template <size_t i> struct std::tuple_element<i, Derived> : std::tuple_element<i, Polar> {};
template <typename T> __device__ float sum_of_two(T &&t) { auto &&[a, b] = static_cast<T &&>(t); return a * 10 + b; }
template <typename T> __device__ float first_of(const T &t) { const auto &[first, second, third] = t; auto f = [&](float x) { return x + first + third; }; return f(second); }
__device__ geo::Row<int, 2> both(int a, int b) { return {{a, b}}; }
extern "C" __global__ void test(float *out)
{
    int t = threadIdx.x, log = 1;
    Polar p{t + 1.5f, 2.5f};
    auto [r, phi, is_greater] = p;
    SAME(decltype(r), float); SAME(decltype((r)), float &); SAME(decltype(is_greater), bool);
    const auto &[r2, phi2, greater2] = p;
    SAME(decltype(r2), const float); SAME(decltype((phi2)), const float &);
    r += 1, p.r = 40;
    float s = r + phi + is_greater + r2 + phi2 + greater2;
    geo::Line line{{t, 2}, 3, "line"};
    auto &[x, y] = line;
    SAME(decltype(x), int); SAME(decltype((x)), int &);
    x += 5, y = 7;
    s += line.a[0] * line.a[1] + line.get;
    auto [vx, vy] = line;
    vx = 1000;
    s += vx + vy + line.a[0];
    const auto [cx, cy] = line;
    SAME(decltype(cx), const int);
    s += cx * 100 + cy;
    auto &&[rx, ry] = line;
    s += &rx == &line.a[0] && &ry == &line.a[1];
    auto [px, py] = Plain{1, t};
    s += px + py;
    auto [d0, d1, d2] = Derived{{1, 2}, 3};
    s += d0 + d1 + d2;
    {
        Maker m{t % 4, &log};
        auto &[n0, n1, n2] = m;
        SAME(decltype(n0), const Noted); SAME(decltype(n2), int &);
        n2 += 3;
        s += n0.v + n1.v * 2;
        auto [q0, q1, q2] = m;
        s += q1.v + q2;
    }
    s += log;
    geo::Row<float, 2> rows[] = {{1, 2.f}, {3, 4}};
    for (const auto &[i, j] : rows) s += i * j;
    for (auto [i, j] : rows) s += i * j;
    if (auto [i, j] = both(2, t); i < j) s += i;
    for (auto [i, j] = both(0, 2); i < 4; ++i, j *= 2) s += j;
    switch (auto [i, j] = both(1, 2); i) { case 1: s += j; }
    s += sum_of_two(line) + sum_of_two(geo::Line{{1, 2}, 3, ""}) + sum_of_two(both(1, 2));
    s += first_of(p);
    auto [e0, e1] = geo::Row<float, 2>{{2, 3}};
    e0 = 5, e1 += 64;
    auto by_value = [=](float f) { return f * e0 + r; };
    auto by_reference = [&](float f) { e0 += 1; return f + e0; };
    auto listed = [e0, &phi](int) { return e0 + phi; };
    out[threadIdx.x] = s + t + e1 + by_value(2) + by_reference(3) + listed(0);
}
