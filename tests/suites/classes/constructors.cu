//@ launch: test grid=1 block=1
//@ arg: out=f32[8]=fill(3)
// Constructors: of variables, members, elements, temporaries, arguments and results.
struct V {
  float x, y, z;
  __device__ V() {}
  __device__ V(float a) : x(a), y(a), z(a) {}
  __device__ V(float a, float b, float c = 1.0f) : x(a), y{b}, z(c) { x += 1; }
  __device__ V operator+(const V &o) const { return V(x + o.x, y + o.y, z + o.z); }
  __device__ float dot(const V &o) const { return x*o.x + y*o.y + z*o.z; }
  __device__ explicit operator bool() const { return x != 0; }
  __device__ operator float() const { return x; }
};
struct P { V a; int n = 7; V b{1.0f, 2.0f}; };
struct D { int k = 3; D() = default; __device__ D(int q) : k(q) {} };
__device__ V make(float a) { return a; }
__device__ V make2(float a) { return {a, a}; }
__device__ float take(V v) { return v.x; }
extern "C" __global__ void test(float *out) {
  V a(1.0f, 2.0f, 3.0f), b = 2.0f, c{4, 5}, d;
  d = a + b;
  d = 3.0f;
  P p; P q{a}; P r{};
  D e, f(4), g[3];
  const V cv = V(9.0f);
  out[0] = d.dot(c) + take(1.5f) + take({1, 2}) + make(2).y + make2(3).x;
  out[1] = p.n + q.n + r.b.y + e.k + f.k + g[2].k;
  out[2] = static_cast<V>(3.0f).z + (V)2.0f + cv.z;
  if (a) out[3] = a;
  V arr[2] = {1.0f, V(2.0f, 3.0f)};
  D big[100];
  out[4] = arr[1].y + big[77].k;
}
