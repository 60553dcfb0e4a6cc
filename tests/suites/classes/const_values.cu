//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
// Values of classes that are const: what they bind to, which member functions they call, what `decltype` says of them.
struct S { int v; __device__ S(int x) : v(x) {} __device__ int f() const & { return 1; } __device__ int f() && { return 2; } __device__ int g() & { return 3; } __device__ int g() const && { return 4; } __device__ int g() && { return 5; } };
struct P { int v; __device__ int f() const & { return 1; } __device__ int f() && { return 2; } };
__device__ const S make(int x) { return S(x); }
template <class T> struct Is { static constexpr int c = 0; }; template <class T> struct Is<const T> { static constexpr int c = 1; };
extern "C" __global__ void test(float *out) {
  int i = threadIdx.x; const S a(1); S b(2); const P p{1}; P q{2};
  float r = (i ? a : S(2)).f() + (i ? S(2) : a).f() * 10 + (i ? b : S(2)).f() * 100 + (i ? a : b).f() * 1000;
  r += make(1).f() * 3 + (i ? make(1) : S(1)).f() * 7 + (i ? p : P{3}).f() * 11 + (i ? q : P{3}).f() * 13 + (i ? S(1) : a).g() * 17 + (i ? S(1) : S(2)).g() * 19 + make(2).g() * 23;
  r += Is<decltype(i ? a : S(2))>::c * 10000 + Is<decltype(i ? p : P{2})>::c * 20000 + Is<decltype(make(1))>::c * 40000;
  out[i] += r;
}
