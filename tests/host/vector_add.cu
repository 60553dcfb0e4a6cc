// Vector addition as it is found in tutorials: error macro, RAII buffers, a timer, argument parsing.
//@ launch: add grid=1 block=256
//@ arg: a=f32[100]=iota
//@ arg: b=f32[100]=random(1)
//@ arg: c=f32[100]
//@ arg: {100, 1, f32:2}
//@ launch: add grid=2 block=256
//@ arg: a=f32[300]=iota
//@ arg: b=f32[300]=fill(0.5)
//@ arg: c=f32[300]
//@ arg: {300, 0, f32:2}
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                             \
    do {                                                                                        \
        cudaError_t status = (call);                                                            \
        if (status != cudaSuccess) {                                                            \
            std::cerr << __FILE__ << ':' << __LINE__ << ": " << cudaGetErrorString(status) << '\n'; \
            std::exit(EXIT_FAILURE);                                                            \
        }                                                                                       \
    } while (0)

namespace util {

class Timer {
  public:
    using clock = std::chrono::steady_clock;
    Timer() : start_(clock::now()), name_{"timer"} {}
    explicit Timer(std::string name) : start_(clock::now()), name_{std::move(name)} {}
    ~Timer() { std::cout << name_ << ": " << elapsed() << " ms\n"; }
    double elapsed() const
    {
        return std::chrono::duration<double, std::milli>(clock::now() - start_).count();
    }

  private:
    clock::time_point start_;
    std::string name_;
};

template <typename T, typename Deleter = void (*)(T *)>
std::unique_ptr<T, Deleter> own(T *p, Deleter d) { return std::unique_ptr<T, Deleter>(p, d); }

} // namespace util

constexpr int BLOCK = 256;
static const float TOLERANCE = 1e-5f;
static int verbosity = 1;
static std::vector<std::string> arguments{"a", "b"};
enum Mode { SERIAL, PARALLEL };

struct Options {
    int n;
    Mode mode;
    float scale;
    void print() const { std::printf("%d %d %f\n", n, mode, scale); }
};

template <typename T>
class DeviceBuffer {
  public:
    explicit DeviceBuffer(std::size_t n) : n_(n) { CHECK(cudaMalloc(&data_, n * sizeof(T))); }
    DeviceBuffer(const DeviceBuffer &) = delete;
    DeviceBuffer &operator=(const DeviceBuffer &) = delete;
    ~DeviceBuffer() { cudaFree(data_); }
    T *get() const noexcept { return data_; }

  private:
    T *data_ = nullptr;
    std::size_t n_;
};

static void usage(const char *name)
{
    std::fprintf(stderr, R"(usage: %s [n]
  adds vectors of n elements; "n" defaults to 1'000'000
)", name);
}

__device__ float scaled(float x, Options options) { return options.mode == PARALLEL ? x * options.scale : x; }

__global__ void add(const float *a, const float *b, float *c, Options options)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < options.n)
        c[i] = scaled(a[i] + b[i], options) + TOLERANCE;
}

std::vector<float> reference(const std::vector<float> &a, const std::vector<float> &b)
{
    std::vector<float> c(a.size());
    std::transform(a.begin(), a.end(), b.begin(), c.begin(), [](float x, float y) { return x + y; });
    return c;
}

auto largest(std::vector<float> const &v) -> float { return *std::max_element(v.begin(), v.end()); }

int main(int argc, char *argv[]) try {
    if (argc > 2) {
        usage(argv[0]);
        return 1;
    }
    const int n = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
    std::vector<float> a(n, 1.0f), b(n, 2.0f), c(n);
    DeviceBuffer<float> da(n), db(n), dc(n);
    CHECK(cudaMemcpy(da.get(), a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db.get(), b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    Options options{n, PARALLEL, 2.0f};
    {
        util::Timer timer("add");
        dim3 grid((n + BLOCK - 1) / BLOCK);
        add<<<grid, BLOCK, 0, nullptr>>>(da.get(), db.get(), dc.get(), options);
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMemcpy(c.data(), dc.get(), n * sizeof(float), cudaMemcpyDeviceToHost));
    std::cout << largest(c) << std::endl;
    return 0;
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
