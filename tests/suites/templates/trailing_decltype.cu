// Trailing results: types, and `decltype` of an expression of the parameters.
template <class A, class B> __device__ auto sum(A a, B b) -> decltype(a + b) { return a + b; }
template <class T> __device__ auto load(T *p) -> T { return *p; }
template <class T> __device__ auto deref(T p) -> decltype(*p) { return *p; }
template <class A, class B> __device__ auto larger(const A &a, const B &b) -> decltype(a > b ? a : b) { return a > b ? a : b; }
template <class T> __device__ decltype(T() * 1.0f) scaled(T a) { return a * 1.5f; }
template <class S> __device__ auto member(S s) -> decltype(s.x) { return s.x; }

extern "C" __global__ void test(int *out)
{
    int a = 4;
    char c = 'a';
    out[0] = (int)(sum(1, 0.5) * 10);
    out[1] = (int)sizeof(sum(c, c));
    out[2] = load(&c);
    deref(&a) = 6;
    out[3] = a;
    out[4] = (int)(larger(2, 2.5f) * 10);
    out[5] = (int)(scaled(3) * 10);
    out[6] = (int)sizeof(scaled(3.0));
    out[7] = member(make_short2(3, 4));
}
