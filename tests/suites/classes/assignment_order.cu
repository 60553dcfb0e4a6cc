//@ launch: test grid=1 block=1
//@ arg: out=f32[64]=fill(3)
// The right operand of an assignment is evaluated first, where that is a call, too; a call by name has the order of its arguments.
struct S {
  float v;
  __device__ S(float x) : v(x) {}
  __device__ S(const S &o) : v(o.v) {}
  __device__ S &operator=(const S &o) { v = o.v; return *this; }
  __device__ S &operator+=(const S &o) { v += o.v; return *this; }
  __device__ S &operator<<=(S o) { v -= o.v; return *this; }
  __device__ S &operator<<(const S &o) { v += 2 * o.v; return *this; }
  __device__ float operator[](float x) { return v + x; }
};
struct P { float v; };
__device__ P &operator+=(P &a, const P &b) { a.v += b.v; return a; }
__device__ P &operator-=(P &a, P b) { a.v -= b.v; return a; }
__device__ float order;
__device__ __noinline__ S &ref(S *t, float k) { order = order * 3 + k; return t[(int)k]; }
__device__ __noinline__ P &ref(P *t, float k) { order = order * 3 + k; return t[(int)k]; }
__device__ __noinline__ float *ref(float *t, float k) { order = order * 3 + k; return t + (int)k; }
__device__ __noinline__ S make(float k) { order = order * 3 + k; return S(k); }
__device__ __noinline__ P plain(float k) { order = order * 3 + k; return P{k}; }
struct Count {
  int n;
  constexpr __device__ Count &operator+=(int k) { n = n * 10 + k; return *this; }
  constexpr __device__ Count &add(int k) { n = n * 10 + k; return *this; }
  constexpr __device__ operator int() const { return n; }
};
constexpr __device__ int in_constant() {
  Count c{1};
  c.add(2) += c.add(3).n % 10;
  return c.n;
}
extern "C" __global__ void test(float *out) {
  S t[4] = {1, 2, 3, 4};
  P p[4] = {{1}, {2}, {3}, {4}};
  float f[4] = {1, 2, 3, 4};
  int i = 0;
  order = 1;
#define NEXT out[i++] = order; order = 1
  ref(t, 1) = ref(t, 2); NEXT;
  ref(t, 1) += ref(t, 2); NEXT;
  ref(t, 1) <<= ref(t, 2); NEXT;
  ref(t, 1) = make(2); NEXT;
  ref(t, 1) <<= make(2); NEXT;
  ref(t, 1) = {2}; NEXT;
  ref(t, 1) << ref(t, 2) << ref(t, 3); NEXT;
  out[i++] = ref(t, 1)[ref(t, 2).v]; NEXT;
  ref(p, 1) += ref(p, 2); NEXT;
  ref(p, 1) -= ref(p, 2); NEXT;
  ref(p, 1) -= plain(2); NEXT;
  ref(p, 1) = plain(2); NEXT;
  *ref(f, 1) += *ref(f, 2); NEXT;
  ref(t, 1).operator=(ref(t, 2)); NEXT;
  operator+=(ref(p, 1), ref(p, 2)); NEXT;
  ref(t, 1) = ref(t, 2) = ref(t, 3); NEXT;
  constexpr int constant = in_constant();
  out[i++] = constant;
  for (int k = 0; k < 4; k++) out[i++] = t[k].v + p[k].v + f[k];
}
