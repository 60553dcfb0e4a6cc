//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// Constructors that a derived class inherits: of one base and of several, through several classes, templates of constructors, bases that are
// instances of templates or parameters of one, with members that have values of their own.
struct A { int x; float f; __device__ A(int v) : x(v), f(0) {} __device__ A(int v, float g) : x(v), f(g) {} };
struct B : A { using A::A; int y = 7; };
struct C : B { using B::B; };
struct P { int q; __device__ P(int v); };
__device__ P::P(int v) : q(v) {}
struct Q : P { using P::P; };
template <class T> struct TB { T t; __device__ TB(T v) : t(v) {} template <class U> __device__ TB(U a, T b) : t(b + a) {} };
template <class T> struct TD : TB<T> { using TB<T>::TB; int z = 3; };
struct Hides : A { using A::A; __device__ Hides(int v) : A(v, 2.f) {} };
struct D0 { int x; __device__ D0() : x(1) {} __device__ D0(int v) : x(v) {} };
struct Default : D0 { using D0::D0; __device__ Default(int a, int b) : D0(a + b) {} };
struct Args { int x; __device__ Args(int v, int w = 5) : x(v + w) {} __device__ Args(const Args &o, int k) : x(o.x + k) {} };
struct OfArgs : Args { private: using Args::Args; public: int y; };
struct Trivial { int x; Trivial() = default; __device__ Trivial(int v) : x(v) {} };
struct OfTrivial : Trivial { using Trivial::Trivial; int z; };
struct A1 { __device__ A1() {} __device__ A1(int v) {} };
struct A2 { int y; __device__ A2() : y(1) {} __device__ A2(int v, int w) : y(v + w) {} };
struct Two : A1, A2 { using A1::A1; using A2::A2; };
struct Refs { const int k; int &r; __device__ Refs(int v, int &w) : k(v), r(w) {} };
struct OfRefs : Refs { using Refs::Refs; int q = 3; };
struct M { int v; __device__ M(int a) : v(a) {} __device__ M(const M &o) : v(o.v + 100) {} __device__ ~M() {} };
struct TakesM { int x; __device__ TakesM(M m, int k) : x(m.v + k) {} };
struct OfM : TakesM { using TakesM::TakesM; };
namespace ns { struct Base { int a; __device__ Base(int x) : a(x) {} template <class T> __device__ Base(T *p, int k) : a(*p + k) {} static __device__ int f() { return 3; } }; }
struct D1 : ns::Base { using Base::Base; int m = 2; };
struct Named : ns::Base { Base *p; __device__ Named() : Base(3) { Base b(4); p = nullptr; a = b.a + Base::f(); } };
template <class... Bs> struct All : Bs... { using Bs::Bs...; };
struct X { int x; __device__ X(int v) : x(v) {} };
struct Y { float y; __device__ Y(const char *s, int n) : y(n) {} __device__ Y() : y(9) {} };
template <class B> struct Mix : B { using B::B; __device__ int twice() const { return 2 * this->x; } };
template <class T> struct Vec { T v[2]; __device__ Vec(T a, T b) : v{a, b} {} __device__ T sum() const { return v[0] + v[1]; } };
template <class T> struct Pt : Vec<T> { using Super = Vec<T>; using Super::Super; };
struct Mv { int v; __device__ Mv(int a) : v(a) {} __device__ Mv(Mv &&o) : v(o.v) { o.v = -1; } __device__ Mv(const Mv &o) : v(o.v + 50) {} };
struct T1 { int t; __device__ T1(Mv &&m) : t(m.v) { m.v = 70; } __device__ T1(Mv m, int) : t(m.v) {} __device__ T1(int &r, const float &f) : t(r++ + f) {} };
struct T2 : T1 { using T1::T1; };
__device__ OfArgs make() { return {4, 6}; }
__device__ int value(OfArgs b) { return b.x; }
__device__ int use(T2 t) { return t.t; }
struct K { int a; __device__ constexpr K(int x) : a(x) {} };
struct OfK : K { using K::K; int m = 2; };
__device__ constexpr int folded(int n) { OfK d(n); return d.a + d.m; }
__global__ void test(float *out) {
    int n = 4;
    B b(3); B b2(4, 5.f); C c(6); Q q(9); TD<int> td(8); TD<int> td2(2.0, 8); Hides h(3); Hides h2(3, 4.f);
    out[0] = b.x + b.y + b2.x * 10 + b2.f * 100 + c.x * 1000; out[1] = q.q + td.t * 10 + td.z * 100 + td2.t * 1000; out[2] = h.f + h2.f * 10;
    Default d; Default e(1, 2); Default g(7); out[3] = d.x + e.x * 10 + g.x * 100;
    OfArgs i(1); OfArgs j{2, 3}; OfArgs k = 4; OfArgs l(i, 3); out[4] = i.x + j.x * 10 + k.x * 100 + make().x + value(7) + l.x;
    OfTrivial o = OfTrivial(); OfTrivial p{}; OfTrivial r; r.z = 2; r.x = 3; out[5] = o.x + o.z + p.z + p.x + r.x * 10 + r.z;
    Two s(1); Two t(1, 2); OfRefs u(2, n); u.r = 7; out[6] = s.y + t.y * 10 + n * 100 + u.k + u.q;
    OfM v(M(3), 4); M m(5); OfM w(m, 1); out[7] = v.x + w.x;
    D1 d1(3); D1 d2(&n, 6); out[8] = d1.a + d2.a + d2.m; Named named; out[9] = named.a; D1::Base base(3); out[10] = base.a;
    All<D0, Y> all("s", 3); All<D0, Y> all2(7); out[11] = all.y + all.x * 10 + all2.y * 100 + all2.x * 1000;
    Mix<X> mix(5); out[12] = mix.twice(); Pt<float> pt(1.5f, 2); out[13] = pt.sum();
    Mv mv(3); T2 t2(static_cast<Mv &&>(mv)); out[14] = t2.t + mv.v; T2 t3(mv, 1); out[15] = t3.t; T2 t4(n, 2.f); out[16] = t4.t + n;
    out[17] = use({n, 3.f}); constexpr int f = folded(5); out[18] = f + folded(n); T2 t5 = Mv(4); out[19] = t5.t; T2 *t6 = new T2(n, 1.f); out[20] = t6->t; delete t6;
    struct L : X { using X::X; }; L local(9); out[21] = local.x; Mix<X> mixes[2] = {3, 4}; out[22] = mixes[1].twice();
    D1 copy(d1); copy = d2; out[23] = copy.a; D1 braced{7}; out[24] = braced.a; out[25] = D1(8).a + D1{9}.m;
}
