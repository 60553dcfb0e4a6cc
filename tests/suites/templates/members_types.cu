//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Templates of classes, of other names for types and of constants as members, also of types that depend on parameters.
namespace lib {
template <class T> struct Mat {
    template <int R, int C> struct Sub {
        T v[R][C];
        __device__ __noinline__ T at(int i, int j) const { return v[i][j]; }
        template <class U> __device__ __noinline__ U sum(U s) const { for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) s += v[i][j]; return s; }
        struct Row { T r[C]; __device__ __noinline__ T first() { return r[0]; } };
        __device__ __noinline__ Row row(int i) const { Row r; for (int j = 0; j < C; j++) r.r[j] = v[i][j]; return r; }
        static __device__ __noinline__ int count() { return R * C; }
    };
    template <class U> using pair = Sub<1, sizeof(U)>;
    template <class U> static constexpr bool same = false;
    template <int R> __device__ __noinline__ Sub<R, 2> make() const { Sub<R, 2> s; for (int i = 0; i < R; i++) s.v[i][0] = s.v[i][1] = i; return s; }
};
struct Policy {
    template <class T, class U = T> struct Pair { T a; U b; __device__ Pair(T a, U b) : a(a), b(b) {} };
    template <class T> static __device__ __noinline__ Pair<T> twice(T x) { return Pair<T>(x, x); }
};
}
__device__ __noinline__ float use(lib::Mat<float>::Sub<2, 2> s, lib::Policy::Pair<int, float> p) { return s.at(1, 0) + p.a + p.b; }
template <class P> __device__ __noinline__ float through(P p) { typename P::template Pair<int, float> q(1, 2.5f); return q.a + q.b + P::template twice<int>(3).b; }
template <class T> __device__ __noinline__ T generic(typename lib::Mat<T>::template Sub<1, 2> s, T x) { return s.at(0, 1) + x; }
extern "C" __global__ void test(float *out) {
    int t = threadIdx.x;
    lib::Mat<float> m;
    auto s = m.make<2>();
    lib::Mat<float>::Sub<2, 2>::Row r = s.row(1);
    lib::Mat<float>::pair<short> p = {{{1, 2}}};
    out[t] = s.at(1, 1) + s.sum(1.5) + s.template sum<int>(2) + r.first() + lib::Mat<int>::Sub<3, 4>::count();
    out[t + 32] = use(s, lib::Policy::Pair<int, float>(t, 0.5f)) + through(lib::Policy()) + generic<float>(p, 2.f) + lib::Mat<int>::same<int>;
}
