// A variable that is declared after the template.
// clang: 5:16
template <class T> __device__ T sum(T a)
{
    return a + offset;
}
__device__ int offset;
__device__ int f(int i) { return sum(i); }
