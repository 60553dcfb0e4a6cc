// `typename` is missing.
// clang: 6:5
struct S { typedef int type; };
template <class T> __device__ int f_of(T)
{
    T::type a = 3;
    return a;
}
__device__ int f(S s) { return f_of(s); }
