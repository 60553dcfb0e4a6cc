// Launches in lambda expressions and unbraced branches, with values that functions of the host compute.
#include <algorithm>
#include <limits>

template <int V> __global__ void by_value(float *o) { o[V] = V; }
template <typename T> __global__ void by_type(T *o) { o[0] = 1; }
template <typename T, bool C, int B> __global__ void mixed(const T *x, T *y) { y[B] = x[B]; }

constexpr int twice(int x) { return 2 * x; }
template <int N> struct Sizes { enum { half = N / 2 }; };
template <typename T, bool C, int B> inline void go(const T *const p, int n, T *q) { mixed<T, C, B><<<1, n>>>(p, q); }
template <typename T, bool C, int B> void with_address(T *q, int n) {
    T *d = q;
    int i = 0;
    go<T, C, B>(&d[i], n, q);
}

#define DISPATCH(t, ...) [&] { switch (t) { case 0: { using scalar_t = float; return __VA_ARGS__(); } default: { using scalar_t = double; return __VA_ARGS__(); } } }()

void host(float *o, int t, void *p) {
    constexpr int vec = std::max(4, 64 / 32);
    const int next = vec + 1;
    by_value<vec><<<1, 1>>>(o);
    by_value<std::min(2, 3)><<<1, 1>>>(o);
    by_value<next><<<1, 1>>>(o);
    by_value<twice(twice(15))><<<1, 1>>>(o);
    by_value<std::max(twice(40), 2)><<<1, 1>>>(o);
    by_value<Sizes<50>::half><<<1, 1>>>(o);
    by_value<std::numeric_limits<signed char>::max()><<<1, 1>>>(o);
    auto blocks = [&](int n) { return n + 1; };
    by_value<1><<<blocks(2), 1>>>(o);
    by_value<9><<<[](int n) { return n; }(3), 1>>>(o);
    if (t < 2)
        DISPATCH(t, [&] { by_type<scalar_t><<<1, 1>>>((scalar_t *)p); });
    else
        DISPATCH(t, [&] { mixed<scalar_t, true, 2><<<1, 1>>>((scalar_t *)p, (scalar_t *)p); });
    with_address<float, true, 1>(o, t);
}
