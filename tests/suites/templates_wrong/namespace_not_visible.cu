// The template is in a namespace, and no argument leads there.
// clang: 4:34
namespace math { template <class T> __device__ T twice(T a) { return a + a; } }
__device__ int f(int i) { return twice(i); }
