// Member functions that share their specifiers.
struct S {
    int n;
    __device__ int one() const, two(int) const, *where(), (*chosen())(int);
    static __device__ int three(), four();
};
__device__ int S::one() const { return n; }
__device__ int S::two(int m) const { return n * m; }
__device__ int *S::where() { return &n; }
__device__ int twice(int x) { return 2 * x; }
__device__ int (*S::chosen())(int) { return twice; }
__device__ int S::three() { return 3; }
__device__ int S::four() { return 4; }

extern "C" __global__ void test(int *out)
{
    S s{5};
    *s.where() += 1;
    out[0] = s.one() + s.two(3);
    out[1] = s.chosen()(s.n) + S::three() * S::four();
}
