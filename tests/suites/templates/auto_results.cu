// `auto` results, which each instance deduces; `decltype(auto)`; `auto` variables.
template <class A, class B> __device__ auto sum(A a, B b) { return a + b; }
template <class T> __device__ auto pointer_to(T &a) { return &a; }
template <class T> __device__ auto &first(T *p) { return *p; }
template <class T> __device__ decltype(auto) element(T *p, int i) { return (p[i]); }
template <class T> __device__ auto halved(T a)
{
    auto half = a / 2;
    const auto &r = half;
    return r;
}
template <int N> __device__ auto narrow()
{
    if constexpr (N < 256) return (unsigned char)N;
    else return (short)N;
}

extern "C" __global__ void test(int *out)
{
    short s = 5;
    int a[2] = {1, 2};
    out[0] = (int)(sum(1, 2.5f) * 10);
    out[1] = (int)sizeof(sum(s, s));
    out[2] = (int)sizeof(sum(1u, 2ll));
    *pointer_to(s) = 9;
    out[3] = s;
    first(a) = 7;
    element(a, 1) = 8;
    out[4] = a[0] * 10 + a[1];
    out[5] = (int)(halved(2.5) * 100);
    out[6] = halved(9);
    out[7] = (int)sizeof(narrow<7>()) * 10 + (int)sizeof(narrow<700>());
}
