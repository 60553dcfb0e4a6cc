//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// Private and protected base classes, and pointers to bases that are not the first.
struct Base {
    int b;
    __device__ int get() const { return b; }
    __device__ static int none() { return 4; }
    typedef int Number;
    enum { WIDTH = 3 };
};
class Closed : Base {
public:
    int c;
    using Base::Number;
    using Base::get;
    __device__ Closed(int n) : Base{n}, c(n + 1) {}
    __device__ int own(Closed &other) {
        Base *p = this;
        Base &r = other;
        return b + p->b * 10 + r.b * 100 + none() + WIDTH;
    }
    __device__ Base *part() { return this; }
    friend __device__ int peer(Closed &c);
};
__device__ int peer(Closed &c) { return c.b + static_cast<Base &>(c).b; }
class Kept : protected Closed {
public:
    __device__ Kept() : Closed(7) {}
};
struct Last : Kept {
    int l = 9;
    __device__ int sum() { Closed *p = this; return c + p->c + get() + l; }
};
class Guarded {
protected:
    int p;
    __device__ Guarded(int n) : p(n) {}
    __device__ Guarded(const Guarded &o) : p(o.p + 1) {}
    __device__ Guarded &operator=(const Guarded &o) { p = o.p + 10; return *this; }
    __device__ ~Guarded() { p = 0; }
    __device__ int twice() const { return 2 * p; }
};
struct Uses : Guarded {
    __device__ Uses(int n) : Guarded(n) {}
    __device__ int get(Uses &o) { return p + o.p * 10 + o.Guarded::twice() * 100 + Guarded::twice() * 10000; }
    using Guarded::p;
};
struct First { int f; };
struct Second { int s; __device__ int value() { return s; } };
struct Two : First, Second { int t; };
__device__ __noinline__ Second *up(Two *two) { return two; }
__device__ __noinline__ Two *down(Second *s) { return static_cast<Two *>(s); }
__device__ __noinline__ bool same(Two *two, Second *s) { return two == s; }
__device__ __noinline__ Second *pick(int which, Two *two, Second *s) { return which ? two : s; }

extern "C" __global__ void test(float *out)
{
    Closed a(1), b(2);
    out[0] = a.own(b);
    out[1] = a.get() + a.part()->b * 10 + ((Base &)b).b * 100 + peer(b) * 1000;
    Closed::Number n = 5;
    out[2] = n + sizeof(Closed) * 10;
    Last last;
    out[3] = last.sum();
    Uses u(3), v(u);
    out[4] = u.get(v);
    v = u;
    out[5] = v.p;
    Two two;
    two.f = 1, two.s = 2, two.t = 3;
    Second other{8};
    out[6] = up(&two)->value() + (up(nullptr) == nullptr) * 10 + down(up(&two))->t * 100 + (down(nullptr) == nullptr) * 1000;
    out[7] = same(&two, up(&two)) + same(&two, &other) * 10 + same(nullptr, nullptr) * 100;
    out[8] = pick(1, &two, &other)->s + pick(0, &two, &other)->s * 10 + (pick(1, nullptr, &other) == nullptr) * 100;
    const Two *constant = &two;
    const Second *part = constant;
    out[9] = part->s + (int)((const char *)part - (const char *)constant) * 10;
    auto [only] = First{6};
    out[10] = only;
}
