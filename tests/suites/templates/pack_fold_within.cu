// Folds of all kinds, within one another and within expansions, and where packs are named.
template <class... T> __device__ int andall(T... a) { return (a & ...); }
template <class... T> __device__ int xr(T... a) { return (... ^ a); }
template <class... T> __device__ int shl(int n, T... a) { return (n << ... << a); }
template <class... T> __device__ int lt(T... a) { return (... < a); }
template <class... T> __device__ int eq(T... a) { return (a == ...); }
template <class T, class... A> __device__ void assign(T &x, A &...a) { (a = ... = x); }
template <class T, class... A> __device__ int plusassign(T x, A... a) { (x += ... += a); return x; }
template <class... T> __device__ int rem(T... a) { return (... % a); }
template <class... A> __device__ int nested(A... a) { return ((a * (a + ...)) + ...); }
template <class F, class... A> __device__ int nest2(F f, A... a) { return (f(a, (a + ...)) + ...); }
__device__ int two(int a, int b) { return a * b; }
__device__ int sum3(int a, int b, int c) { return a * 100 + b * 10 + c; }
template <class... A> __device__ int addn(A... a) { return (0 + ... + a); }
template <class... A> __device__ int outer(A... a) { return sum3(addn(a, addn(a...))...); }
template <class... A> __device__ bool same(A... a) { return ((sizeof(A) == sizeof(int)) && ...); }
template <class... A, class... B> __device__ int pairs(int (*)(A...), B... b) { return addn((A)b...); }
template <class... A> __device__ int shadow(A... a) { int r = 0; { int a = 4; r += a; } return r + (a + ... + 0); }
template <class... A> __device__ int local(A... a) { int v[sizeof...(a) + 1] = {a...}; int w(addn(a...)); int s{addn(1, a...)}; return v[0] + w + s; }
template <int... N> __device__ int sw(int x) { switch (x) { case (N + ... + 0): return 1; default: return 0; } }
template <class... A> __device__ void inc(A &...a) { (++a, ...); (a++, ...); }
template <class... A> __device__ int if_any(A... a) { if ((a || ...)) return 1; while ((a && ...)) return 2; return (a, ...); }
template <class... A> __device__ int ptr(A *...a) { return (*a + ...) + (a[1] + ...); }

extern "C" __global__ void test(int *out)
{
    int a = 1, b = 2, c = 3;
    out[0] = andall(7, 6, 14) + xr(1, 2, 4) * 100;
    out[1] = shl(1, 2, 3) + lt(1, 2, 3) * 1000 + eq(1, 1, 1) * 10000;
    assign(a, b, c);
    out[2] = a * 100 + b * 10 + c;
    out[3] = plusassign(1, 2, 3);
    out[4] = rem(100, 17, 7);
    out[5] = nested(1, 2, 3) + nest2(two, 4, 5) * 100;
    out[6] = outer(1, 2, 3);
    out[7] = same(1, 2u) * 10 + same(1, 2.0);
    out[8] = pairs(two, 1.5, 2.5);
    out[9] = shadow(1, 2) + local(1, 2) * 10 + local() * 1000;
    out[10] = sw<1, 2>(3) + if_any(0, 0) * 10;
    inc(a, b);
    int p[2] = {1, 2}, q[2] = {3, 4};
    out[11] = a * 10 + b + ptr(p, q) * 100;
}
