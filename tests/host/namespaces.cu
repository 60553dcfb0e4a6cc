// Host code in nested, inline and anonymous namespaces, with aliases, lambdas of every kind, attributes and a registry of jobs.
//@ launch: polynomial grid=2 block=32
//@ arg: x=f64[40]=random(61, -2, 2)
//@ arg: y=f64[40]
//@ arg: 40
//@ arg: {3, f64={1, -2, 0.5, 0.25}}
//@ launch: prefix_sums grid=2 block=64 shared=512
//@ arg: data=i32[128]=iota
//@ launch: count_words grid=1 block=32
//@ arg: text=i8={97, 98, 32, 99, 10, 10, 100, 101, 102, 9, 32, 120}
//@ arg: 12
//@ arg: counts=u32={0, 0}
//@ expect: counts={4, 2}
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#define DEGREE 3
#define JOB(name) jobs::registry().emplace_back(#name, [=]() mutable -> int { return jobs::run_##name(n); })

struct Polynomial {
    int degree;
    const double *coefficients;
};

namespace jobs {

using Job = std::pair<std::string, std::function<int()>>;

inline std::vector<Job> &registry()
{
    static std::vector<Job> all;
    return all;
}

namespace detail {
namespace {
int n_failed = 0;
struct Guard {
    explicit Guard(const char *job) : job(job) {}
    ~Guard()
    {
        if (auto error = cudaDeviceSynchronize()) {
            ++n_failed;
            std::printf("%s: %s\n", job, cudaGetErrorName(error));
        }
    }
    const char *job;
};
} // namespace

inline namespace v2 {
template <class... Ts>
void release(Ts *...pointers)
{
    const int each[] = {0, (cudaFree(pointers), 0)...};
    (void)each;
}
template <class F, class... Args>
auto timed(F &&f, Args &&...args) -> decltype(f(std::forward<Args>(args)...))
{
    return std::forward<F>(f)(std::forward<Args>(args)...);
}
}
}

} // namespace jobs

namespace jobs::text {
[[nodiscard]] static bool is_blank(char c) { return c == ' ' || c == '\t'; }
enum class Line : short { empty, full };
}

namespace short_name = jobs::text;

__device__ double evaluate(const Polynomial p, double x)
{
    double y = p.coefficients[p.degree];
    for (int k = p.degree - 1; k >= 0; --k)
        y = y * x + p.coefficients[k];
    return y;
}

__global__ void polynomial(const double *x, double *y, int n, Polynomial p)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = evaluate(p, x[i]);
}

__global__ void prefix_sums(int *data)
{
    extern __shared__ int scratch[];
    int *in = scratch, *out = scratch + blockDim.x;
    const int tid = threadIdx.x, at = blockIdx.x * blockDim.x + tid;
    in[tid] = data[at];
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset <<= 1) {
        out[tid] = tid >= offset ? in[tid] + in[tid - offset] : in[tid];
        __syncthreads();
        int *const swapped = in;
        in = out;
        out = swapped;
    }
    data[at] = in[tid];
}

static __device__ int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

__global__ void count_words(const char *text, int n, unsigned int *counts)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (!is_space(text[i]) && (i == 0 || is_space(text[i - 1])))
            atomicInc(&counts[0], 0xffffffff);
        if (text[i] == '\n')
            atomicAdd(counts + 1, 1);
    }
}

namespace jobs {

static int run_polynomial(int n)
{
    const detail::Guard guard{"polynomial"};
    double *x, *y, *coefficients;
    const auto allocate = [n](auto **pointer, int count = 0) { return cudaMalloc(pointer, (count ? count : n) * sizeof **pointer); };
    allocate(&x), allocate(&y), allocate(&coefficients, DEGREE + 1);
    static const double values[DEGREE + 1]{1.0, -2.0, 0.5, 0.25};
    cudaMemcpy(coefficients, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(x, 0, n * sizeof(double));
    polynomial<<<(n + 63) / 64, 64>>>(x, y, n, Polynomial{DEGREE, coefficients});
    detail::release(x, y, coefficients);
    return 0;
}

static int run_text(int)
{
    detail::Guard guard("text");
    static constexpr char sample[] = R"--(one "two" three)
-- ")" four
)--";
    char *text;
    unsigned *counts;
    cudaMallocManaged(&counts, 2 * sizeof(unsigned));
    cudaMalloc(&text, sizeof sample);
    cudaMemcpy(text, sample, sizeof sample - 1, cudaMemcpyHostToDevice);
    counts[0] = counts[1] = 0;
    detail::timed([&](int threads) { count_words<<<1, threads>>>(text, sizeof(sample) - 1, counts); }, 64);
    cudaDeviceSynchronize();
    return short_name::is_blank(sample[3]) ? static_cast<int>(counts[0] - 6) : int(text::Line::full);
}

static int run_scan(int n)
{
    int *data;
    cudaMalloc(&data, n * sizeof(int));
    cudaMemset(data, 1, n * sizeof(int));
    prefix_sums<<<n / 64, 64, 2 * 64 * sizeof(int)>>>(data);
    return cudaFree(data);
}

} // namespace jobs

int main()
{
    int n = 1 << 10;
    JOB(polynomial);
    JOB(scan);
    JOB(text);
    int failures = 0;
    for (auto &[name, job] : jobs::registry())
        if (const int status = job(); status != 0)
            failures += ([&name = name](int s) { return std::printf("%s: %d\n", name.c_str(), s); }(status), 1);
    return failures + jobs::detail::n_failed;
}
