// Expansions in calls: of values, of patterns around them, of types, after and before other arguments.
__device__ int three(int a, int b, int c) { return a * 100 + b * 10 + c; }
template <class T> __device__ T twice(T a) { return a * 2; }
template <class... T> __device__ int direct(T... a) { return three(a...); }
template <class... T> __device__ int pattern(T... a) { return three(twice(a)...); }
template <class... T> __device__ int sum_pattern(int n, T... a) { return three(a + n...); }
template <class... T> __device__ int between(T... a) { return three(9, a..., 8); }
template <class F, class... T> __device__ auto invoke(F f, T... a) { return f(a...); }
template <class F, class... T> __device__ auto forward(F &&f, T &&...a) { return f(static_cast<T &&>(a)...); }
template <class... T> __device__ int sizes(T...) { return three((int)sizeof(T)...); }
__device__ void set(int &a, int b) { a = b; }

extern "C" __global__ void test(int *out)
{
    int a = 0;
    out[0] = direct(1, 2, 3);
    out[1] = pattern(1, 2, 3);
    out[2] = sum_pattern(5, 1, 2, 3);
    out[3] = between(7);
    out[4] = invoke(three, 4, 5, 6);
    forward(set, a, 44);
    out[5] = a;
    out[6] = sizes('c', 1, 2.0);
}
