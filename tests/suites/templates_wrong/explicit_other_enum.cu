// An enumerator of another enum.
// clang: 6:34
enum class Op { add, sub };
enum class Mode { fast };
template <Op O> __device__ int apply(int a) { return O == Op::add ? a + 1 : a - 1; }
__device__ int f(int i) { return apply<Mode::fast>(i); }
