// Of templates that fit as well, the more specialized one is meant.
struct S { int a; };
template <class T> __device__ int f(T) { return 1; }
template <class T> __device__ int f(T *) { return 2; }
template <class T> __device__ int f(const T *) { return 3; }
template <class T> __device__ int f(T **) { return 4; }
template <class T, class U> __device__ int g(T, U) { return 1; }
template <class T> __device__ int g(T, T) { return 2; }
template <class T> __device__ int g(T, int) { return 3; }
template <class T> __device__ int h(const T &) { return 1; }
template <class T> __device__ int h(T *const &) { return 2; }
template <class T, int N> __device__ int h(const T (&)[N]) { return 3; }
template <class T> __device__ int k(T &) { return 1; }
template <class T> __device__ int k(const T &) { return 2; }
template <class R, class A> __device__ int k(R (&)(A)) { return 3; }
__device__ int function(int a) { return a; }

extern "C" __global__ void test(int *out)
{
    int a = 0;
    const int c = 0;
    int *p = &a;
    S s = {0}, list[2] = {};
    out[0] = f(a);
    out[1] = f(&a);
    out[2] = f(&c);
    out[3] = f(&p);
    out[4] = f(s);
    out[5] = g(1, 2.0f);
    out[6] = g(1.5f, 2.5f);
    out[7] = g(1.5f, 2);
    out[8] = h(a);
    out[9] = h(p);
    out[10] = h(list);
    out[11] = k(a);
    out[12] = k(c);
    out[13] = k(function);
}
