// Specializations of a namespace's template, inside and outside of it; with qualifiers of their own.
namespace math {
template <class T> __device__ T zero() { return T(1); }
template <> __device__ inline int zero<int>() { return 10; }
template <class T> __device__ int kind(T) { return 1; }
namespace detail { template <int N> __device__ int level() { return N; } }
}
template <> __device__ float math::zero<float>() { return 2.5f; }
template <> __device__ __noinline__ int math::kind(double) { return 2; }
template <> __device__ __forceinline__ int math::detail::level<3>() { return 33; }

extern "C" __global__ void test(int *out)
{
    out[0] = math::zero<int>();
    out[1] = (int)(math::zero<float>() * 10);
    out[2] = math::zero<short>();
    out[3] = math::kind(1.0);
    out[4] = math::kind(1.0f);
    out[5] = math::detail::level<3>();
    out[6] = math::detail::level<4>();
}
