// Default arguments and default member values of functions and classes that are no templates, used from instances of templates, whose
// own text is read apart.
__device__ int g(int a = 7, int b = 3) { return a * 10 + b; }
struct D { int x = 5; int y = x + 1; __device__ D(int q) : y(q) {} __device__ D() {} };
struct Agg { int a = 8; int b; };
struct M { int a; __device__ int f(int k = 5, int j = 2) const { return a * k + j; } __device__ M(int x = 3) : a(x) {} };
namespace n { const int N = 6; __device__ int q(int z = N) { return z; } }
template <class T> struct C { T v = T(9); int w = 4; __device__ C() {} __device__ int both(int k = 6) const { return v + w * 10 + k * 100; } };
struct In { C<int> c; int z = 8; };
template <class T> __device__ int calls(T x) { int own[3] = {1, 2, 4}; return g() + g(1) * 10 + n::q() * 1000 + x + own[0]; }
template <class T> __device__ int members(T x) { int own[3] = {1, 2, 4}; D d(2), e; Agg h{}; return x + d.x * 10 + e.y * 100 + h.a * 1000 + own[0]; }
template <class T> __device__ int instances(T x) { int own[5] = {9, 9, 9, 9, 9}; C<T> c; In in; return c.both() + in.c.v * 1000 + in.z * 10000 + own[1]; }
template <class T> __device__ int methods(T x) { M m, w(2); return m.f() + w.f(1) * 100 + x; }
template <class T> struct H { T t; __device__ int go() { M m; return m.f() + n::q(); } __device__ int with(M m = M(), int k = n::q()) { return m.a + k; } };

extern "C" __global__ void test(int *out)
{
    H<int> h{};
    C<float> c;
    In in;
    out[0] = calls(1);
    out[1] = calls(2.0f);
    out[2] = members(1);
    out[3] = instances(1);
    out[4] = instances(1.5f);
    out[5] = methods(1);
    out[6] = h.go();
    out[7] = h.with();
    out[8] = h.with(M(1), 2);
    out[9] = c.both() * 3 + in.z + in.c.w;
}
