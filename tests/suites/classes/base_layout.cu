//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// Members in the padding of base classes, empty bases beside objects of their class, and copies of parts of bases (Itanium C++ ABI 2.4).
struct Pad { int a; char b; __device__ Pad() : a(1), b(2) {} __device__ Pad(int n) : a(n), b(n + 1) {} };
struct Tail : Pad { char c; __device__ Tail() : Pad(7), c(3) {} };
struct Deep : Tail { char d = 4; short s = 5; };
struct E {}; struct W { E e; int w; }; struct Both : E, W { int q; };
struct Holds : E { E e; int x; };
struct E2 : E {}; struct WE2 { E2 e; int w; }; struct Twice : E, WE2 { int t; };
struct Arr : E { E e[3]; char c; };
struct Bits { int a : 20; __device__ Bits() : a(5) {} }; struct BT : Bits { char c; short s; };
struct Big { double d[20]; char c; __device__ Big() : c(9) { for (int i = 0; i < 20; i++) d[i] = i; } }; struct BigT : Big { char t; int u; };
struct Prot { int a; protected: char p; public: __device__ void set(char n) { p = n; } __device__ int get() const { return p; } }; struct PT : Prot { char c; };
struct Un { double d; union { int i; char c[4]; }; char e; __device__ Un() : d(1), i(2), e(3) {} }; struct UT : Un { char x; short y; };
struct Nsd { long l = 3; int i = 4; }; struct NT : Nsd { int j = 5; };
__device__ __noinline__ Pad make(int n) { return Pad(n); }
__device__ __noinline__ Bits makeBits() { return Bits(); }
__device__ __noinline__ Nsd makeN(int n) { Nsd x; x.l = n; x.i = n; return x; }
__device__ __noinline__ void assign(Pad &p, const Pad &q) { p = q; }
__device__ __noinline__ void assignBits(Bits &p, const Bits &q) { p = q; }
__device__ __noinline__ void assignBig(Big &p, const Big &q) { p = q; }
__device__ __noinline__ void assignUn(Un &p, const Un &q) { p = q; }
__device__ __noinline__ void setBits(Bits &b, int n) { b.a = n; }
__device__ __noinline__ int byValue(Pad p) { return p.a + p.b; }
__device__ __noinline__ int tail(Tail t) { return t.a + t.b * 10 + t.c * 100; }
__device__ __noinline__ Tail makeTail(int n) { Tail t; t.c = n; return t; }
__device__ NT nt; __constant__ NT cnt = {};
struct Agg : NT { char g; int h; };
__device__ Agg agg = {{{}, 1}, 2, 3};
extern "C" __global__ void test(float *out)
{
    Deep d; d.c = 11;
    static_cast<Pad &>(d) = make(30);
    out[0] = d.a + d.b * 100 + d.c * 10000 + d.d * 1000000;
    assign(d, Pad(1)); out[1] = d.a + d.b * 100 + d.c * 10000 + d.s;
    out[2] = sizeof(Tail) + sizeof(Deep) * 100 + sizeof(Both) * 10000; 
    out[3] = sizeof(Holds) + sizeof(Twice) * 100 + sizeof(Arr) * 10000;
    Both both; Holds holds; Twice tw; Arr arr;
    out[4] = ((char *)&both.w - (char *)&both) + ((char *)&both.q - (char *)&both) * 10 + ((char *)&both.e - (char *)&both) * 100 + ((char *)static_cast<E *>(&both) - (char *)&both) * 1000;
    out[5] = ((char *)&holds.e - (char *)&holds) + ((char *)&holds.x - (char *)&holds) * 10 + ((char *)&tw.t - (char *)&tw) * 100 + ((char *)static_cast<WE2 *>(&tw) - (char *)&tw) * 1000 + ((char *)&arr.e - (char *)&arr) * 10000 + ((char *)&arr.c - (char *)&arr) * 100000;
    BT bt; bt.c = 77; bt.s = 99; Bits nb; nb.a = 1234;
    assignBits(bt, nb); out[6] = bt.a + bt.c * 10000; out[7] = bt.s + sizeof(BT) * 1000 + ((char *)&bt.c - (char *)&bt) * 100000;
    setBits(bt, -3); out[8] = bt.a + bt.c * 100; static_cast<Bits &>(bt) = makeBits(); out[9] = bt.a + bt.c * 100;
    BigT big; big.t = 5; big.u = 6; Big other; other.c = 1; other.d[19] = 44; assignBig(big, other);
    out[10] = big.t + big.u * 10 + big.c * 100 + big.d[19] * 1000 + sizeof(BigT) * 100000;
    PT pt; pt.set(4); pt.c = 6; pt.a = 3; PT pt2 = pt; Prot pr; pr.a = 9; pr.set(8); static_cast<Prot &>(pt) = pr;
    out[11] = pt.a + pt.get() * 10 + pt.c * 100 + pt2.c * 1000 + sizeof(PT) * 10000;
    UT u; u.x = 7; u.y = 8; Un un; un.i = 55; un.e = 1; assignUn(u, un); out[12] = u.i + u.e * 100 + u.x * 1000 + u.y * 10000 + sizeof(UT) * 100000;
    NT n; static_cast<Nsd &>(n) = makeN(12); out[13] = n.l + n.i * 100 + n.j * 10000 + sizeof(NT) * 100000;
    NT n2 = n; n2 = n; out[14] = n2.j + nt.l * 10 + nt.j * 100 + cnt.i * 1000;
    out[15] = agg.l + agg.i * 10 + agg.j * 100 + agg.g * 1000 + agg.h * 10000 + sizeof(Agg) * 100000;
    Tail t = makeTail(6), t2 = t; out[16] = tail(t2) + byValue(t2) * 10000; t2 = makeTail(8); out[17] = tail(t2);
    Pad p = t2; out[18] = p.a + p.b * 100;
    Tail many[3]; many[1] = t2; out[19] = many[1].c + many[2].c * 10 + sizeof(many) * 100;
    auto lam = [a = 1, b = 'c'] { return a + b; };
    typedef decltype(lam) Lam; struct L : Lam { char z; };
    out[20] = sizeof(lam) + sizeof(L) * 100;
}
