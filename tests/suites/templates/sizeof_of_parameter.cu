// `sizeof`, `alignof`, `static_assert` and conditions of parameters.
struct alignas(16) Wide { char c; };
template <class T> __device__ int layout() { return (int)(sizeof(T) * 100 + alignof(T)); }
template <class T, int N> __device__ int bytes()
{
    static_assert(N > 0, "at least one");
    static_assert(sizeof(T) <= 16, "small");
    T a[N];
    return (int)sizeof(a) + (int)sizeof a[0];
}
template <class T> __device__ int lanes() { return sizeof(T) == 2 ? 8 : sizeof(T) == 4 ? 4 : 2; }
template <class T> __device__ int is_signed() { return T(-1) < T(1); }

extern "C" __global__ void test(int *out)
{
    out[0] = layout<char>();
    out[1] = layout<float4>();
    out[2] = layout<Wide>();
    out[3] = layout<int[3]>();
    out[4] = layout<double &>();
    out[5] = bytes<int, 5>();
    out[6] = bytes<float2, 2>();
    out[7] = lanes<short>() * 100 + lanes<float>() * 10 + lanes<double>();
    out[8] = is_signed<int>() * 10 + is_signed<unsigned>();
}
