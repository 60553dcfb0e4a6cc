// The recursion over a pack has no end.
// clang: 6:16
// instances: 6:16 8:34
template <class T, class... R> __device__ int sum(T a, R... r)
{
    return a + sum(r...);
}
__device__ int f(int i) { return sum(i, i); }
