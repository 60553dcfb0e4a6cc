// Pi by random points: <random> on the host, a linear congruential generator on the GPU, constants of both, device globals.
//@ launch: count_points grid=2 block=32
//@ arg: seeds=u64[64]=random(31)
//@ arg: 20
//@ arg: hits=u64={0}
//@ read: n_points
//@ expect: n_points=1280
//@ launch: count_points grid=1 block=32
//@ arg: seeds=u64[32]=iota
//@ arg: 3
//@ arg: hits=u64={5}
//@ set: n_points=u64:1000
//@ expect: n_points=1096
//@ launch: trace_points grid=1 block=2
//@ arg: seeds=u64={1, 42}
//@ arg: 2
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <vector>

constexpr std::uint64_t MULTIPLIER = 6364136223846793005ULL;
constexpr std::uint64_t INCREMENT = 1442695040888963407ULL;
const double PI = 3.14159265358979323846;
static unsigned n_threads = 1 << 14;

__device__ unsigned long long n_points;

__host__ __device__ inline uint64_t advance(uint64_t state) { return state * MULTIPLIER + INCREMENT; }

__device__ static double uniform(uint64_t state)
{
    return (state >> 11) * (1.0 / 9007199254740992.0);
}

__global__ void count_points(uint64_t *seeds, unsigned points, unsigned long long *hits)
{
    __shared__ unsigned block_hits;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        block_hits = 0u;
    __syncthreads();
    uint64_t state = seeds[i];
    unsigned mine = 0;
    for (unsigned k = 0; k < points; k++) {
        state = advance(state);
        const double x = uniform(state);
        state = advance(state);
        const double y = uniform(state);
        mine += x * x + y * y <= 1.0;
    }
    seeds[i] = state;
    atomicAdd(&block_hits, mine);
    __syncthreads();
    if (!threadIdx.x) {
        atomicAdd(hits, (unsigned long long)block_hits);
        atomicAdd(&n_points, (unsigned long long)points * blockDim.x);
    }
}

__global__ void trace_points(const uint64_t *seeds, unsigned points)
{
    if (threadIdx.x != 0)
        return;
    for (unsigned thread = 0; thread < blockDim.x; thread++) {
        uint64_t state = seeds[thread];
        for (unsigned k = 0; k < points; k++) {
            state = advance(state);
            printf("%u.%u: %.17g (%llx)\n", thread, k, uniform(state), (unsigned long long)state);
        }
    }
}

class SeedSource {
    std::mt19937_64 engine;
    std::uniform_int_distribution<std::uint64_t> distribution;

  public:
    explicit SeedSource(std::random_device::result_type seed) : engine(seed), distribution(1, UINT64_MAX) {}
    std::uint64_t operator()() { return distribution(engine); }
    std::vector<std::uint64_t> many(std::size_t n)
    {
        std::vector<std::uint64_t> seeds(n);
        for (auto &&seed : seeds)
            seed = (*this)();
        return seeds;
    }
};

static double reference(unsigned long n, unsigned seed)
{
    std::default_random_engine engine(seed);
    std::uniform_real_distribution<> unit;
    unsigned long inside = 0;
    for (unsigned long i = 0; i < n; ++i) {
        const double x = unit(engine), y = unit(engine);
        if (x * x + y * y <= 1.0)
            ++inside;
    }
    return 4.0 * inside / n;
}

int main(int argc, char **argv)
{
    const unsigned points = argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 1'000;
    const std::vector<std::uint64_t> seeds = SeedSource{std::random_device{}()}.many(n_threads);
    std::uint64_t *d_seeds;
    unsigned long long *d_hits, hits = 0, all = 0;
    cudaMalloc(&d_seeds, sizeof(std::uint64_t) * seeds.size());
    cudaMalloc(&d_hits, sizeof hits);
    cudaMemcpy(d_seeds, seeds.data(), sizeof(std::uint64_t) * seeds.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_hits, &hits, sizeof hits, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(n_points, &all, sizeof all);
    trace_points<<<1, 2>>>(d_seeds, 2);
    count_points<<<n_threads / 128, 128>>>(d_seeds, points, d_hits);
    cudaMemcpy(&hits, d_hits, sizeof hits, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&all, n_points, sizeof(all), 0, cudaMemcpyDeviceToHost);
    const double pi = 4.0 * hits / all;
    std::cout.precision(10);
    std::cout << "GPU " << pi << " (error " << pi - PI << "), CPU " << reference(100'000, 7) << '\n';
    return cudaGetLastError() != cudaSuccess;
}
