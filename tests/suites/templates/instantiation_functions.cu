// Explicit instantiations of functions, which are emitted though nothing calls them.
template <class T> __device__ T twice(T a) { return a + a; }
template __device__ int twice<int>(int);
template __device__ float twice<>(float);
template __device__ double twice(double);
template <int N> __device__ inline int level() { return N; }
template __device__ int level<2>();
namespace n { template <class T> __device__ void set(T *p) { *p = T(6); } }
template __device__ void n::set<short>(short *);
template __device__ void n::set(unsigned *);

extern "C" __global__ void test(int *out)
{
    out[0] = twice(4);
    n::set(&out[1]);
    out[2] = level<2>();
}
