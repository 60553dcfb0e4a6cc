// `;` is missing.
// clang: 5:16
template <class T> __device__ T twice(T a)
{
    T b = a + a
    return b;
}
__device__ int f(int i) { return twice(i); }
