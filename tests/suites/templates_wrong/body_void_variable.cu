// A variable of type `void`.
// clang: 6:7
// instances: 9:29
template <class T> __device__ int empty()
{
    T a;
    return sizeof(a);
}
__device__ int f() { return empty<void>(); }
