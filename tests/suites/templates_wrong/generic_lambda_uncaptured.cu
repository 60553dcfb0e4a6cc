// A generic lambda names a variable that it does not capture.
// clang: 5:40
__device__ int f(int n)
{
    auto add = [](auto x) { return x + n; };
    return add(1);
}
