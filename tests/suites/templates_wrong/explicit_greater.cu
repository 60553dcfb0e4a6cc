// `>` closes the list.
// clang: 5:29
// better: 5:38 where the operand of the second `>` should be
template <bool B> __device__ int value() { return B; }
__device__ int f() { return value<3 > 2>(); }
