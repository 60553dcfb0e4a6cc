//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// mutable members and assertions in classes: of const objects, in bases, members, templates, lambdas, device memory.
struct Counter { mutable int hits; int v; __device__ Counter(int v) : hits(0), v(v) {} __device__ int get() const { ++hits; return v; } __device__ int &ref() const { return hits; } static_assert(sizeof(int) == 4, "int"); };
struct Arr { mutable int a[3]; mutable Counter c; int n; __device__ Arr() : c(2), n(1) { a[0] = a[1] = a[2] = 0; } __device__ void touch() const { a[1] += 5; c.v = 9; c.get(); } };
struct D : Counter { __device__ D() : Counter(4) {} __device__ void t() const { hits = 30; } };
template <class T, int N> struct V { static_assert(N > 0, "positive"); static_assert(sizeof(T) <= 8); T x[N]; mutable int k : 5; struct In { mutable float f; static_assert(true, ""); }; In in; static constexpr int M = N * 2; static_assert(M == 2 * N, "m"); __device__ int g() const { k = 3; in.f = 2; return k + (int)in.f + M; } };
struct Agg { mutable int a; const int b; };
__device__ int use(const Counter *p) { int s = p->hits; p->get(); return s + p->hits; }
__device__ const Agg glob = {1, 2}; 
extern "C" __global__ void test(float *out) { int t = threadIdx.x; const Counter c(t); float s = c.get() + c.get() * c.hits; c.hits = 7; c.ref()++; s += c.hits; const Arr a; a.touch(); s += a.a[1] + a.c.v + a.c.hits; const D d; d.t(); s += d.hits; const V<int, 3> v{}; s += v.g();
 const Agg g = {3, 4}; g.a = 10; s += g.a + g.b; s += use(&c); const Agg *p = &g; p->a++; s += p->a; auto l = [c]() { c.hits = 1; return c.hits; }; s += l(); const auto &[x, y] = g; x = 99; s += g.a + y; if (t == 0) { glob.a = 50; s += glob.a + glob.b; } out[t] = s; }
