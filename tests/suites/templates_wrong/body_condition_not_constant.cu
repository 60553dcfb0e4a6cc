// `if constexpr` of what is no constant.
// clang: 6:19
// instances: 9:34
template <class T> __device__ T f_of(T a)
{
    if constexpr (a > 0) return a;
    return -a;
}
__device__ int f(int i) { return f_of(i); }
