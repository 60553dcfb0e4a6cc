// Two packs of different lengths are expanded together.
// clang: 8:24 8:15 8:20
// instances: 10:34
__device__ int g(int a, int b) { return a + b; }
__device__ int one(int a) { return a; }
template <class... A, class... T> __device__ int sum(int (*)(A...), T... a)
{
    return g((a + (A)1)...);
}
__device__ int f(int i) { return sum(one, i, i); }
