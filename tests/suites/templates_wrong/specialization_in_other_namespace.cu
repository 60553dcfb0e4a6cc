// A specialization in a namespace that does not enclose the template's.
// clang: 4:45
namespace a { template <class T> __device__ T twice(T v) { return v + v; } }
namespace b { template <> __device__ int a::twice<int>(int v) { return v * 2; } }
