//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// Constructors that initialize members of anonymous unions and structs, and default member initializers there.
struct Tag { union { int i; double d; }; int k; __device__ Tag() : d(1.5), k(2) {} __device__ Tag(int v) : i(v) { k = 3; } };
struct In { struct { int a; int b; }; union { struct { short lo, hi; }; int all; }; __device__ In() : a(1), b(2), all(0x30004) {} __device__ In(int x) : b(x), lo(5) { a = 0; hi = 9; } };
struct De { union { int i = 4; float f; }; int j = 1; __device__ De() {} __device__ De(float v) : f(v) {} };
struct Plain { union { int i = 4; float f; }; struct { int j = 6; }; };
struct M { int v; __device__ M(int x) : v(x + 1) {} };
struct Co { union { M m; int raw; }; const int q; __device__ Co(int v) : m(v), q(3) {} __device__ Co() : raw(7), q(1) {} };
union U { int i; float f; __device__ U(int v) : i(v) {} __device__ U(float v) : f(v) {} };
struct Deep { union { union { int x; float y; }; double z; }; __device__ Deep(float v) : y(v) {} };
struct CE { union { char none; int value; }; bool has; __device__ constexpr CE() : none(0), has(false) {} __device__ constexpr CE(int v) : value(v), has(true) {} __device__ constexpr int get() const { return has ? value : 0; } };
template <class T> struct Opt { union { char none; T value; }; bool has; __device__ Opt() : none(0), has(false) {} __device__ Opt(T v) : value(v), has(true) {} __device__ T get() const { return has ? value : T(); } };
__device__ constexpr int folded(int n) { CE o(n), e(n + 1); return o.get() + e.get(); }
__global__ void test(float *out) {
    Tag t; Tag u(4); out[0] = t.d + t.k; out[1] = u.i + u.k; In a; In b(6); out[2] = a.a + a.b + a.lo + a.hi; out[3] = b.a + b.b + b.lo + b.hi;
    De d; De e(2.5f); out[4] = d.i + d.j; out[5] = e.f; Co c(8); Co f; out[6] = c.m.v + c.q; out[7] = f.raw; U g(3); U h(2.f); out[8] = g.i + h.f; Deep z(3.5f); out[9] = z.y;
    Opt<float> o(2.5f); Opt<float> p; out[10] = o.get() + p.get(); constexpr int k = folded(5); out[11] = k; CE ce(k + out[10]); out[12] = ce.get();
    Plain r{}; Plain t2 = {}; out[13] = r.i + t2.j;
}
