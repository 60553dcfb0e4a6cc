//@ launch: test grid=1 block=1
//@ arg: out=f32[512]=fill(0)
// Temporaries: of classes whose bytes are copied, conditional ones, in constructors of bases, `return`, statement expressions, bindings, heads of loops.
__device__ int n; __device__ float *o;
__device__ void put(int v) { o[n++] = v; }
struct T {
    int x;
    __device__ T(int a) : x(a) { put(100 + x); }
    __device__ T(const T &o) : x(o.x + 10) { put(200 + x); }
    __device__ ~T() { put(300 + x); x = -1; }
    __device__ int get() const { return x; }
};
struct Bits { int y; __device__ ~Bits() { put(700 + y); y = -1; } };
struct V { T t; Bits b; };
struct W { T *t; __device__ W(T a, const T &b) { put(a.x + b.x); } __device__ W(int a) : W(T(a), T(a + 1)) { put(5); } };
struct B1 { int q; __device__ B1(int a) : q(a) { put(800 + q); } __device__ ~B1() { put(850 + q); } };
struct D1 : B1 { T m; int k; __device__ D1(int a) : B1(T(a).get()), m(T(a + 1).x), k(T(a).get()) {} };
__device__ __noinline__ int takes(Bits b) { b.y++; put(b.y); return b.y; }
__device__ __noinline__ int rv(T &&t) { t.x++; return t.x; }
__device__ __noinline__ T id(T a) { return a; }
__device__ __noinline__ const T &pick(const T &a, const T &b, bool c) { return c ? a : b; }
__device__ __noinline__ int slice(B1 b) { return b.q; }
__device__ __noinline__ int look(const B1 &b) { return b.q; }
__device__ __noinline__ V mkv(int a) { return V{T(a), Bits{a}}; }
__device__ auto dedu(int a) { return T(a).get() + T(a + 1).get(); }
__device__ __noinline__ void nothing(int a) { return put(T(a).get()); }
template <class X> __device__ int tmpl(X x) { return x.get() + X(7).get(); }
extern "C" __global__ void test(float *out)
{
    o = out; ::n = 0;
    Bits b{3};
    put(takes(b));
    Bits c = b;
    takes(Bits{4});
    (Bits)b; put(-1);
    static_cast<Bits>(c); put(-1);
    (void)b; b; put(-1);
    int n = (n = 3, static_cast<Bits>(b).y);
    put(n);
    put(-2);
    n = rv(T(1)) + rv(2) + pick(T(1), T(2), n > 1).x;
    put(n);
    T t = id(id(T(5)));
    t = id(t);
    put(-3);
    W w(3); W w2(T(1), 2); W w3 = {4, 5};
    put(-4);
    { D1 d(6); put(slice(d)); put(look(D1(2))); put(slice(D1(3))); const B1 &bb = D1(4); put(bb.q); }
    put(look(B1(9))); put(-5);
    V v = mkv(2); const T &vt = mkv(3).t; T cp = mkv(4).t; put(mkv(5).b.y);
    put(-6);
    n = dedu(3); nothing(2); n += tmpl(T(2)) + tmpl(t);
    put(n);
    put(-7);
    bool q = T(1).get() && (T(0).get() || T(2).get()) && !T(0).get();
    n = q ? (T(1).get() ? T(2).get() : T(3).get()) : T(4).get();
    const T &pp = q ? t : T(3);
    const T &p2 = n > 1 ? T(4) : t;
    int z = (T(n).get() > 5 ? pick(T(1), T(2), true) : pick(t, T(3), false)).x;
    put(z);
    put(-8);
    int st = ({ T l(1); l.get(); }) + ({ T(2).get(); }) + ({ T(3); 5; });
    put(st);
    ({ T l(4); });
    put(-9);
    auto [aa, bb] = mkv(6);
    auto &&[ac, bc] = mkv(7);
    put(aa.x + bc.y);
    for (int i = T(0).get(), j = T(1).get(); i < T(2).get() && j; i += T(1).get(), T(9)) { if (T(i).get() == 0) continue; put(i); }
    switch (T(2).get()) { case 2: T(3); case 3: put(T(4).get()); break; }
    int arr[3] = { T(1).get(), T(2).get(), 3 };
    put(arr[0] + arr[1]);
    if (int k = T(3).get(); k > T(2).get()) put(k); else if (T(5).get()) put(1);
    while (int k = T(n).get()) { n = 0; put(k); }
    n += T(1).get(); n++; arr[T(1).get()] += T(2).get(); arr[T(0).get()] = T(2).get();
    int *ptr = &arr[T(1).get()]; put(*ptr);
    const T &alias = static_cast<const T &>(T(8)); put(-10);
    T &&xr = static_cast<T &&>(T(9)); put(-11);
    const T &cr = (T(1), T(2)); put(-12);
    T tt[2] = {T(1), n > 0 ? T(2) : T(3)};
    put(T(T(T(6))).get());
    T x1 = T(T(7)); T x2{T(8)}; T x3(id(9));
    asm("" :: "r"(n));
    put(-13);
    __shared__ int sh; sh = T(1).get(); put(sh);
}
