//@ launch: test grid=1 block=1
//@ arg: out=f32[512]=fill(0)
// Temporaries in the values of a list: to nvcc, each is a full expression where the list is that of a variable.
__device__ int n; __device__ float *o;
__device__ void put(int v) { o[n++] = v; }
struct T {
    int x;
    __device__ T(int a) : x(a) { put(100 + x); }
    __device__ T(const T &o) : x(o.x + 10) { put(200 + x); }
    __device__ ~T() { put(300 + x); x = -1; }
    __device__ int get() const { return x; }
};
struct A { int a; int b; };
struct P { T a; int b; };
struct C { int q; __device__ C(int a, int b) : q(a + b) { put(q); } };
struct N { A a; int c; };
__device__ __noinline__ int f(const A &a) { put(a.a + a.b); return a.a; }
__device__ __noinline__ int fp(const P &a) { put(a.a.x + a.b); return a.b; }
extern "C" __global__ void test(float *out)
{
    o = out; ::n = 0;
    int nn[2] = { T(1).get(), T(2).get() }; put(-1);
    A a = { T(1).get(), T(2).get() }; put(-2);
    A a2{ T(1).get(), T(2).get() }; put(-3);
    f(A{ T(1).get(), T(2).get() }); put(-4);
    f({ T(1).get(), T(2).get() }); put(-5);
    fp({ T(T(1).get()), T(2).get() }); put(-8);
    C c{ T(1).get(), T(2).get() }; put(-9);
    N n = { { T(1).get(), T(2).get() }, T(3).get() }; put(-11);
    int s{ T(1).get() }; put(-12);
    int v = A{ T(1).get(), T(2).get() }.b + T(3).get(); put(-13);
    A a3 = A{ T(1).get(), T(2).get() }; put(-14);
    const A &a4 = A{ T(1).get(), T(2).get() }; put(-15);
    A ra = T(1).get() ? A{ T(1).get(), T(2).get() } : A{0, 0}; put(-16);
    const T *pt[2] = { &(const T &)T(1), &(const T &)T(2) }; put(-17);
    auto l = [x = T(1).get(), y = T(2).get()]() { return x + y; }; put(-18);
}
