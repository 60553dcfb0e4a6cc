// `auto` cannot be deduced from a template.
// clang: 6:10 6:14
template <class T> __device__ T twice(T a) { return a + a; }
__device__ int f(int i)
{
    auto p = twice;
    return p(i);
}
