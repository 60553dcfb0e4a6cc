// What is wrong in templates that nothing instantiates is not seen; nor is what is wrong for other types.
template <class T> __device__ int never(T a) { return no_such_name(a) + a.nothing; }
template <class T> __device__ int member(T a) { return a.x; }
template <class T> __device__ int length(T a)
{
    if constexpr (sizeof(T) == 8) return a.x + a.y;
    else return a;
}
template <int N> __device__ int divided(int a) { return a / N; }

extern "C" __global__ void test(int *out)
{
    out[0] = member(make_int2(3, 4));
    out[1] = length(make_int2(5, 6));
    out[2] = length(7);
    out[3] = divided<2>(9);
}
