// A member template is declared twice.
// clang: 5:37
struct S {
    template <class T> __device__ T get(T x) { return x; }
    template <class U> __device__ U get(U y) { return y; }
};
