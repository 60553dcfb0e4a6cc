// An enumerator of a scoped enum for a number.
// clang: 5:29
enum class Mode { fast = 3 };
template <int N> __device__ int value() { return N; }
__device__ int f() { return value<Mode::fast>(); }
