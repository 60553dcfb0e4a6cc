// A member template is defined twice.
// clang: 7:36
struct S {
    int a;
    template <class T> __device__ T get(T x) { return x; }
};
template <class T> __device__ T S::get(T x) { return x + a; }
