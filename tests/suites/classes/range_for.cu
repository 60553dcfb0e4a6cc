//@ launch: test grid=1 block=32
//@ arg: out=f32[64]=fill(0)
// The range-based `for` over classes: members, functions of namespaces, bases, templates, structured bindings, temporaries.
struct It { int *p; __device__ It(int *p) : p(p) {} __device__ bool operator!=(const It &o) const { return p != o.p; } __device__ It &operator++() { ++p; return *this; } __device__ int &operator*() const { return *p; } };
struct A { int v[4]; __device__ int *begin() { return v; } __device__ int *end() { return v + 4; } __device__ const int *begin() const { return v + 1; } __device__ const int *end() const { return v + 4; } };
struct B { int v[4]; __device__ It begin() { return It(v); } __device__ It end() { return v + 4; } };
namespace n { struct C { int v[3]; }; __device__ int *begin(C &c) { return c.v; } __device__ int *end(C &c) { return c.v + 3; } __device__ const int *begin(const C &c) { return c.v; } __device__ const int *end(const C &c) { return c.v + 2; } }
struct P { int x; float y; };
struct D { P v[3]; __device__ const P *begin() const { return v; } __device__ const P *end() const { return v + 3; } };
struct Counter { int i; __device__ int operator*() const { return i; } __device__ void operator++() { i++; } };
struct Stop { int n; };
__device__ bool operator!=(const Counter &c, const Stop &s) { return c.i < s.n; }
struct Iota { int n; __device__ Counter begin() const { Counter c; c.i = 0; return c; } __device__ Stop end() const { Stop s; s.n = n; return s; } };
__device__ float trace = 0;
struct T { int a[2]; float k; __device__ T(float k) : k(k) { a[0] = 1; a[1] = 2; } __device__ ~T() { trace = trace * 3 + k; } __device__ int *begin() { return a; } __device__ int *end() { return a + 2; } };
__device__ T make(float k) { return T(k); }
template <class R> __device__ float sum(const R &r) { float s = 0; for (const auto &x : r) s += x; return s; }
extern "C" __global__ void test(float *out) {
  int t = threadIdx.x; float s = 0;
  A a = {1, 2, 3, t}; const A &ca = a;
  for (int x : a) s += x;
  for (auto &x : a) x *= 2;
  for (const auto &x : ca) s += x;
  B b = {4, 5, 6, t}; for (auto x : b) { if (x == 5) continue; if (x == 9) break; s += x; }
  for (auto &&x : b) x++;
  n::C c = {1, 2, t}; for (auto &x : c) s += x; const n::C &cc = c; for (auto x : cc) s += 100 * x;
  D d = {{{1, 2.f}, {3, 4.f}, {5, 6.f}}}; for (auto [x, y] : d) s += x * y; for (const auto &[x, y] : d) s += x - y;
  for (int i : Iota{t}) s += i; for (auto i : Iota{3}) for (auto j : Iota{i}) s += i * j;
  out[t] = s + sum(d.v[0].x ? ca : ca) + sum(Iota{4});
  if (t == 0) { float q = 0; for (int x : make(2)) { q += x; T in(x); } for (int x : T(4)) { T u(7); q += x; } 
    out[40] = q; out[41] = trace; for (int x : make(5)) { if (x == 2) { out[42] = x; return; } } }
}
