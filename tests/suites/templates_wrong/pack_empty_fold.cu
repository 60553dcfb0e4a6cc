// `+` of an empty pack has no value.
// clang: 6:17
// instances: 8:38
template <class... T> __device__ int sum(T... a)
{
    return (a + ...);
}
__device__ int f() { return sum(1) + sum(); }
