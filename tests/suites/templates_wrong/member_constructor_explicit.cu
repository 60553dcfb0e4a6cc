// An explicit constructor template does not convert.
// clang: 9:29
// better: 9:31 the argument
struct S {
    int n;
    template <class T> __device__ explicit S(T x) : n(x) {}
};
__device__ int g(S s) { return s.n; }
__device__ int f() { return g(1); }
