// A function as a value parameter.
__device__ int doubled(int a) { return 2 * a; }
__device__ int squared(int a) { return a * a; }
template <int (*F)(int)> __device__ int sum_of(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += F(i);
    return sum;
}
template <class T, T (*F)(T)> __device__ T twice(T a) { return F(F(a)); }

extern "C" __global__ void test(int *out)
{
    out[0] = sum_of<doubled>(4);
    out[1] = sum_of<squared>(4);
    out[2] = sum_of<&squared>(5);
    out[3] = twice<int, squared>(3);
}
