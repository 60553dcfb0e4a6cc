//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)

struct H { float v; __device__ H(float x) : v(x) {} __device__ operator float() const { return v; } };
struct E { float v; explicit __device__ E(float x) : v(x) {} __device__ operator float() const { return v; } };
struct I { int v; __device__ I(int x) : v(x) {} };
struct B { int b; }; struct D : B { int d; };
struct N { int n; __device__ N() : n(3) {} __device__ N(const N &o) : n(o.n + 1) {} __device__ operator int() const { return n; } };
__device__ E made(unsigned char &&x) { return E(x); }
struct Holder {
    bool a;
    unsigned c;
    __device__ bool chosen() const { return c > 3u ? made(7) : a; }
};

extern "C" __global__ void test(float *out) {
  int t = threadIdx.x; E e(3); const E ce(5); I i(4); B b{1}; D d; d.b = 7; d.d = 8; N n;
  float r = (t & 1) ? e : 2.0f;
  r += (t & 2) ? 1.5f : e;
  r += (t & 2) ? e : t;
  r += ((t & 1) ? i : 9).v;
  r += ((t & 1) ? 11 : i).v;
  r += ((t & 1) ? b : d).b;
  r += ((t & 1) ? B{3} : d).b;
  r += (t & 4) ? n : 2;
  r += (t & 4) ? ce : e;
  r += (t & 8) ? n : e;
  B &bb = (t & 1) ? b : d; bb.b = 100;
  r += b.b + d.b;
  Holder few{true, unsigned(t)}; r += few.chosen();
  out[t] = r;
}
