//@ launch: test grid=1 block=1
//@ arg: out=f32[512]=fill(0)
// Closures that own objects with destructors.
__device__ int n; __device__ float *o;
__device__ void put(int v) { o[n++] = v; }
struct T {
    int x; 
    __device__ T(int a) : x(a) { put(100 + x); }
    __device__ T(const T &o) : x(o.x + 10) { put(200 + x); }
    __device__ ~T() { put(300 + x); x = -1; }
    __device__ int get() const { return x; }
};
struct B { int y; __device__ ~B() { put(400 + y); } };
__device__ __noinline__ int f(T a) { put(a.x); return a.x; }
template <class F> __device__ int call(F f) { return f(1) + f(2); }
template <class F> __device__ __noinline__ int callr(const F &f) { return f(1) + f(2); }
extern "C" __global__ void test(float *out)
{
    o = out; ::n = 0;
    T t(50); B b{6};
    auto l = [c = T(7)](int a) { return f(c) + a; };
    put(l(3));
    auto m = [t, b](int a) { return t.x + b.y + a; };
    put(m(1));
    put(call(m)); put(-1);
    put(callr([t](int a) { return t.x + a; })); put(-2);
    put(call([=](int a) { return t.x + a; })); put(-3);
    put([t] { return t.get(); }()); put(-4);
    [b] { put(b.y); }(); put(-5);
    [&t](T u) { put(t.x + u.x); }(T(3)); put(-6);
    auto n = [t]() mutable { return [t] { return t.x; }; };
    put(n()()); put(-7);
    auto copy = m;
}
