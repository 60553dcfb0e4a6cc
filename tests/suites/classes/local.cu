// Classes in functions: member functions, operators, what they see of the function, and their names.
namespace lib {
template <typename F> __device__ __noinline__ int apply(F f, int x) { return f(x); }
__device__ __noinline__ int twice(int x)
{
    struct Twice {
        int n;
        __device__ __noinline__ int get() const { return 2 * n; }
    };
    return Twice{x}.get();
}
}

__device__ __noinline__ int seen(int x)
{
    static int kept = 5;
    const int three = 3;
    constexpr float half = 0.5f;
    enum { NINE = 9 };
    typedef int Number;
    struct Inner {
        int m;
    };
    struct Local {
        int i;
        __device__ __noinline__ Number get() const { return later() + three + NINE; }
        __device__ __noinline__ int later() const
        {
            Inner inner{i};
            return inner.m + (int)(8 * half) + kept;
        }
    };
    return Local{x}.get();
}

__device__ __noinline__ int names(int x)
{
    int sum = 0;
    struct L {
        int i;
        __device__ __noinline__ L operator+(L other) const { return L{i + other.i}; }
        __device__ __noinline__ static int of(L *a, L *b) { return a->i * b->i; }
        __device__ __noinline__ bool operator<(const L &other) const { return i < other.i; }
    };
    {
        struct L {
            int j;
            struct N {
                int n;
                __device__ __noinline__ int get(N *other, L *l) { return n + other->n + l->j; }
            } inner;
            __device__ __noinline__ int operator()(int a) const { return j + a; }
        };
        L l{x, {3}};
        sum += l.inner.get(&l.inner, &l) + lib::apply(l, 4);
    }
    {
        enum class L { A, B };
        struct M {
            L which;
            __device__ __noinline__ int operator()(int a) const { return which == L::B ? a : 0; }
        };
        sum += lib::apply(M{L::B}, 6);
    }
    L a{x}, b{7};
    return sum + (a + b).i + L::of(&a, &b) + (a < b);
}

template <typename T> __device__ __noinline__ T made(T x)
{
    struct Box {
        T i;
        __device__ __noinline__ T get() const { return i + 1; }
    };
    return Box{x}.get();
}

struct Outer {
    int n;
    __device__ __noinline__ int f(int x) const
    {
        struct Inner {
            const Outer *outer;
            __device__ __noinline__ int get(int x) const { return outer->n + x; }
        };
        return Inner{this}.get(x);
    }
};

__global__ void kernel(int *out)
{
    struct Add {
        int n;
        __device__ __noinline__ int operator()(int a) const { return a + n; }
    };
    out[9] = lib::apply(Add{1}, 2);
}

extern "C" __global__ void test(int *out)
{
    struct Add {
        int n;
        __device__ __noinline__ int operator()(int a) const { return a + n; }
    };
    struct {
        int u;
        __device__ __noinline__ int get() { return u; }
    } unnamed{8};
    out[0] = seen(1);
    out[1] = names(2);
    out[2] = made(3) + (int)made(1.5f);
    out[3] = Outer{10}.f(4);
    out[4] = lib::apply(Add{5}, 6) + lib::twice(4) + unnamed.get();
}
