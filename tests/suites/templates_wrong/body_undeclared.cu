// A name that does not depend on a parameter and is not declared.
// clang: 5:16
template <class T> __device__ T sum(T a)
{
    return a + offset;
}
__device__ int f(int i) { return sum(i); }
