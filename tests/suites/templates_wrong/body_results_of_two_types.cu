// `auto` is deduced twice, differently.
// clang: 8:5
// instances: 10:37
// better: 8:12 the value of the other type
template <class T> __device__ auto chosen(T a)
{
    if (a > 0) return a;
    return 0.5;
}
__device__ double f(int i) { return chosen(i); }
