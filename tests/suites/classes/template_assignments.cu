//@ launch: test grid=1 block=1
//@ arg: out=f32[64]=fill(3)
// Templates of assignment operators beside the assignment that each class has.
struct S { float v; 
  template <class T> __device__ S &operator=(T &&o) { v = o.v + 100; return *this; } };
struct Q { float v; 
  template <class T> __device__ Q &operator=(const T &o) { v = o.v + 100; return *this; } };
struct R { float v; int pad[4];
  template <class T> __device__ R &operator=(T o) { v = o.v + 100; return *this; } };
extern "C" __global__ void test(float *out) {
  S a{1}, b{2}; const S c{3};
  a = b; out[0] = a.v; a = c; out[1] = a.v; a = S{4}; out[2] = a.v;
  Q d{1}, e{2}; const Q f{3};
  d = e; out[3] = d.v; d = f; out[4] = d.v; d = Q{4}; out[5] = d.v; d = a; out[6] = d.v;
  R g{1}, h{2}; const R i{3};
  g = h; out[7] = g.v; g = i; out[8] = g.v; g = R{4}; out[9] = g.v;  g = b; out[10] = g.v;
}
