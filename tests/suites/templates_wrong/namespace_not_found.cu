// The namespace has no such template.
// clang: 4:40 4:34
namespace math { template <class T> __device__ T twice(T a) { return a + a; } }
__device__ int f(int i) { return math::thrice<int>(i); }
