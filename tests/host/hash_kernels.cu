// Hashes of 32 bits: `using namespace std`, types of <cstdint>, std::min and std::max in device code, bit tricks, digests as text.
//@ args: --expt-relaxed-constexpr
//@ launch: hash_blocks grid=2 block=32
//@ arg: data=u8[200]=random(81)
//@ arg: length=200
//@ arg: chunk=7
//@ arg: digests=u32[29]
//@ arg: u32:0x9747b28c
//@ launch: checksums grid=1 block=64
//@ arg: data=u8={49, 50, 51, 52, 53, 54, 55, 56, 57}
//@ arg: 9
//@ arg: sums=u32={0, 0, 4294967295, 0}
//@ expect: sums={3421780262, 57, 49, 9}
//@ launch: make_table grid=1 block=256
//@ read: crc_table
//@ launch: bloom_insert grid=1 block=32
//@ arg: keys=u32={1, 2, 3, 42, 1000000}
//@ arg: 5
//@ arg: filter=u32={0, 0, 0, 0}
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace std;
using std::uint32_t;

#define ROTL32(x, r) (((x) << (r)) | ((x) >> (32 - (r))))

constexpr uint32_t POLYNOMIAL = 0xEDB88320u;
const uint32_t SEED{0x9747b28c};
constexpr size_t MAX_CHUNK = 64;
__device__ uint32_t crc_table[256];

static __device__ uint32_t load_word(const uint8_t *p, uint32_t n)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < min(n, uint32_t(4)); i++)
        word |= uint32_t{p[i]} << (8 * i);
    return word;
}

__device__ static uint32_t murmur3(const uint8_t *data, uint32_t length, uint32_t seed)
{
    uint32_t h = seed;
    for (uint32_t at = 0; at < length; at += 4) {
        uint32_t k = load_word(data + at, length - at);
        k *= 0xcc9e2d51;
        k = ROTL32(k, 15);
        k *= 0x1b873593;
        h ^= k;
        if (length - at >= 4)
            h = ROTL32(h, 13) * 5 + 0xe6546b64;
    }
    h ^= length;
    h ^= h >> 16;
    h *= 0x85ebca6bU;
    h ^= h >> 13;
    h *= 0xc2b2ae35U;
    return h ^ h >> 16;
}

__global__ void hash_blocks(const uint8_t *data, uint32_t length, uint32_t chunk, uint32_t *digests, uint32_t seed)
{
    chunk = std::min<uint32_t>(chunk, MAX_CHUNK);
    const uint32_t chunks = (length + chunk - 1) / chunk;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < chunks; i += gridDim.x * blockDim.x) {
        const uint32_t first = i * chunk;
        digests[i] = murmur3(data + first, std::min(chunk, length - first), seed);
    }
}

static __device__ uint32_t crc_step(uint32_t crc)
{
    for (int bit = 0; bit < 8; bit++)
        crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
    return crc;
}

__global__ void make_table()
{
    crc_table[threadIdx.x] = crc_step(threadIdx.x);
}

// The CRC, the largest and the smallest byte, and the length.
__global__ void checksums(const unsigned char *data, int length, uint32_t *sums)
{
    if (threadIdx.x == 0) {
        uint32_t crc = ~uint32_t(0);
        for (int i = 0; i < length; ++i)
            crc = crc >> 8 ^ crc_step((crc ^ data[i]) & 0xff);
        sums[0] = ~crc;
        sums[3] = std::max(length, 0);
    } else if (threadIdx.x == 32) {
        uint32_t low = UINT32_MAX, high = 0;
        for (int i = 0; i < length; ++i) {
            low = std::min<uint32_t>(low, data[i]);
            high = std::max(high, static_cast<uint32_t>(data[i]));
        }
        sums[1] = high;
        sums[2] = low;
    }
}

__global__ void bloom_insert(const std::uint32_t *keys, std::uint32_t n, std::uint32_t *filter)
{
    const auto i = threadIdx.x;
    if (i >= n)
        return;
    uint64_t h = keys[i];
    for (int k = 0; k < 3; ++k) {
        h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ull + 0x9e3779b97f4a7c15ull;
        const auto bit = static_cast<uint32_t>(h >> 40) & 127u;
        atomicOr(filter + bit / 32, 1u << bit % 32);
    }
}

template <class Container>
static string hex(const Container &digests)
{
    string text;
    text.reserve(8 * digests.size());
    for (auto digest : digests) {
        char word[9];
        snprintf(word, sizeof(word), "%08x", digest);
        text += word;
    }
    return text;
}

int main(int argc, char *argv[])
{
    string text = "The quick brown fox jumps over the lazy dog"s;
    for (int i = 1; i < argc; i++)
        (text += ' ') += argv[i];
    const uint32_t chunk = 16, chunks = (text.size() + chunk - 1) / chunk;
    vector<uint32_t> digests(chunks), sums{0, 0, UINT32_MAX, 0};
    uint8_t *data;
    uint32_t *out;
    cudaMalloc(&data, text.length());
    cudaMalloc(&out, max(chunks, 4u) * sizeof(uint32_t));
    cudaMemcpy(data, text.c_str(), text.size(), cudaMemcpyHostToDevice);
    make_table<<<1, 256>>>();
    hash_blocks<<<1, 32>>>(data, text.size(), chunk, out, SEED);
    cudaMemcpy(digests.data(), out, chunks * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    bloom_insert<<<1, 32>>>(out, chunks, out);
    checksums<<<1, 64>>>(data, text.size(), out);
    cudaMemcpy(&sums.front(), out, 4 * sizeof sums[0], cudaMemcpyDeviceToHost);
    sort(begin(digests), end(digests), [](auto a, auto b) { return a > b; });
    printf("%s\n%s\n", hex(digests).data(), hex(sums).c_str());
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
