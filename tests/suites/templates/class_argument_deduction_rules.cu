//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
namespace ns {
template <class T> struct Vec { T x, y; __device__ Vec(T a, T b) : x(a), y(b) {} template <class U> __device__ Vec(const Vec<U> &o) : x(o.x), y(o.y) {}
  struct Node { T n; };
  __device__ Vec(Node k) : x(k.n), y(k.n) {} };
template <class T> Vec(T) -> Vec<T>;
}
template <class T, class = void> struct Sel { int k; __device__ Sel(T) : k(1) {} __device__ Sel(T, int) : k(2) {} };
template <class T> struct A { int k; __device__ A(T) : k(1) {} __device__ A(const A &) : k(10) {} };
template <class T> struct M { int k; __device__ M(T &) : k(1) {} };
template <class T> struct R { int k; template <class U> __device__ R(U &&, T) : k(sizeof(U)) {} };
template <class T> __device__ float viaT(T t) { ns::Vec v(t, t); A a(v); A b = a; return v.x + a.k + b.k; }
template <class T> struct Ref { T r; __device__ Ref(T &&x) : r(x) {} };
template <class T> Ref(T &&) -> Ref<T>;
extern "C" __global__ void test(float *out) {
  int i = threadIdx.x;
  ns::Vec v(1.5f, 2.5f); ns::Vec w(v); 
  Sel s(1), t(2, 3);
  A a(1); A aa(a); A ab{a};
  int m = 4; const int cm = 5; M mm(m); M mc(cm);
  R r(m, 2.0); R r2('c', 3);
  double lv = 3; Ref ref(lv); Ref rr(2.0f);
  ref.r = 9;
  out[i] += v.x + w.y + s.k + t.k + a.k + aa.k + ab.k + mm.k + mc.k + r.k + r2.k + viaT(3.0f) + viaT(2) + lv + rr.r + sizeof(rr) + ns::Vec(1, 2).y + ns::Vec{3.f, 4.f}.x;
}
