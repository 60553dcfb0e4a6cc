// A function is better than a template that fits as well; a template that fits better is better.
__device__ int f(int) { return 1; }
template <class T> __device__ int f(T) { return 2; }
__device__ int g(double) { return 1; }
template <class T> __device__ int g(T) { return 2; }
template <class T> __device__ int h(T *) { return 2; }
__device__ int h(const void *) { return 1; }
__device__ int h(...) { return 3; }
__device__ int k(int, double) { return 1; }
template <class T> __device__ int k(T, T) { return 2; }

extern "C" __global__ void test(int *out)
{
    int a = 0;
    short s = 0;
    void *p = &a;
    out[0] = f(a);
    out[1] = f(s);
    out[2] = f<>(a);
    out[3] = f<int>(s);
    out[4] = g(1.5);
    out[5] = g(1.5f);
    out[6] = h(&a);
    out[7] = h(p);
    out[8] = h(a);
    out[9] = k(1, 2);
    out[10] = k(1, 2.0);
    out[11] = k(1, 2.0f);
}
