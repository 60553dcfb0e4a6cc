// No member template takes the argument.
// clang: 6:33
struct S {
    template <class T> __device__ T get(T *x) { return *x; }
};
__device__ int f() { return S().get(1); }
