// Types that are members: `typedef`, `using`, structs and enums in structs, and how they hide others.
struct Single {
    typedef float type;
    float value;
    __device__ type half() const
    {
        type x = value / 2;
        return x;
    }
};
struct Double {
    using type = double;
    double value;
    type list[2];
};
struct Both {
    Single::type a;
    Double::type b;
    typedef int (*Function)(int);
    Function f;
    typedef struct { int first, second; } Pair;
    Pair pair;
};
typedef int T;
struct Hides {
    typedef char T;
    T c, d[2];
    __device__ int size() { return sizeof(T) * 10 + sizeof(::T); }
};
T outside(T t) { return t; }
namespace n {
struct Q {
    using V = int;
    V v;
    __device__ V get();
};
}
__device__ n::Q::V n::Q::get()
{
    V r = v;
    return r + 1;
}
class P {
    typedef int Hidden;

public:
    typedef Hidden Shown;
};
template <class S> __device__ typename S::type same(const S &s)
{
    typename S::type r = typename S::type(s.value);
    return r + typename S::type{};
}
__device__ int twice(int a) { return 2 * a; }

extern "C" __global__ void test(int *out)
{
    Single s{3};
    Double d{4, {5, 6}};
    Both b{1, 2, twice, {7, 8}};
    Hides h{'a'};
    n::Q q{5};
    out[0] = (int)(same(s) + same(d) + d.list[1]);
    out[1] = b.f((int)b.a) + b.pair.second;
    out[2] = h.size() + (int)sizeof(Hides);
    out[3] = q.get() + (int)(s.half() * 10);
    P::Shown shown = 9;
    T t = shown;
    out[4] = t;
    Both::Pair pair = b.pair;
    out[5] = pair.first;
}
