//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// `using` of members of bases: functions beside the class's own, and members with another access.
struct A {
    int v = 5;
    __device__ int f(int x) { return x + 1; }
    __device__ int g() { return 3; }
    static __device__ int s(float) { return 7; }
    template <class T> __device__ int t(T *) { return 40 + sizeof(T); }
    __device__ A &operator+=(int x) { v += x; return *this; }
};
struct B : A {
    using A::f;
    using A::s;
    using A::t;
    using A::operator+=;
    __device__ int f(double) { return 100; }
    __device__ int f(const char *) { return 5; }
    static __device__ int s(int) { return 8; }
    template <class T> __device__ int t(T) { return 60 + sizeof(T); }
    __device__ B &operator+=(float) { v += 1000; return *this; }
    __device__ int call() { return f(2) + f(2.0) + s(1) + s(1.f); }
};
struct C : B { __device__ int call() { return f(2) * 2 + f(1.5) + f("a"); } };
struct Hides : A { using A::f; __device__ int f(int x) { return x - 1; } };
struct Left { __device__ int h(int) { return 1; } };
struct Right { __device__ int h(float) { return 2; } __device__ int h(char *) { return 4; } };
struct Both : Left, Right { using Left::h; using Right::h; };
struct Again : Both { using Both::h; __device__ int h(double) { return 9; } };
struct Guarded {
    int v = 1;
    __device__ int f() { return 2; }
protected:
    int p = 3;
    __device__ int g() { return 4; }
    typedef int T;
    static const int C = 9;
    enum { En = 12 };
};
struct Opened : Guarded { using Guarded::p; using Guarded::g; using Guarded::T; using Guarded::C; using Guarded::En; };
struct Closed : Guarded {
private:
    using Guarded::v;
    using Guarded::f;
public:
    __device__ int get() { return v + f(); }
};
struct First { int x = 1; };
struct Second { int x = 2; };
struct Chosen : First, Second { using Second::x; __device__ int get() { return x; } };

__global__ void test(float *out)
{
    B b;
    C c;
    Hides d;
    Both both;
    Again again;
    double z = 0;
    char q = 0;
    out[0] = b.f(1);
    out[1] = b.f(1.0);
    out[2] = b.call();
    out[3] = c.call();
    out[4] = d.f(1);
    out[5] = both.h(1) * 10 + both.h(1.f);
    out[6] = both.h(&q);
    out[7] = b.s(1.f);
    out[8] = B::s(2);
    out[9] = b.t(&z);
    out[10] = b.t(z);
    b += 1;
    b += 1.f;
    out[11] = b.v;
    out[12] = again.h(1) * 100 + again.h(1.f) * 10 + again.h(1.0);
    Opened opened;
    opened.p = 6;
    Opened::T t = 4;
    out[13] = opened.p + opened.g() + t + Opened::C + Opened::En;
    Closed closed;
    Guarded &guarded = closed;
    out[14] = closed.get() * 10 + guarded.v + guarded.f();
    Chosen chosen;
    out[15] = chosen.x * 10 + chosen.get();
}
