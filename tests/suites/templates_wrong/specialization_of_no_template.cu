// There is no template of the name.
// clang: 3:28
template <> __device__ int twice<int>(int a) { return a + a; }
