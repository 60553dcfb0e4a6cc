// Deduction from `T &` and `const T &`.
template <class T> __device__ void exchange(T &a, T &b)
{
    T t = a;
    a = b;
    b = t;
}
template <class T> __device__ const T &largest(const T &a, const T &b) { return a < b ? b : a; }
template <class T> __device__ int size_of(T &) { return (int)sizeof(T); }
template <class T> __device__ int size_of_const(const T &) { return (int)sizeof(T); }
template <class T> __device__ T &first(T *p) { return p[0]; }

extern "C" __global__ void test(int *out)
{
    int a = 3, b = 8;
    float f = 1.5f, g = 0.5f;
    const short s = 9;
    char c[5] = "abcd";
    exchange(a, b);
    exchange(f, g);
    out[0] = a * 10 + b;
    out[1] = (int)(f * 10);
    out[2] = largest(a, 5);
    out[3] = (int)(largest(f, 0.25f) * 100);
    out[4] = &largest(a, b) == &a;
    out[5] = size_of(s);
    out[6] = size_of(c);
    out[7] = size_of_const(c);
    out[8] = size_of_const(1.0);
    first(&a) = 44;
    out[9] = a;
    int *p = &b;
    first(&p) = &a;
    out[10] = *p;
}
