// Default member values of classes in functions: what they see of the function, where a block hides a name, and in instances of templates.
template <class T> __device__ __noinline__ T of_template(T t)
{
    const int N = 4;
    enum { K = 7 };
    struct P { int z = N + K; };
    struct L {
        T a = N;
        int b = K;
        P p = P();
        __device__ T g() const { return N; }
    };
    {
        const int N = 11;
        L l;
        struct M { L l; T z = l.a + N; };
        M n;
        t += n.z + l.a * 100 + l.p.z * 1000 + n.l.b * 10000 + l.g();
    }
    return t;
}

__device__ __noinline__ int of_function(int x)
{
    const int N = 4;
    enum { K = 7 };
    struct L {
        int a = N;
        int b = K;
        __device__ int f(int k) { return a * k; }
        __device__ int g() const { return N; }
    };
    const int hidden = x;
    {
        const int N = 12;
        L l, m{5};
        struct M { L l; int z = l.a + N; };
        M n;
        return l.a + l.b * 3 + l.f(3) * 100 + m.b + m.f(2) + n.z * 10000 + m.g() + hidden;
    }
}

// What a class declares hides what its base has by that name.
struct Base { int v; __device__ int w() const { return 10; } };
struct Derived : Base { static constexpr int v = 3; int w; };
struct Last : Derived {};
__device__ __noinline__ int hiding()
{
    Derived d;
    Last e;
    d.w = 6;
    e.w = 9;
    return d.v + 100 * d.w + 10000 * e.v + 1000 * e.w;
}

extern "C" __global__ void test(int *out)
{
    out[0] = of_template(1);
    out[1] = (int)of_template(2.5f);
    out[2] = of_function(3);
    out[3] = hiding();
}
