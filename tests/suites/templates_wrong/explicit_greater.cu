// `>` closes the list.
// clang: 4:29
template <bool B> __device__ int value() { return B; }
__device__ int f() { return value<3 > 2>(); }
