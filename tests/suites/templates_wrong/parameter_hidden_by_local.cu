// A local variable with the name of a parameter.
// clang: 5:9
template <class T, int N> __device__ T sum(T a)
{
    int N = 3;
    return a + N;
}
__device__ int f(int i) { return sum<int, 4>(i); }
