// `static`, `inline`, `__forceinline__`, `__noinline__`, `__host__ __device__` templates, in any order.
template <class T> static __device__ T internal(T a) { return a + 1; }
template <class T> inline __device__ T inlined(T a) { return a + 2; }
template <class T> __device__ __forceinline__ T forced(T a) { return a + 3; }
template <class T> __noinline__ __device__ T separate(T a) { return a + 4; }
template <class T> __host__ __device__ T both(T a) { return a + 5; }
template <class T> __device__ static inline T mixed(T a) { return a + 6; }
template <int N> __inline__ __device__ int level() { return N; }
template <class T> [[nodiscard]] __device__ T attributed(T a) { return a + 7; }
template <class T> __device__ __attribute__((noinline)) T gnu(T a) { return a + 8; }
template <class T> __device__ T quiet(T a) noexcept { return a + 9; }

extern "C" __global__ void test(int *out)
{
    int a = *out;
    out[0] = internal(a);
    out[1] = inlined(a);
    out[2] = forced(a);
    out[3] = separate(a);
    out[4] = both(a);
    out[5] = mixed(a);
    out[6] = level<7>();
    out[7] = attributed(a);
    out[8] = gnu(a);
    out[9] = quiet(a);
}
