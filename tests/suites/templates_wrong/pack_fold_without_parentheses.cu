// A fold without parentheses.
// clang: 4:59
// better: 4:63 `...`, which is where an operand should be
template <class... T> __device__ int sum(T... a) { return a + ...; }
__device__ int f(int i) { return sum(i, i); }
