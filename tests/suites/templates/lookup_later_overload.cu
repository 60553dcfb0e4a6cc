// A better overload that is declared after the template is not considered for a name that does not depend on a parameter.
__device__ int f(double) { return 1; }
template <class T> __device__ int fixed(T) { return f(3); }
template <class T> __device__ int by_type(T a) { return f(a); }
template <class T> __device__ int g(T) { return 1; }
template <class T> __device__ int pointer(T *a) { return g(a); }
template <class T> __device__ int with_default(T, int n = f(1)) { return n; }
__device__ int f(int) { return 2; }
template <class T> __device__ int g(T *) { return 2; }
__device__ int g(int *) { return 3; }

extern "C" __global__ void test(int *out)
{
    out[0] = fixed(0);
    out[1] = by_type(3);
    out[2] = f(3);
    out[3] = pointer(out);
    out[4] = g(out);
    out[5] = with_default(1);
}
