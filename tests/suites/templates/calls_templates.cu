// Templates that call templates with their parameters, and with types made of them.
template <class T> __device__ T square(T a) { return a * a; }
template <class T> __device__ T distance2(T ax, T ay, T bx, T by) { return square(ax - bx) + square<T>(ay - by); }
template <class T> __device__ void exchange(T &a, T &b) { T t = a; a = b; b = t; }
template <class T, int N> __device__ void sort(T (&a)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            if (a[j] < a[i]) exchange(a[i], a[j]);
}
template <class T> __device__ T load(const T *p) { return *p; }
template <class T> __device__ T indirect(const T *const *p) { return load(load<const T *>(p)); }
template <int N> __device__ int level() { return N; }
template <int N> __device__ int levels() { return level<N>() * 100 + level<N * 2>(); }

extern "C" __global__ void test(int *out)
{
    int a[5] = {5, 3, 4, 1, 2};
    double d[2] = {2.5, 0.5};
    const int *p = &a[1];
    sort(a);
    sort(d);
    for (int i = 0; i < 5; i++) out[i] = a[i];
    out[5] = (int)(d[0] * 10);
    out[6] = distance2(1, 2, 4, 6);
    out[7] = (int)distance2(0.5, 0.0, 2.0, 2.0);
    out[8] = indirect(&p);
    out[9] = levels<7>();
}
