//@ launch: test grid=1 block=1
//@ arg: out=f32[16]=fill(3)
// Lists among the arguments of a constructor that are written as a list, before and after other values.
struct P { float x, y; };
struct Q { int n; __device__ Q(int n, P p) : n(n + int(p.x)) {} };
struct S {
  float v;
  __device__ S(float a, P p, float b) : v(a + 10 * p.x + 100 * p.y + 1000 * b) {}
  __device__ S(P p, Q q, short k) : v(p.x + p.y * q.n + k) {}
};
extern "C" __global__ void test(float *out) {
  float x = out[0];
  short k = out[1];
  S a{x, {x + 1, 2}, x + 2};
  S b{{x, 4}, {5, {x, x}}, k};
  S c = {1.f, {2, 3}, 4.f};
  out[0] = a.v;
  out[1] = b.v;
  out[2] = c.v;
  out[3] = S{{1, 2}, {3, {4, 5}}, 6}.v;
}
