//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
template <class T> struct Box { T v; __host__ __device__ constexpr Box(T x) : v(x) {} };
__device__ Box g(3);
constexpr Box k{2.5f};
__constant__ Box cc = 4;
struct S { static constexpr Box m{5}; };
template <class T> __global__ void kern(Box<T> b, float *o) { o[threadIdx.x] += b.v + Box(b).v; }
extern "C" __global__ void test(float *out) {
  constexpr Box l(7);
  static_assert(l.v == 7, "");
  static_assert(Box(8).v == 8 && Box{9}.v == 9, "");
  out[threadIdx.x] += g.v + cc.v + k.v + l.v + S::m.v;
}
