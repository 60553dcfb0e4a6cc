// Deduction from functions and pointers to functions.
__device__ float half_of(int a) { return a * 0.5f; }
__device__ int add(int a, int b) { return a + b; }
__device__ int minus(int a) { return -a; }
template <class T, class U> __device__ T apply(T (*f)(U), U a) { return f(a); }
template <class T, class U> __device__ int size_of_result(T (*)(U)) { return (int)sizeof(T); }
template <class T> __device__ T fold(T (*f)(T, T), const T *a, int n)
{
    T sum = a[0];
    for (int i = 1; i < n; i++) sum = f(sum, a[i]);
    return sum;
}
template <class F> __device__ int called(F f, int a) { return f(a); }
template <class R, class A> __device__ R called_by_reference(R (&f)(A), A a) { return f(a); }

extern "C" __global__ void test(int *out)
{
    const int a[4] = {1, 2, 3, 4};
    out[0] = (int)(apply(half_of, 5) * 10);
    out[1] = apply(minus, 8);
    out[2] = size_of_result(half_of);
    out[3] = fold(add, a, 4);
    out[4] = called(minus, 3);
    out[5] = called(&minus, 4);
    out[6] = called_by_reference(minus, 5);
}
