//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(3)
// Destructors: where scopes are left, in reverse order; of members, bases, elements and results.
__device__ int n; __device__ float *o;
__device__ void note(int v) { o[n++] = v; }
struct L {
  int x;
  __device__ L(int a) : x(a) { note(a); }
  __device__ L(const L &b) : x(b.x + 10) { note(x); }
  __device__ L(L &&b) : x(b.x + 300) { note(x); }
  __device__ ~L() { note(-x); }
  __device__ int get() const { return x; }
  __device__ operator bool() const { return x > 0; }
};
struct M { L a, b; __device__ M() : a(30), b(31) {} };
struct N { L a; int q; L two[2]; };
struct Own : L { L m; __device__ Own(int a) : L(a), m(a + 1) {} __device__ ~Own() { note(500); if (x == 70) return; note(501); } };
struct Out { int v; __device__ Out(int a) : v(a) {} __device__ ~Out(); };
__device__ Out::~Out() { note(-v); }
struct OfOut : Out { Out m; __device__ OfOut(int a) : Out(a), m(a + 1) {} };
template <typename T> struct Guard { T *p; __device__ Guard(T *q) : p(q) { *p += 1; } __device__ ~Guard() { *p -= 1; note(*p); } };
struct Same { int s; ~Same() = default; };
struct Bytes { int v; __device__ ~Bytes() { note(v); } };
__device__ __noinline__ L named(int a) { L l(a); L other(a + 1); return l; }
__device__ __noinline__ L either(int a) { L l(a); if (a == 5) return L(6); return l; }
__device__ __noinline__ L inner(int a) { while (true) { L l(a); if (a == 1) break; return l; } return L(3); }
__device__ __noinline__ L twice(int a) { L l(a); if (a == 1) { L q(33); return l; } note(101); return l; }
__device__ __noinline__ int value(int a) { L l(a); M m; if (a > 3) return l.x + m.a.x; return l.get(); }
__device__ __noinline__ void nothing(int a) { L l(a); if (a > 3) return; note(102); }
__device__ __noinline__ Bytes bytes(int a) { Bytes b{a}; Bytes c{a + 1}; return b; }
__device__ __noinline__ Bytes moved(int a) { Bytes b{a}; if (a == 2) return Bytes{7}; return b; }
__device__ __noinline__ const L &reference(const L &a) { L l(1); return a; }
extern "C" __global__ void test(float *out) {
  o = out; n = 1;
  { L a(1); L b(2), c(3); } note(1000);
  { const L c(5); L d = c; } note(1001);
  { L arr[2] = {8, 9}; L grid[2][2] = {{1, 2}, {3, 4}}; } note(1002);
  { M m; } { N m{11, 2, {12, 13}}; } note(1003);
  { L z = named(4); note(1004); } { L z = either(5); note(1005); } { L z = either(4); } note(1006);
  { L z = inner(1); L y = inner(2); } note(1007);
  { L z = twice(1); L y = twice(2); } note(1008);
  note(value(2)); note(value(4)); nothing(3); nothing(4); note(1009);
  for (int i = 0; i < 3; i++) { L q(20 + i); if (i == 0) continue; { L r(50); if (i == 1) continue; break; } }
  note(1010);
  if (L k = L(41)) note(1011); else note(1012);
  for (L w(42); w.x < 44; w.x++) { L v(43); note(1013); }
  int turns = 2; while (L u = L(turns--)) { if (turns == 5) continue; note(1014); }
  do { L d(60); if (turns++ > 0) break; } while (turns < 3);
  note(1015);
  for (int i = 0; i < 3; i++) switch (i) { case 0: { L s(61); break; } case 1: { L s(62); } default: { L t(63); if (i == 2) break; } note(1016); }
  { Own a(70); Own b(80); } note(1017);
  { OfOut a(90); Out b(95); } note(1018);
  int count = 0; { Guard<int> g(&count); Guard<int> h(&count); note(count); } note(1019);
  { Same s; s.s = 1; Bytes b = bytes(120), c = moved(2), d = moved(3), e = c; } note(1020);
  { L a(1), b(2); note(reference(a).x); L c = a.x > 1 ? a : L(4); L d = a.x > 5 ? a : L(4); } note(1021);
  { L list[2] = {5, 6}; for (L each : list) { if (each.x == 15) continue; note(1022); } }
  { L a(1); auto [x] = a; note(x); } note(1023);
  if (n > 5) { L a(64); if (n > 1) { L b(65); out[0] = n; return; } }
  note(1024);
}
