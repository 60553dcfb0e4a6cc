// Bitonic and radix sort: keys and values, directions as bool arguments, a struct of device pointers.
#include <cstdint>
#include <vector>
#include <limits>
template <typename K, typename V> struct Pairs {
    K *keys;
    V *values;
};
struct Buffers {
    uint32_t *keys, *keys_alt;
    float *values, *values_alt;
    unsigned *histogram;
    size_t n;
};
template <typename K, bool ASCENDING> __global__ void bitonic(K *keys, unsigned j, unsigned k)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other > i && ((keys[i] > keys[other]) == (((i & k) == 0) == ASCENDING))) {
        K t = keys[i];
        keys[i] = keys[other];
        keys[other] = t;
    }
}
template <int BITS, typename K> __global__ void count_digits(const K *keys, unsigned *histogram, size_t n, int shift)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&histogram[(keys[i] >> shift) & ((1 << BITS) - 1)], 1u);
}
template <int BITS, typename K, typename V>
__global__ void scatter(const K *keys, const V *values, K *keys_out, V *values_out, unsigned *offsets, size_t n, int shift)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned at = atomicAdd(&offsets[(keys[i] >> shift) & ((1 << BITS) - 1)], 1u);
    keys_out[at] = keys[i];
    values_out[at] = values[i];
}
class RadixSorter {
    static constexpr int kBits = 8;
    Buffers buffers;
    cudaStream_t stream;
    std::vector<unsigned> host_histogram;
public:
    explicit RadixSorter(size_t n) : host_histogram(1 << kBits) { buffers.n = n; }
    ~RadixSorter() { cudaFree(buffers.keys); }
    void sort()
    {
        for (int shift = 0; shift < std::numeric_limits<uint32_t>::digits; shift += kBits) {
            count_digits<kBits><<<64, 256, 0, stream>>>(buffers.keys, buffers.histogram, buffers.n, shift);
            scatter<kBits><<<64, 256, 0, stream>>>(buffers.keys, buffers.values, buffers.keys_alt, buffers.values_alt,
                                                   buffers.histogram, buffers.n, shift);
        }
    }
};
template <typename K> void bitonic_sort(K *d_keys, unsigned n, bool ascending)
{
    for (unsigned k = 2; k <= n; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            if (ascending) bitonic<K, true><<<n / 256, 256>>>(d_keys, j, k);
            else bitonic<K, false><<<n / 256, 256>>>(d_keys, j, k);
        }
}
int main()
{
    RadixSorter sorter(1 << 16);
    sorter.sort();
    Buffers &b = *new Buffers();
    bitonic_sort(b.values, 1024u, true);
    uint64_t *wide = 0;
    bitonic_sort<uint64_t>(wide, 1024, false);
    return 0;
}
