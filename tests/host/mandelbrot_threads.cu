// Threads, futures and files of the host around two kernels; macros that hide whole functions; __CUDA_ARCH__ and __CUDACC__.
//@ launch: escape_times grid=2,2 block=16,4
//@ arg: out=u16[8,24]
//@ arg: 24
//@ arg: 8
//@ arg: {f64:-2, f64:-1.25, f64:0.5, f64:1.25}
//@ arg: 200
//@ launch: colorize grid=1 block=64
//@ arg: u16[60]=random(1, 0, 200)
//@ arg: out=u8[60,4]
//@ arg: 60
//@ arg: 180
#include <array>
#include <atomic>
#include <cassert>
#include <complex>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <queue>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#ifdef __CUDACC__
#define HD __host__ __device__
#define GLOBAL __global__
#else
#define HD
#define GLOBAL
#endif

#ifdef __CUDA_ARCH__
#define CLAMP(x, lo, hi) min(max((x), (lo)), (hi))
#if __CUDA_ARCH__ < 350
#error "too old"
#endif
#else
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))
#endif

typedef struct View {
    double left, bottom, right, top;
} View;

#define DEFINE_MIX(NAME, TYPE)                                    \
    HD static inline TYPE NAME(TYPE a, TYPE b, TYPE t)            \
    {                                                             \
        return a + (b - a) * t;                                   \
    }
#define DEFINE_GETTER(type, name)                                 \
    type get_##name() const { return name##_; }                   \
    void set_##name(const type &value) { name##_ = value; }
#define DEFINE_MAIN(...)                                          \
    int main(int argc, char **argv)                               \
    {                                                             \
        (void)argc, (void)argv;                                   \
        __VA_ARGS__                                               \
        return 0;                                                 \
    }
#define FOR_CHANNELS(DO) DO(x, 3, 1) DO(y, 5, 7) DO(z, 11, 13)

DEFINE_MIX(mix, double)
DEFINE_MIX(mixf, float)

HD static int escape_time(double cr, double ci, int limit)
{
    double zr = 0.0, zi = 0.0;
    int n;
    for (n = 0; n < limit && zr * zr + zi * zi < 4.0; n++) {
        double t = zr * zr - zi * zi + cr;
        zi = 2.0 * zr * zi + ci;
        zr = t;
    }
#if defined(__CUDA_ARCH__)
    return n;
#else
    static thread_local std::uint64_t total = 0;
    total += n;
    return static_cast<int>(std::min<std::uint64_t>(total, n));
#endif
}

GLOBAL void escape_times(unsigned short *out, int width, int height, View view, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px < width && py < height) {
        double x = mix(view.left, view.right, px / (double)width);
        double y = mix(view.bottom, view.top, py / (double)height);
        out[py * width + px] = (unsigned short)CLAMP(escape_time(x, y, limit), 0, 65535);
    }
}

GLOBAL void colorize(const unsigned short *__restrict__ times, uchar4 *out, int n, int limit)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;
    if (i >= n) return;
    int t = CLAMP((int)times[i], 0, limit);
    uchar4 color = make_uchar4(0, 0, 0, 255);
#define CHANNEL(c, factor, shift) color.c = t == limit ? 0 : (unsigned char)((t * factor) >> (shift % 3));
    FOR_CHANNELS(CHANNEL)
#undef CHANNEL
    out[i] = color;
}

template <typename Task> class WorkQueue {
  public:
    void push(Task task)
    {
        {
            std::lock_guard<std::mutex> guard(mutex_);
            tasks_.emplace(std::move(task));
        }
        ready_.notify_one();
    }
    bool pop(Task &task)
    {
        std::unique_lock lock{mutex_};
        ready_.wait(lock, [this] { return !tasks_.empty() || closed_.load(std::memory_order_acquire); });
        if (tasks_.empty()) return false;
        task = std::move(tasks_.front());
        tasks_.pop();
        return true;
    }
    void close() { closed_ = true, ready_.notify_all(); }

  private:
    std::queue<Task> tasks_;
    std::mutex mutex_;
    std::condition_variable ready_;
    std::atomic<bool> closed_{false};
};

class Image {
  public:
    Image(int width, int height) : width_{width}, height_(height), pixels_(std::size_t(width) * height, uchar4{0, 0, 0, 0}) {}
    DEFINE_GETTER(int, width)
    DEFINE_GETTER(std::string, title)
    uchar4 *data() { return pixels_.data(); }
    void write(const std::filesystem::path &path) const
    {
        std::ofstream file(path, std::ios::binary);
        if (!file) throw std::filesystem::filesystem_error("cannot write", path, std::error_code(errno, std::generic_category()));
        file << "P6\n# " << title_ << '\n' << width_ << ' ' << height_ << "\n255\n";
        for (const auto &[r, g, b, a] : pixels_) file.put(r).put(g).put(b);
    }
    Image &operator|=(const Image &other) &;
    uchar4 operator[](std::pair<int, int> at) const { return pixels_[at.second * width_ + at.first]; }

  private:
    int width_, height_;
    std::string title_ = "untitled";
    std::vector<uchar4> pixels_;
};

Image &Image::operator|=(const Image &other) &
{
    for (std::size_t i = 0; i < pixels_.size(); i++) pixels_[i].x |= other.pixels_[i].x;
    return *this;
}

static void render(Image &image, View view, int height, int limit)
{
    unsigned short *times;
    uchar4 *colors;
    int width = image.get_width(), n = width * height;
    cudaMalloc(&times, n * sizeof(*times));
    cudaMalloc(&colors, n * sizeof(*colors));
    dim3 block(16, 4), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    escape_times<<<grid, block, 0, cudaStreamPerThread>>>(times, width, height, view, limit);
    colorize<<<(n + 63) / 64, 64, 0, cudaStreamPerThread>>>(times, colors, n, limit);
    cudaMemcpyAsync(image.data(), colors, n * sizeof(uchar4), cudaMemcpyDeviceToHost, cudaStreamPerThread);
    cudaStreamSynchronize(cudaStreamPerThread);
    cudaFree(times), cudaFree(colors);
}

DEFINE_MAIN({
    WorkQueue<std::pair<int, View>> queue;
    std::array<std::thread, 4> workers;
    for (auto &worker : workers)
        worker = std::thread([&queue]() mutable {
            std::pair<int, View> frame;
            while (queue.pop(frame)) {
                Image image(640, 480);
                std::ostringstream name;
                name << "frame" << std::setfill('0') << std::setw(4) << frame.first << ".ppm";
                image.set_title(name.str());
                render(image, frame.second, 480, 1000);
                image.write(name.str());
            }
        });
    for (int i = 0; i < 100; i++) queue.push({i, View{-2.0 + i * 0.01, -1.25, 0.5, 1.25}});
    queue.close();
    for (auto &worker : workers) worker.join();
    auto checked = std::async(std::launch::async, [] { return escape_time(0.3, 0.5, 100); });
    std::complex<double> c(0.3, 0.5);
    std::cout << checked.get() << ' ' << std::abs(c) << ' ' << mixf(1.f, 2.f, .5f) << std::endl;
})
