// The struct has no such type.
// clang: 7:17 7:5
// instances: 10:32
struct S { int type; };
template <class T> __device__ int f_of(T)
{
    typename T::type a = 3;
    return a;
}
__device__ int f(S s) { return f_of(s); }
