//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Results after the parameters that are members of instances; `this` in nested lambdas and in const member functions; names of the caller's
// parameters in a generic lambda; `using` of members of bases.
template <class T> struct id { using type = T; };
template <bool B, class T> struct when {};
template <class T> struct when<true, T> { using type = T; };
__device__ __noinline__ float add(float b) { return b + 100; }
template <typename T> __device__ __noinline__ auto add(T b) -> typename id<T>::type { return b; }
template <typename T> __device__ __noinline__ auto small(T b) -> typename when<sizeof(T) == 4, T>::type { return b + 1; }
template <typename T> __device__ __noinline__ auto small(T b) -> typename when<sizeof(T) == 8, T>::type { return b + 2; }
template <class F> __device__ void run(F &&f) { f(1); }
struct W {
    int v;
    __device__ auto copy() const { return [*this](int x) { return v + x; }; }
    __device__ auto generic() const { return [*this](auto x) { return v * x; }; }
    __device__ int nested()
    {
        auto f = [this](auto i) { auto g = [=](auto j) { return v * j + i; }; return g(i); };
        return f(2);
    }
};
template <class T> struct Base { T x; int n; __device__ T get() const { return x; } };
template <class T> struct Derived : Base<T> {
    using Base<T>::x;
    using Base<T>::get;
    __device__ T twice() const { return get() + x; }
};
extern "C" __global__ void test(float *out)
{
    int t = threadIdx.x, sum = 0;
    run([&](auto i) { int F = i + t; sum += F; });
    W w{t};
    Derived<float> d;
    d.x = t, d.n = 3;
    out[t] = add(t) + small(t) + small(2.5) + sum;
    out[t + 32] = w.copy()(3) + w.generic()(0.5f) + w.nested() + d.twice() + d.n;
}
