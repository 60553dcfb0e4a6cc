// Deduction from `T *` and `const T *`.
template <class T> __device__ int step(T *p) { return (int)((char *)(p + 1) - (char *)p); }
template <class T> __device__ T load(const T *p, int i) { return p[i]; }
template <class T> __device__ void store(T *p, T a) { *p = a; }
template <class T> __device__ T read(volatile T *p) { return *p; }
template <class T> __device__ void exchange(T *a, T *b)
{
    T t = *a;
    *a = *b;
    *b = t;
}

extern "C" __global__ void test(int *out)
{
    short s[3] = {10, 20, 30};
    const double d[2] = {1.5, 2.5};
    int i = 1, j = 2;
    out[0] = step(s);
    out[1] = step(d);
    out[2] = step(&s);
    out[3] = load(s, 1);
    out[4] = (int)(load(d, 1) * 10);
    store(&s[2], (short)77);
    out[5] = s[2];
    exchange(&i, &j);
    out[6] = i * 10 + j;
    out[7] = read(&i);
    out[8] = load("xyz", 2);
}
