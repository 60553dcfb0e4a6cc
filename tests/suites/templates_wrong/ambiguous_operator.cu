// Two templates of an operator fit equally well.
// clang: 6:32 6:30 6:34
struct V { int x; };
template <class T> __device__ V operator*(V a, T b) { return {a.x * (int)b.x}; }
template <class T> __device__ V operator*(T a, V b) { return {(int)a.x * b.x}; }
__device__ V f(V v) { return v * v; }
