// Managed memory and a queue on the device: threads of the host, atomics, printf of kernels, RAII locks, a small logger, futures.
//@ launch: push_tasks grid=2 block=32
//@ arg: u32[48]=random(1, 1, 100)
//@ arg: 48
//@ arg: ring=u32[64]=zeros
//@ arg: {0, 64, u32:0, u32:0}
//@ arg: slots=u32[48]
//@ launch: collatz grid=2 block=64
//@ arg: u32[100]=random(2, 1, 10000)
//@ arg: 100
//@ arg: steps=u32[100]
//@ arg: histogram=u32[16]=zeros
//@ launch: spin_sum grid=3 block=1
//@ arg: f64={0.5, 0.25, 8}
//@ arg: sum=f64[1]=zeros
//@ expect: sum={8.75}
//@ launch: describe grid=1 block=3
//@ arg: {5, 64, u32:2, u32:7}
//@ printed: queue of 64: 5 waiting, head 2, tail 7
//@ launch: cas_max grid=2 block=32
//@ arg: f32[64]=random(3, -10, 10)
//@ arg: best=f32={-100}
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
typedef unsigned int uint;

struct Queue {
    int n_waiting;
    int capacity;
    uint head, tail;

    Queue() = default;
    bool full() const { return n_waiting == capacity; }
    float load() const { return static_cast<float>(n_waiting) / capacity; }
    explicit operator bool() const { return n_waiting > 0; }
};

enum Level { kDebug, kInfo, kError } static log_level = kInfo;
struct Statistics {
    uint n_done, longest;
} static statistics[2], *current = statistics;

__managed__ int stop_requested;
__device__ uint ring_position;
__device__ int sum_lock = 0;

__device__ static uint next_position(uint capacity)
{
    uint old = atomicAdd(&ring_position, 0u), assumed;
    do {
        assumed = old;
        old = atomicCAS(&ring_position, assumed, (assumed + 1) % capacity);
    } while (old != assumed);
    return old;
}

// Where a task ends up depends on the order, how often slots are used does not.
__global__ void push_tasks(const uint *tasks, int n, uint *ring, Queue queue, uint *slots)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || stop_requested)
        return;
    const uint at = next_position(queue.capacity);
    atomicAdd(&ring[at], 1u);
    slots[i] = tasks[i] * 2 + queue.head;
    if (i == 0) __threadfence_system();
}

__global__ void collatz(const uint *starts, int n, uint *steps, uint *histogram)
{
    __shared__ uint own[16];
    if (threadIdx.x < 16) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned long long x = starts[i];
        uint count = 0;
        while (x != 1) {
            x = x & 1 ? 3 * x + 1 : x >> 1;
            if (++count > 1000) break;
        }
        steps[i] = count;
        atomicInc(&own[min(count / 16, 15u)], 0xffffffffu);
    }
    __syncthreads();
    if (threadIdx.x < 16 && own[threadIdx.x])
        atomicAdd(histogram + threadIdx.x, own[threadIdx.x]);
}

__global__ void spin_sum(const double *values, double *sum)
{
    while (atomicExch(&sum_lock, 1) != 0) {
    }
    __threadfence();
    volatile double *guarded = sum;
    *guarded += values[blockIdx.x];
    __threadfence();
    atomicExch(&sum_lock, 0);
}

__global__ void describe(Queue queue)
{
    if (threadIdx.x == 1)
        printf("queue of %d: %d waiting, head %u, tail %u\n", queue.capacity, queue.n_waiting, queue.head, queue.tail);
}

__global__ void cas_max(const float *values, float *best)
{
    const float value = values[blockIdx.x * blockDim.x + threadIdx.x];
    int *const word = reinterpret_cast<int *>(best);
    int old = *(volatile int *)word;
    while (value > __int_as_float(old)) {
        const int assumed = old;
        if ((old = atomicCAS(word, assumed, __float_as_int(value))) == assumed) break;
    }
}

class Logger {
  public:
    static Logger &instance()
    {
        static Logger logger;
        return logger;
    }
    Logger(const Logger &) = delete;
    void operator()(Level level, const char *format, ...) __attribute__((format(printf, 3, 4)))
    {
        if (level < log_level) return;
        std::lock_guard<std::mutex> guard{mutex_};
        va_list arguments;
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        ++count_;
    }
    ~Logger() { std::fprintf(stderr, "%d messages\n", count_.load()); }

  private:
    Logger() noexcept : count_{0} {}
    std::mutex mutex_;
    std::atomic<int> count_;
};
#define LOG(level, ...) (Logger::instance()((level), __VA_ARGS__))

class Pool {
  public:
    using Task = std::function<void(cudaStream_t)>;
    explicit Pool(unsigned n = std::thread::hardware_concurrency() > 4 ? 4 : 2)
    {
        for (unsigned i = 0; i < n; ++i)
            threads_.emplace_back([this, i]() mutable { work(static_cast<int>(i)); });
    }
    ~Pool()
    {
        {
            std::unique_lock<std::mutex> lock(mutex_);
            is_stopping_ = true;
        }
        changed_.notify_all();
        for (auto &thread : threads_) thread.join();
    }
    template <class F, class R = decltype(std::declval<F>()(cudaStream_t{}))>
    auto submit(F &&f) -> std::future<R>
    {
        auto task = std::make_shared<std::packaged_task<R(cudaStream_t)>>(std::forward<F>(f));
        auto result = task->get_future();
        std::lock_guard<std::mutex> lock(mutex_);
        tasks_.push_back([task](cudaStream_t stream) { (*task)(stream); });
        changed_.notify_one();
        return result;
    }

  private:
    void work(int index);
    std::vector<std::thread> threads_;
    std::deque<Task> tasks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_stopping_ = false;
};

void Pool::work(int index)
{
    cudaStream_t stream;
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -index);
    for (;;) {
        Task task;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            if (!changed_.wait_for(lock, 100ms, [&] { return is_stopping_ || !tasks_.empty(); })) continue;
            if (tasks_.empty()) break;
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task(stream);
        LOG(kDebug, "thread %d is done\n", index);
    }
    cudaStreamDestroy(stream);
}

int main()
{
    Pool pool;
    Queue *queue{};
    uint *tasks, *ring;
    cudaMallocManaged(&queue, sizeof *queue, cudaMemAttachGlobal);
    cudaMallocManaged(&tasks, 3 * 256 * sizeof *tasks);
    cudaMallocManaged(&ring, 64 * sizeof *ring);
    *queue = Queue{};
    queue->capacity = 64;
    std::vector<std::future<cudaError_t>> results;
    for (int i = 0; i < 8; ++i)
        results.push_back(pool.submit([=](cudaStream_t stream) {
            push_tasks<<<8, 32, 0, stream>>>(tasks, 256, ring, *queue, tasks + 256);
            collatz<<<dim3(4), dim3(64), 0, stream>>>(tasks, 256, tasks + 512, ring);
            return cudaStreamSynchronize(stream);
        }));
    for (auto &result : results)
        if (result.wait_for(5s) != std::future_status::ready || result.get() != cudaSuccess) LOG(kError, "no result\n");
    describe<<<1, 3>>>(*queue);
    spin_sum<<<1, 1>>>((double *)tasks, (double *)ring);
    cas_max<<<2, 32>>>((float *)tasks, (float *)ring);
    stop_requested = 1;
    current->n_done += results.size();
    return cudaDeviceSynchronize() || !*queue || queue->full() || queue->load() > 0.5f;
}
