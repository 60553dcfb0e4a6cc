//@ launch: test grid=1 block=1
//@ arg: out=f32[64]=fill(3)
// Assignments that functions make, written by the class or not.
struct C { int x; __device__ C &operator=(const C &o) { x = o.x + 100; return *this; } };
struct Def { int x; Def() = default; Def &operator=(const Def &o) = default; __device__ Def &operator=(int k) { x = k; return *this; } };
struct D { C c; int k; C a[2][2]; float f[3]; };
struct E : C { int y; };
struct F { int x; __device__ F &operator=(F o) { x = o.x + 7; return *this; } };
struct G {
  int x;
  __device__ G &operator=(const G &o) { x = o.x + 7; return *this; }
  __device__ G &operator=(G &&o) { x = o.x + 70; return *this; }
};
struct H { G g; int b : 4; };
struct K { int k; __device__ K(int a) : k(a) {} __device__ K(const K &o) : k(o.k + 1) {} };
struct Void { int v; __device__ void operator=(const Void &o) { v = o.v * 3; } };
struct OfVoid { Void v; };
template <typename T> struct Box { T t; __device__ Box &operator=(const Box &o) { t = o.t; return *this; } };
struct Out { int o; __device__ Out &operator=(const Out &other); };
__device__ Out &Out::operator=(const Out &other) { o = other.o + 5; return *this; }
struct OfOut : Out { Box<C> box; };
__device__ __noinline__ void all(D *a, const D *b) { *a = *b; }
__device__ __noinline__ void base(E *a, const E *b) { *a = *b; }
__device__ __noinline__ K made(int a) { return K(a); }
extern "C" __global__ void test(float *out) {
  C a, b; a.x = 1; b.x = 2; a = b; out[0] = a.x;
  Def c, d; c = 3; d = c; out[1] = d.x;
  D e, f; e.c.x = 5; e.k = 4; e.a[0][0].x = 1; e.a[1][1].x = 2; e.f[2] = 6; f = e;
  out[2] = f.c.x; out[3] = f.k; out[4] = f.a[1][1].x + f.f[2];
  D g; all(&g, &e); out[5] = g.c.x + g.a[0][0].x;
  E h, i; h.x = 1; h.y = 2; i = h; out[6] = i.x; out[7] = i.y; E j; base(&j, &h); out[8] = j.x;
  F k, l; k.x = 3; l = k; out[9] = l.x;
  G m, n; m.x = 1; n = m; out[10] = n.x; n = static_cast<G &&>(m); out[11] = n.x; n = G{4}; out[12] = n.x;
  H o, p; o.g.x = 1; o.b = 3; p = o; out[13] = p.g.x + p.b; p = static_cast<H &&>(o); out[14] = p.g.x; p = H{{5}, 1}; out[15] = p.g.x;
  K q(1), r(2); r = q; out[16] = r.k; r = made(6); out[17] = r.k; r = K(8); out[18] = r.k; K s = (r = q); out[19] = s.k;
  Void v, w; v.v = 2; w = v; out[20] = w.v; OfVoid x, y; x.v.v = 3; y = x; out[21] = y.v.v;
  Box<int> t, u; t.t = 4; u = t; out[22] = u.t; (u = t).t = 9; out[23] = u.t;
  OfOut aa, bb; aa.o = 1; aa.box.t.x = 2; bb = aa; out[24] = bb.o; out[25] = bb.box.t.x;
  n = {6}; out[26] = n.x; a = a; out[27] = a.x; C *pc = &a; *pc = b; out[28] = a.x; c = {5}; out[29] = c.x;
}
