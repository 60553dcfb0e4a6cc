//@ launch: test grid=1 block=1
//@ arg: out=f32[64]=fill(3)
// Copies and moves that functions make: what they count says how often each runs; `self` says where each object lies.
struct C {
  int x; C *self;
  __device__ C(int a) : x(a), self(this) {}
  __device__ C(const C &o) : x(o.x + 100), self(this) {}
  __device__ C(C &&o) : x(o.x + 10000), self(this) {}
  __device__ bool here() const { return self == this; }
};
struct D { C c; int k; C a[2]; int m[3][2]; };
struct E : C { int y; __device__ E(int a) : C(a), y(7) {} };
struct Out { int v; __device__ Out(int a); __device__ Out(const Out &o); };
__device__ Out::Out(int a) : v(a) {}
__device__ Out::Out(const Out &o) : v(o.v * 2) {}
struct OutOf : Out { float w; int b : 3; __device__ OutOf(int a) : Out(a), w(2), b(1) {} };
struct Same { int s; Same() = default; Same(const Same &) = default; };
struct Once { int *p; __device__ Once(int *q) : p(q) {} __device__ Once(Once &&o) : p(o.p) { o.p = nullptr; } };
template <typename T> struct Box {
  T t; int n;
  __device__ Box(T a) : t(a), n(1) {}
  __device__ Box(const Box &o) : t(o.t), n(o.n + 1) {}
};
struct Ref { int &r; const int k; C c; };
__device__ __noinline__ C named(int a) { C c(a); c.x++; return c; }
__device__ __noinline__ C either(int a) { C c(a); C d(a + 1); if (a > 3) return c; return d; }
__device__ __noinline__ C early(int a) { if (a > 3) return C(7); C c(a); return c; }
__device__ __noinline__ C inner(int a) { { C c(a); return c; } }
__device__ __noinline__ C twice(int a) { C c(a); if (a > 3) { C d(1); return (c); } return c; }
__device__ __noinline__ C given(C c) { return c; }
__device__ __noinline__ C sliced(int a) { E e(a); return e; }
__device__ __noinline__ D made(int a) { return D{C(a), 3, {C(1), C(2)}, {{1, 2}, {3, 4}, {5, 6}}}; }
__device__ __noinline__ D copied(const D &a) { return a; }
__device__ __noinline__ int two(C a, C b) { return a.x + b.x + a.here() + b.here(); }
__device__ __noinline__ Once passed(Once a) { return a; }
__device__ Same same(Same a) { return a; }
__device__ auto deduced(int a) { C c(a); return c; }
extern "C" __global__ void test(float *out) {
  C a = named(1), b = either(1), b2 = either(5), c = early(5), c2 = early(1);
  out[0] = a.x; out[1] = b.x; out[2] = b2.x; out[3] = c.x; out[4] = c2.x;
  out[5] = a.here() + b.here() + b2.here() + c.here() + c2.here();
  C d = given(a), d2(d), d3{d}, d4 = inner(4), d5 = twice(9), d6 = static_cast<C &&>(a);
  out[6] = d.x; out[7] = d2.x; out[8] = d3.x; out[9] = d4.x; out[10] = d5.x; out[11] = d6.x;
  out[12] = d.here() + d2.here() + d3.here() + d4.here() + d5.here() + d6.here();
  D e = made(3), f = e, g = copied(f), h = static_cast<D &&>(e);
  out[13] = e.c.x; out[14] = f.c.x; out[15] = g.a[1].x; out[16] = h.a[0].x; out[17] = h.k + g.m[2][1] + f.m[1][0];
  out[18] = e.c.here() + f.a[1].here() + g.c.here() + h.a[0].here();
  C i = out[0] > 0 ? a : b, j = out[0] > 0 ? C(4) : b, k = out[0] < 0 ? C(4) : b;
  out[19] = i.x; out[20] = j.x; out[21] = k.x; out[22] = i.here() + j.here() + k.here();
  E l(5), m = l; C n = l, o = sliced(6);
  out[23] = m.x + m.y; out[24] = n.x; out[25] = o.x; out[26] = n.here() + o.here();
  OutOf p(3), q = p; Out r = p;
  out[27] = q.v + q.w + q.b; out[28] = r.v;
  out[29] = two(a, 5); out[30] = two(named(2), b);
  int z = 4; Once s(&z), t = passed(static_cast<Once &&>(s));
  out[31] = s.p == nullptr; out[32] = *t.p;
  Box<float> u(1.5f), v = u, w[2] = {v, u};
  out[33] = v.n; out[34] = w[0].n + w[1].t;
  Box<C> x(C(1)), y = x;
  out[35] = x.t.x; out[36] = y.t.x;
  Ref ref{z, 3, C(1)}, other = ref; other.r++;
  out[37] = z; out[38] = other.c.x + other.k;
  Same sa; sa.s = 3; out[39] = same(sa).s;
  C list[3] = {a, C(2), 3};
  out[40] = list[0].x + list[1].x + list[2].x; out[41] = list[0].here() + list[2].here();
  out[42] = deduced(3).x;
  for (auto each : list) out[43] += each.x;
  auto copy = a; const auto &alias = a; auto &&moved = C(8);
  out[44] = copy.x; out[45] = alias.x + moved.x;
  out[46] = (a, b).x; C after = (a, b); out[47] = after.x;
}
