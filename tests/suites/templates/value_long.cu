// Value parameters of 64 bits: `size_t`, `long`, `long long`.
template <size_t N> __device__ size_t bytes() { return N * sizeof(int); }
template <long N> __device__ int high() { return (int)(N >> 32); }
template <long long N> __device__ int low() { return (int)N; }
template <unsigned long long N> __device__ int top_bit() { return (int)(N >> 63); }

extern "C" __global__ void test(int *out)
{
    out[0] = (int)bytes<3>();
    out[1] = (int)(bytes<0x100000000>() >> 32);
    out[2] = high<-5000000000>();
    out[3] = low<0x1234567890ll>();
    out[4] = top_bit<0xffffffffffffffffull>();
    out[5] = (int)bytes<sizeof(double)>();
    out[6] = low<-1>();
}
