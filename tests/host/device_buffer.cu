// Owners of memory, streams and events: templates with moves, deleted copies, assignments and specializations, of the host alone.
//@ launch: saxpy grid=2 block=64
//@ arg: x=f32[100]=random(51)
//@ arg: y=f32[100]=random(52)
//@ arg: f32:2.5
//@ arg: 100
//@ launch: iota grid=1 block=64
//@ arg: out=i32[50]
//@ arg: {-5, 3, 50}
//@ launch: gather grid=1 block=32
//@ arg: out=f64[8]
//@ arg: in=f64[8]=iota
//@ arg: index=i32={7, 0, 3, 3, -1, 8, 2, 1}
//@ arg: 8
//@ expect: out={7, 0, 3, 3, -1, -1, 2, 1}
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gpu {

class Error : public std::runtime_error {
  public:
    Error(cudaError_t code, const std::string &what)
        : std::runtime_error(what + ": " + cudaGetErrorString(code)), code_(code)
    {
    }
    cudaError_t code() const noexcept { return code_; }

  private:
    cudaError_t code_;
};

inline void check(cudaError_t code, const char *what)
{
    if (code != cudaSuccess)
        throw Error(code, what);
}

struct uninitialized_t {};
constexpr uninitialized_t uninitialized{};

template <typename T>
class DeviceBuffer {
  public:
    using value_type = T;
    using pointer = T *;
    DeviceBuffer() noexcept = default;
    explicit DeviceBuffer(std::size_t size, uninitialized_t = uninitialized) : size_(size)
    {
        if (size > 0)
            check(cudaMalloc(reinterpret_cast<void **>(&data_), bytes()), "cudaMalloc");
    }
    DeviceBuffer(std::initializer_list<T> values) : DeviceBuffer(std::vector<T>(values)) {}
    explicit DeviceBuffer(const std::vector<T> &values) : DeviceBuffer(values.size()) { *this = values; }
    DeviceBuffer(const DeviceBuffer &) = delete;
    DeviceBuffer &operator=(const DeviceBuffer &) = delete;
    DeviceBuffer(DeviceBuffer &&other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    DeviceBuffer &operator=(DeviceBuffer &&other) noexcept
    {
        if (this != &other) {
            reset();
            std::swap(data_, other.data_);
            std::swap(size_, other.size_);
        }
        return *this;
    }
    DeviceBuffer &operator=(const std::vector<T> &values)
    {
        if (values.size() != size_)
            throw std::length_error("DeviceBuffer");
        check(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
        return *this;
    }
    ~DeviceBuffer() { reset(); }

    operator std::vector<T>() const
    {
        std::vector<T> values(size_);
        check(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return values;
    }
    pointer get() noexcept { return data_; }
    const T *get() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t bytes() const noexcept { return size_ * sizeof(T); }
    friend void swap(DeviceBuffer &a, DeviceBuffer &b) noexcept
    {
        std::swap(a.data_, b.data_);
        std::swap(a.size_, b.size_);
    }

  private:
    void reset() noexcept
    {
        if (data_)
            cudaFree(data_);
        data_ = nullptr;
        size_ = 0;
    }
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

// No vector of bits.
template <>
class DeviceBuffer<bool>;

struct StreamDeleter {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
};
using Stream = std::unique_ptr<std::remove_pointer<cudaStream_t>::type, StreamDeleter>;

static Stream make_stream()
{
    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    return Stream(stream);
}

} // namespace gpu

struct Progression {
    int first, step, n;
};

__global__ void saxpy(const float *x, float *y, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

__global__ void iota(int *out, Progression p)
{
    if (threadIdx.x < p.n)
        out[threadIdx.x] = p.first + (int)threadIdx.x * p.step;
}

__global__ void gather(double *out, const double *in, const int *index, int n)
{
    const int i = threadIdx.x;
    if (i < n)
        out[i] = index[i] >= 0 && index[i] < n ? __ldg(in + index[i]) : -1.0;
}

template class gpu::DeviceBuffer<float>;
using gpu::DeviceBuffer;

int main()
{
    try {
        const gpu::Stream stream = gpu::make_stream();
        DeviceBuffer<float> x(std::vector<float>(1000, 1.0f)), y{std::vector<float>(1000, 2.0f)};
        DeviceBuffer<float> moved = std::move(x);
        saxpy<<<8, 128, 0, stream.get()>>>(moved.get(), y.get(), 0.5f, static_cast<int>(moved.size()));
        DeviceBuffer<int> numbers(8);
        iota<<<1, 32>>>(numbers.get(), {7, -1, 8});
        DeviceBuffer<double> from{0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}, to(from.size());
        gather<<<1, 32>>>(to.get(), from.get(), numbers.get(), 8);
        gpu::check(cudaGetLastError(), "launch");
        const std::vector<double> reversed = to;
        std::printf("%g %g\n", reversed.front(), static_cast<std::vector<float>>(y)[3]);
    } catch (const gpu::Error &error) {
        std::fprintf(stderr, "%s (%d)\n", error.what(), int(error.code()));
        return 1;
    }
}
