// The definition outside of the class is that of no member template.
// clang: 7:36
struct S {
    int a;
    template <class T> __device__ T get(T x);
};
template <class T> __device__ T S::get(T *x) { return *x + a; }
