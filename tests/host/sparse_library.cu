// A numerical library behind an interface of C: opaque handles, status codes, extern "C", workspace queries, conjugate gradients.
//@ launch: csr_gemv_kernel grid=2 block=64
//@ arg: 3
//@ arg: i32={0, 2, 3, 6}
//@ arg: i32={0, 2, 1, 0, 1, 2}
//@ arg: f64={2, -1, 4, 0.5, 1, 3}
//@ arg: f64={1, 2, 3}
//@ arg: f64:2
//@ arg: f64:10
//@ arg: y=f64={1, 1, 1}
//@ expect: y={8, 26, 33}
//@ launch: axpby_kernel grid=2 block=32
//@ arg: 50
//@ arg: f64:0.5
//@ arg: f64[50]=iota
//@ arg: f64:-1
//@ arg: y=f64[50]=ones
//@ launch: dot_kernel grid=2 block=64
//@ arg: 100
//@ arg: f64[100]=iota
//@ arg: f64[100]=fill(2)
//@ arg: partial=f64[2]
//@ expect: partial={4032, 5868}
//@ launch: jacobi_kernel grid=1 block=32
//@ arg: 3
//@ arg: i32={0, 2, 3, 6}
//@ arg: i32={0, 2, 1, 0, 1, 2}
//@ arg: f64={2, -1, 4, 0.5, 1, 0}
//@ arg: inverse=f64[3]
//@ arg: status=i32[1]=zeros
//@ expect: inverse={0.5, 0.25, 1}
//@ expect: status={3}
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <new>

#if defined(_WIN32) && defined(SL_SHARED)
#define SL_API __declspec(dllexport)
#elif defined(__GNUC__)
#define SL_API __attribute__((visibility("default")))
#else
#define SL_API
#endif

#define SL_VERSION_MAJOR 2
#define SL_VERSION_MINOR 1
#define SL_VERSION (SL_VERSION_MAJOR * 1000 + SL_VERSION_MINOR)
#define SL_STRING_(x) #x
#define SL_STRING(x) SL_STRING_(x)

#define SL_TRY(call)                          \
    do {                                      \
        const slStatus_t status_ = (call);    \
        if (status_ != SL_SUCCESS) return status_; \
    } while (0)
#define SL_CUDA(call) \
    if ((call) != cudaSuccess) return SL_CUDA_ERROR
#define SL_CHECK_LAUNCH(handle) \
    ((handle)->last = cudaPeekAtLastError(), (handle)->last == cudaSuccess ? SL_SUCCESS : SL_LAUNCH_FAILED)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    SL_SUCCESS = 0,
    SL_NOT_INITIALIZED = 1,
    SL_INVALID_VALUE = 2,
    SL_CUDA_ERROR = 10,
    SL_LAUNCH_FAILED,
    SL_NOT_CONVERGED = 0x20,
} slStatus_t;
typedef enum slOperation { SL_OP_N, SL_OP_T } slOperation_t;
typedef struct slContext *slHandle_t;
typedef const struct slMatrix_ *slConstMatrix_t;
typedef void (*slLogger_t)(slStatus_t status, const char *function, void *user);

struct slMatrix_ {
    int32_t n;
    const int32_t *offsets, *columns;
    const double *values;
};

SL_API slStatus_t slCreate(slHandle_t *handle);
SL_API slStatus_t slDestroy(slHandle_t handle);
SL_API slStatus_t slDcgBufferSize(slHandle_t handle, slConstMatrix_t a, size_t *bytes);
SL_API slStatus_t slDcg(slHandle_t handle, slConstMatrix_t a, const double *b, double *x, double tolerance, int *n_iterations, void *buffer);
SL_API const char *slGetStatusName(slStatus_t status);

#ifdef __cplusplus
}
#endif

struct slContext {
    cudaStream_t stream;
    cudaDeviceProp properties;
    cudaError_t last;
    slLogger_t logger;
    void *user;
    double *scalars;
    bool owns_stream : 1;
};

namespace {

const int kThreads = 64;
constexpr size_t kAlignment = 256;

inline int blocks_for(int n, int threads = kThreads) { return n / threads + (n % threads != 0); }
inline size_t aligned(size_t bytes) noexcept { return (bytes + kAlignment - 1) & ~(kAlignment - 1); }

// Hands out pieces of a buffer.
class Workspace {
  public:
    explicit Workspace(void *start) : at_(static_cast<char *>(start)) {}
    template <typename T> T *take(size_t n)
    {
        T *piece = reinterpret_cast<T *>(at_);
        at_ += aligned(n * sizeof(T));
        return piece;
    }
    size_t used(const void *start) const { return static_cast<size_t>(at_ - static_cast<const char *>(start)); }

  private:
    char *at_;
};

template <typename Handle> bool is_valid(Handle handle) { return handle != nullptr; }
template <typename Handle, typename... Others> bool is_valid(Handle handle, Others... others) { return handle != nullptr && is_valid(others...); }

} // namespace

__global__ void csr_gemv_kernel(int32_t n, const int32_t *__restrict__ offsets, const int32_t *__restrict__ columns,
                                const double *__restrict__ values, const double *__restrict__ x, double alpha, double beta, double *y)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    double sum = 0;
    for (int32_t k = offsets[row]; k < offsets[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = alpha * sum + beta * y[row];
}

__global__ void axpby_kernel(int n, double a, const double *x, double b, double *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = fma(a, x[i], b * y[i]);
}

__global__ void dot_kernel(int n, const double *x, const double *y, double *partial)
{
    __shared__ double sums[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[threadIdx.x] = i < n ? x[i] * y[i] : 0.0;
    for (unsigned half = blockDim.x >> 1; half > 0; half >>= 1) {
        __syncthreads();
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

static __device__ double diagonal(int row, const int32_t *offsets, const int32_t *columns, const double *values)
{
    for (int32_t k = offsets[row], end = offsets[row + 1]; k < end; k++)
        if (columns[k] == row) return values[k];
    return 0.0;
}

__global__ void jacobi_kernel(int n, const int32_t *offsets, const int32_t *columns, const double *values, double *inverse, int *status)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    const double d = diagonal(row, offsets, columns, values);
    if (d == 0.0) {
        atomicMax(status, row + 1);
        inverse[row] = 1.0;
    } else {
        inverse[row] = 1.0 / d;
    }
}

static slStatus_t logged(slHandle_t handle, slStatus_t status, const char *function)
{
    if (handle && handle->logger && status != SL_SUCCESS) (*handle->logger)(status, function, handle->user);
    return status;
}
#define RETURN(status) return logged(handle, (status), __func__)

static double dot(slHandle_t handle, int n, const double *x, const double *y)
{
    double *partial = handle->scalars, sum = 0;
    const int n_blocks = blocks_for(n);
    dot_kernel<<<n_blocks, kThreads, 0, handle->stream>>>(n, x, y, partial);
    cudaStreamSynchronize(handle->stream);
    for (int i = 0; i < n_blocks; ++i) sum += partial[i];
    return sum;
}

extern "C" slStatus_t slCreate(slHandle_t *handle)
{
    if (!is_valid(handle)) return SL_INVALID_VALUE;
    slContext *context = new (std::nothrow) slContext();
    if (context == nullptr) return SL_CUDA_ERROR;
    SL_CUDA(cudaGetDeviceProperties(&context->properties, 0));
    SL_CUDA(cudaStreamCreateWithFlags(&context->stream, cudaStreamNonBlocking));
    SL_CUDA(cudaMallocManaged(&context->scalars, 4096 * sizeof(double)));
    context->owns_stream = true;
    *handle = context;
    return SL_SUCCESS;
}

extern "C" slStatus_t slDestroy(slHandle_t handle)
{
    if (!handle) return SL_NOT_INITIALIZED;
    if (handle->owns_stream) cudaStreamDestroy(handle->stream);
    cudaFree(handle->scalars);
    delete handle;
    return SL_SUCCESS;
}

slStatus_t slDcgBufferSize(slHandle_t handle, slConstMatrix_t a, size_t *bytes)
{
    if (!is_valid(handle, a, bytes)) RETURN(SL_INVALID_VALUE);
    Workspace space(nullptr);
    for (int i = 0; i < 4; ++i) space.take<double>(a->n);
    *bytes = space.used(nullptr);
    return SL_SUCCESS;
}

slStatus_t slDcg(slHandle_t handle, slConstMatrix_t a, const double *b, double *x, double tolerance, int *n_iterations, void *buffer)
{
    if (!is_valid(handle, a, b, x, buffer) || a->n < 0 || !(tolerance > 0)) RETURN(SL_INVALID_VALUE);
    Workspace space(buffer);
    const int n = a->n, grid = blocks_for(n);
    double *const r = space.take<double>(n), *const p = space.take<double>(n), *const q = space.take<double>(n);
    jacobi_kernel<<<grid, kThreads, 0, handle->stream>>>(n, a->offsets, a->columns, a->values, q, (int *)handle->scalars);
    SL_CUDA(cudaMemcpyAsync(r, b, n * sizeof *r, cudaMemcpyDeviceToDevice, handle->stream));
    csr_gemv_kernel<<<grid, kThreads, 0, handle->stream>>>(n, a->offsets, a->columns, a->values, x, -1.0, 1.0, r);
    SL_TRY(SL_CHECK_LAUNCH(handle));
    SL_CUDA(cudaMemcpyAsync(p, r, n * sizeof *p, cudaMemcpyDeviceToDevice, handle->stream));
    double rr = dot(handle, n, r, r);
    const double target = tolerance * tolerance * rr;
    for (int k = 0; k < 10 * n; ++k) {
        if (n_iterations) *n_iterations = k;
        if (rr <= target) return SL_SUCCESS;
        csr_gemv_kernel<<<grid, kThreads, 0, handle->stream>>>(n, a->offsets, a->columns, a->values, p, 1.0, 0.0, q);
        const double alpha = rr / dot(handle, n, p, q);
        axpby_kernel<<<grid, kThreads, 0, handle->stream>>>(n, alpha, p, 1.0, x);
        axpby_kernel<<<grid, kThreads, 0, handle->stream>>>(n, -alpha, q, 1.0, r);
        const double next = dot(handle, n, r, r);
        axpby_kernel<<<grid, kThreads, 0, handle->stream>>>(n, 1.0, r, next / rr, p);
        rr = next;
        SL_TRY(SL_CHECK_LAUNCH(handle));
    }
    RETURN(SL_NOT_CONVERGED);
}

const char *slGetStatusName(slStatus_t status)
{
    switch (status) {
#define CASE(name) case name: return #name
        CASE(SL_SUCCESS);
        CASE(SL_NOT_INITIALIZED);
        CASE(SL_INVALID_VALUE);
        CASE(SL_CUDA_ERROR);
        CASE(SL_LAUNCH_FAILED);
        CASE(SL_NOT_CONVERGED);
#undef CASE
    }
    return "unknown, of version " SL_STRING(SL_VERSION_MAJOR) "." SL_STRING(SL_VERSION_MINOR);
}
