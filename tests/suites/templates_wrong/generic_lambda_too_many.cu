// A generic lambda is called with too many arguments.
// clang: 6:12
__device__ int f(int n)
{
    auto same = [](auto x) { return x; };
    return same(n, 1);
}
