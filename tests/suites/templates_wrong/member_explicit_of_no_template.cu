// Template arguments after a member that is none.
// clang: 8:43
struct S {
    int n;
    template <class T> __device__ T size() { return n; }
    __device__ int plain() { return n; }
};
__device__ int f(S s) { return s.template plain<int>(); }
