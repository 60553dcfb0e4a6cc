// A generic lambda changes what it has captured by copy.
// clang: 6:33
// better: 6:31 the variable
__device__ int f(int n)
{
    auto next = [n](auto x) { n += x; return n; };
    return next(1);
}
