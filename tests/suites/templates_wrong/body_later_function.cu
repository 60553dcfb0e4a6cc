// A function that is declared after the template, and no argument is of a class.
// clang: 6:12
// instances: 11:12
template <class T> __device__ int call(T a)
{
    return later(a);
}
__device__ int later(int a) { return a; }
__device__ int f(int i)
{
    return call(i);
}
