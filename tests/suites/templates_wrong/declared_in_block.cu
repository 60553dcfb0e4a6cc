// A template in a block.
// clang: 5:5
__device__ int f(int i)
{
    template <class T> T twice(T a);
    return i;
}
