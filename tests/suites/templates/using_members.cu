//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// `using` of members of bases that depend on a parameter: types, functions, data, constants.
template <class T> struct Base {
    typedef T type;
    using other = T *;
    T v;
    __device__ T f(T x) { return x + v; }
    static const int N = sizeof(T);
    enum { K = 11 };
    template <class U> __device__ U conv(U u) { return u + v; }
protected:
    __device__ int hid(int x) { return x * 3; }
    int w;
};
template <class T> struct Derived : Base<T> {
    using typename Base<T>::type;
    using typename Base<T>::other;
    using Base<T>::f;
    using Base<T>::v;
    using Base<T>::N;
    using Base<T>::K;
    using Base<T>::hid;
    using Base<T>::w;
    using Base<T>::conv;
    __device__ type f(type a, type b) { return f(a) + b; }
    __device__ T f(const char *) { return conv(type(4)); }
    __device__ int n() { return N + K; }
    __device__ T get() { other p = &v; return *p + v; }
};
struct Further : Derived<float> {
    using Derived<float>::f;
    __device__ float f(int *) { return hid(2) + w; }
};

__global__ void test(float *out)
{
    Derived<float> d;
    d.v = 2;
    d.w = 7;
    Derived<int> e;
    e.v = 3;
    Further q;
    q.v = 8;
    q.w = 1;
    out[0] = d.f(1.f);
    out[1] = d.f(1.f, 5.f);
    out[2] = d.n();
    out[3] = d.get();
    out[4] = d.hid(4);
    out[5] = d.w;
    out[6] = e.f(1);
    out[7] = e.f(1, 2);
    out[8] = d.f("a");
    out[9] = q.f(1.f) + q.f((int *)0) + q.f("x") + q.f(1.f, 2.f);
    Derived<int>::type z = 4;
    out[10] = z;
    out[11] = Derived<int>::N + Derived<float>::K;
}
