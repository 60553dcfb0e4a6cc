// Text on the device: a hash table with open addressing, unions, packed structs, old-style casts; the host sorts and prints with iomanip.
//@ launch: tokenize grid=1 block=64
//@ arg: text=u8={116, 104, 101, 32, 99, 97, 116, 32, 116, 104, 101, 10, 68, 111, 103, 44, 32, 97, 32, 99, 97, 116, 46}
//@ arg: 23
//@ arg: starts=i32[23]=fill(-1)
//@ launch: insert_words grid=1 block=16
//@ arg: text=u8={116, 104, 101, 32, 99, 97, 116, 32, 116, 104, 101, 10, 68, 111, 103, 44, 32, 97, 32, 99, 97, 116, 46}
//@ arg: i32={0, 4, 8, 12, 17, 19}
//@ arg: i32={3, 3, 3, 3, 1, 3}
//@ arg: 6
//@ arg: counts=u32[64]=zeros
//@ launch: lowercase grid=1 block=8
//@ arg: words=u32={1145394999, 1212501072, 825373492, 1633837924, 1515870810, 0, 1077952576, 1532713819}
//@ arg: 8
//@ launch: pack_records grid=1 block=4
//@ arg: u32={3, 70000, 12, 255}
//@ arg: out=u8[4,7]
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#define TABLE_BITS 6
#define TABLE_SIZE (1 << TABLE_BITS)
#define IS_LETTER(c) (((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z') || (c) == '\'')

#pragma pack(push, 1)
struct Record {
    uint8_t tag;
    uint32_t count;
    uint16_t check;
};
#pragma pack(pop)
static_assert(sizeof(Record) == 7, "as in the file");

union Word {
    uint32_t packed;
    char letters[4];
    struct { uint8_t first, second, third, fourth; } bytes;
};

extern const char *const stop_words[];
const char *const stop_words[] = {"a", "an", "the", "of", nullptr};

static __device__ __noinline__ int is_start(const char *text, int i)
{
    return IS_LETTER(text[i]) && (i == 0 || !IS_LETTER(text[i - 1]));
}

__device__ static unsigned hash_word(const char *word, int length)
{
    unsigned hash = 5381u;
    for (const char *end = word + length; word < end; ++word) hash = hash * 33u ^ (unsigned char)(*word | 0x20);
    return hash;
}

__global__ void tokenize(const char *text, int n, int *starts)
{
    __shared__ int n_words;
    __shared__ int counts[64];
    int mine = 0;
    if (threadIdx.x == 0) n_words = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += is_start(text, i);
    counts[threadIdx.x] = mine;
    __syncthreads();
    // The first words first: every thread counts those before.
    int before = 0;
    for (int t = 0; t < (int)threadIdx.x; t++) before += counts[t];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (is_start(text, i)) starts[before++] = i;
    if (mine) atomicAdd(&n_words, mine);
    __syncthreads();
    if (threadIdx.x == 0) starts[n - 1] = -n_words;
}

__global__ void insert_words(const char *text, const int *starts, const int *lengths, int n, unsigned *counts)
{
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= n) return;
    unsigned hash = hash_word(&text[starts[w]], lengths[w]);
    unsigned slot = (hash * 2654435769u) >> (32 - TABLE_BITS);
    atomicAdd(&counts[slot % TABLE_SIZE], 1u + ((unsigned)lengths[w] << 16));
}

__global__ void lowercase(Word *words, int n)
{
    Word *word = words + threadIdx.x;
    if (threadIdx.x >= n) return;
    for (int k = 0; k < 4; ++k) {
        char *letter = &word->letters[k];
        *letter += *letter >= 'A' && *letter <= 'Z' ? 'a' - 'A' : 0;
    }
    if (word->bytes.first == 0) word->packed = 0x3f3f3f3fu;
}

__global__ void pack_records(const unsigned *counts, Record *out)
{
    Record record;
    record.tag = 'A' + threadIdx.x;
    record.count = counts[threadIdx.x];
    record.check = (uint16_t)(record.count ^ (record.count >> 16));
    out[threadIdx.x] = record;
}

template <class Key, class Value> struct ByValue {
    using Pair = std::pair<const Key, Value>;
    bool operator()(const Pair *a, const Pair *b) const noexcept { return std::tie(b->second, a->first) < std::tie(a->second, b->first); }
};

struct Percent { double value; };
static std::ostream &operator<<(std::ostream &os, Percent percent)
{
    const auto precision = os.precision(1);
    os << std::fixed << percent.value * 100 << '%';
    os.precision(precision);
    return os;
}

static std::string read_all(const char *path)
{
    std::ifstream in(path, std::ios::in | std::ios::binary);
    return {std::istreambuf_iterator<char>{in}, {}};
}

int main(int argc, char **argv)
{
    const std::string text = argc > 1 ? read_all(argv[1]) : R"(It's a "test": the __device__ of the
        <<<host>>> isn't; global__ { ) } '")";
    const std::regex word_pattern{R"([A-Za-z']+)", std::regex::icase};
    std::map<std::string, int> counts;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), word_pattern); it != std::sregex_iterator{}; ++it)
        counts[it->str()]++;
    for (auto stop = stop_words; *stop; ++stop) counts.erase(*stop);

    std::vector<const std::pair<const std::string, int> *> order;
    for (const auto &entry : counts) order.push_back(&entry);
    std::sort(order.begin(), order.end(), ByValue<std::string, int>{});

    const int n = static_cast<int>(text.size());
    auto device_deleter = [](auto *p) { cudaFree(p); };
    std::unique_ptr<char, decltype(device_deleter)> d_text(nullptr, device_deleter);
    std::unique_ptr<int, void (*)(int *)> d_starts{nullptr, [](int *p) { cudaFree(p); }};
    char *raw;
    int *starts;
    cudaMalloc(&raw, n), d_text.reset(raw);
    cudaMalloc(&starts, n * sizeof(int)), d_starts.reset(starts);
    cudaMemcpy(raw, text.c_str(), n, cudaMemcpyHostToDevice);
    tokenize<<<1, 64>>>(d_text.get(), n, d_starts.get());
    insert_words<<<(n + 255) / 256, 256>>>(raw, starts, starts, n / 2, (unsigned *)starts);
    lowercase<<<1, 8>>>((Word *)raw, 8);
    pack_records<<<1, 4>>>((unsigned const *)starts, (Record *)raw);

    const auto total = std::accumulate(order.cbegin(), order.cend(), 0, [](int sum, auto *entry) { return sum + entry->second; });
    std::cout << std::left << std::boolalpha;
    for (const auto *entry : order)
        std::cout << std::setw(20) << std::quoted(entry->first) << std::right << std::setw(6) << entry->second << ' '
                  << Percent{double(entry->second) / total} << std::left << '\n';
    return std::cout.good() ? 0 : '\x01';
}
