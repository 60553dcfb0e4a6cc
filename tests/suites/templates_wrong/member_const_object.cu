// A member template that is not const is called for a const object.
// clang: 7:41
struct S {
    int n;
    template <class T> __device__ T get(T x) { return x + n; }
};
__device__ int f(const S &s) { return s.get(1); }
