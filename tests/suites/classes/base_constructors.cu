//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// Constructors and destructors of bases that are instances of templates, and those that no class writes.
struct M { int v; __device__ M() : v(3) {} __device__ M(const M &o) : v(o.v + 1) {} __device__ ~M() { v = 0; } };
struct A { M m; int k = 5; };
struct B : A { int q; __device__ B() : q(1) {} };
struct C : A { int q = 2; };
template <int I> struct Nth { int v; __device__ Nth(int a) : v(a + I) {} __device__ ~Nth() { v = 1; } __device__ int get() { return v; } };
struct N : Nth<2> { __device__ N(int v) : Nth<2>(v) {} };
template <class T> struct W : Nth<3> { __device__ W(T v) : Nth<3>(v) {} };
struct K { int x; __device__ constexpr K(int v) : x(v) {} };
struct L : K { __device__ constexpr L(int v) : K(v + 1) {} };
__global__ void test(float *out) {
    B b; B c(b); C d; C e(d); N n(3); W<int> w(9);
    out[0] = b.m.v + c.m.v + d.m.v + e.m.v + n.v + w.v + e.k;
    constexpr L l(4); L l2(b.q); out[1] = l.x + l2.x;
}
