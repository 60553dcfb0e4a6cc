// A number for an enum.
// clang: 5:34
enum class Op { add, sub };
template <Op O> __device__ int apply(int a) { return O == Op::add ? a + 1 : a - 1; }
__device__ int f(int i) { return apply<1>(i); }
