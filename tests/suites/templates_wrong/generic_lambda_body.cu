// The body of a generic lambda makes no sense with the argument.
// clang: 6:39
struct S { int n; };
__device__ int f(S s)
{
    auto next = [](auto x) { return x + 1; };
    return next(s);
}
