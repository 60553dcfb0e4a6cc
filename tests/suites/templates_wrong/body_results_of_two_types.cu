// `auto` is deduced twice, differently.
// clang: 7:5
// instances: 9:37
template <class T> __device__ auto chosen(T a)
{
    if (a > 0) return a;
    return 0.5;
}
__device__ double f(int i) { return chosen(i); }
