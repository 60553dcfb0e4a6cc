// A private member template is called from outside.
// clang: 6:34
class S {
    template <class T> __device__ T get(T x) { return x; }
};
__device__ int f(S s) { return s.get(1); }
