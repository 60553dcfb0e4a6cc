// Deduction through several levels of pointers, with qualifiers between them.
template <class T> __device__ T deep(T **p) { return **p; }
template <class T> __device__ T deep(T ***p) { return ***p * 10; }
template <class T> __device__ T of_const(const T *const *p) { return **p + 1; }
template <class T> __device__ int stars(T) { return 0; }
template <class T> __device__ int stars(T *p) { return 1 + stars(*p); }
template <class T> __device__ void redirect(T *&p, T *to) { p = to; }

extern "C" __global__ void test(int *out)
{
    int a = 4, b = 9;
    int *p = &a;
    int **pp = &p;
    const int *c = &b;
    out[0] = deep(&p);
    out[1] = deep(pp);
    out[2] = deep(&pp);
    out[3] = of_const(&c);
    out[4] = of_const(&p);
    out[5] = stars(a);
    out[6] = stars(pp);
    out[7] = stars(&pp);
    redirect(p, &b);
    out[8] = deep(pp);
}
