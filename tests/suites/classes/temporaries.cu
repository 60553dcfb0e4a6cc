//@ launch: test grid=1 block=1
//@ arg: out=f32[512]=fill(0)
// Temporaries with destructors end with the full expression, and so do arguments: in declarations, conditions, jumps, members.
__device__ int n; __device__ float *o;
__device__ void put(int v) { o[n++] = v; }
struct T {
    int x;
    __device__ T(int a) : x(a) { put(100 + x); }
    __device__ T(const T &o) : x(o.x + 10) { put(200 + x); }
    __device__ ~T() { put(300 + x); x = -1; }
    __device__ int get() const { return x; }
    __device__ T operator+(const T &o) const { put(400); return T(x + o.x); }
    __device__ explicit operator bool() const { return x > 0; }
    __device__ T &operator=(const T &o) { put(500); x = o.x; return *this; }
};
struct D { int y; __device__ D(int a) : y(a) { put(600+a); } __device__ ~D() { put(700+y); y = -1;} };
struct Agg { T a; D b; };
struct Ref { const T &t; int z; };
__device__ __noinline__ int f(T a) { put(a.x); a.x += 1; return a.x; }
__device__ __noinline__ int f2(T a, T b) { put(a.x*10 + b.x); return a.x; }
__device__ __noinline__ int f3(T a, D b, const T &c) { put(a.x*10 + b.y); return c.x; }
__device__ __noinline__ int fd(int q, T a = T(9), D d = D(8)) { put(q); return a.x + d.y; }
__device__ __noinline__ T mk(int a) { return T(a); }
__device__ __noinline__ D mkd(int a) { return D(a); }
__device__ __noinline__ D passd(D d) { put(d.y); d.y++; return d; }
__device__ __noinline__ int ret1(int a) { T l(50); return f(a) + mk(a).get(); }
__device__ __noinline__ T ret2(int a) { T l(50); return mk(a) + mk(a + 1); }
__device__ __noinline__ const int ret3(int a) { const T &r = T(a); put(r.x); return r.x; }
struct M { int a; T t; int b; __device__ M(int q) : a(mk(q).get()), t(mk(q + 1) + T(2)), b(f(3)) { put(a); } };
struct DM { int a = T(5).x; int b = f(T(6)); };
extern "C" __global__ void test(float *out)
{
    o = out; ::n = 0;
    T(1);
    mk(2);
    put(-1);
    int n = f(3);
    put(-1);
    n += f2(1, 2) + f3(3, 4, 5);
    put(-2);
    n += fd(1);
    n += fd(2, 3);
    put(-3);
    const T &k = T(7);
    const Agg &ka = Agg{T(1), D(2)};
    const D &kb = Agg{T(3), D(4)}.b;
    Ref rr{T(6), f(1)};
    T &&rx = mk(8);
    put(-4);
    n += k.x + ka.a.x + kb.y + rr.t.x + rx.x;
    if (T(n).get() > 2) put(-5); else put(-6);
    if (T q = mk(3)) put(q.x);
    for (int i = 0; T(i).get() < 2; i += mk(1).get()) put(i);
    int w = 0;
    while (f(w) < 3) { w++; if (w == 2) continue; put(w); }
    do { w--; } while (mk(w).x > 0);
    switch (mk(2).x) { case 2: put(-7); break; default: put(-8); }
    put(-9);
    bool b = n > 0 && mk(1).get() > 0 || f(2) > 1;
    b = b && (n < 0 || T(4).get());
    n += b ? T(1).get() : f(2);
    n += n < 0 ? f2(1, 2) : mk(3).get() + T(3).get();
    put(-10);
    T v = n > 0 ? mk(1) : T(2);
    const T &vv = n < 0 ? T(1) : T(2);
    put(-11);
    T w2 = mk(1) + mk(2) + T(3);
    w2 = T(5);
    w2 = w2 + T(1);
    put(-12);
    M m(2);
    DM dm{};
    DM dm2;
    put(dm.a + dm2.b);
    put(-13);
    put(ret1(2)); put(ret2(3).x); put(ret3(4));
    put(-14);
    D dd(1);
    passd(dd);
    dd = D(4);
    dd = passd(dd);
    D de = passd(passd(dd));
    (mk(1), mk(2));
    (void)mk(3);
    int z = (mk(4), 5);
    put(z);
    
    T arr[2] = { T(1), mk(2) };
    Agg ag = { mk(1), D(3) };
    Agg ag2 = { 1, 3 };
    put(-15);
    f2(mk(1), mk(2) + 3);
    int nn[2] = { f(1), mk(2).x };
    put(nn[0] + nn[1]);
}
