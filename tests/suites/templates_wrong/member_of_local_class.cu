// A class in a function has no member templates.
// clang: 7:9
// better: 7:41 the name of the template
__device__ int f()
{
    struct Local {
        template <class T> __device__ T get(T x) { return x; }
    };
    return Local().get(1);
}
