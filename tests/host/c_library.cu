// A C library: opaque handles, tables of function pointers, unions with tags, status codes, static helpers, structs of arrays as parameters.
//@ launch: sl_axpby grid=2 block=32
//@ arg: {50, i64:2, &x, &y, {f32:2.5, f32:-0.5}}
//@ arg: x=f32[100]=random(1)
//@ arg: y=f32[100]=random(2)
//@ launch: sl_tagged grid=1 block=8
//@ arg: {1, 0, f64:1.5}
//@ arg: out=f64[8]
//@ expect: out={1.5, 3, 4.5, 6, 7.5, 9, 10.5, 12}
//@ launch: sl_tagged grid=1 block=8
//@ arg: {0, 0, i64:-4}
//@ arg: out=f64[8]
//@ expect: out={-4, -8, -12, -16, -20, -24, -28, -32}
//@ launch: sl_dot grid=2 block=64
//@ arg: 100
//@ arg: x=f32[100]=fill(2)
//@ arg: y=f32[100]=iota
//@ arg: partial=f32[2]
//@ expect: partial={4032, 5868}
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__cplusplus)
#define SL_BEGIN extern "C" {
#define SL_END }
#else
#define SL_BEGIN
#define SL_END
#endif
#ifdef _WIN32
#define SL_API __declspec(dllexport)
#else
#define SL_API __attribute__((visibility("default")))
#endif
#define SL_THREADS 64
#define SL_TRY(expression)                          \
    {                                               \
        sl_status status_ = (expression);           \
        if (status_ != SL_SUCCESS) return status_;  \
    }
#define SL_STRING_(x) #x
#define SL_STRING(x) SL_STRING_(x)
#define SL_STATUSES(X) X(SL_SUCCESS, "success") X(SL_NO_MEMORY, "out of memory") X(SL_BAD_ARGUMENT, "bad argument")

SL_BEGIN

typedef enum {
#define X(name, text) name,
    SL_STATUSES(X)
#undef X
    SL_N_STATUSES
} sl_status;

typedef enum sl_kind { SL_INTEGER, SL_REAL } sl_kind;

typedef struct sl_context_st *sl_handle;

typedef struct {
    sl_kind kind;
    union {
        int64_t integer;
        double real;
        unsigned char raw[sizeof(double)];
    };
} sl_scalar;

typedef struct sl_job {
    int n;
    size_t stride;
    const float *x;
    float *y;
    struct {
        float alpha, beta;
    } factors;
} sl_job;

typedef sl_status (*sl_operation)(sl_handle handle, const sl_job *job);
typedef void sl_log_function(int level, const char *message, void *user);

struct sl_context_st {
    cudaStream_t stream;
    sl_log_function *log;
    void *user;
    unsigned flags : 4, level : 3, : 0;
    int device;
    struct sl_context_st *next;
    char name[];
};

SL_API sl_status sl_create(sl_handle *handle, const char *name);
SL_API sl_status sl_destroy(sl_handle handle);
SL_API const char *sl_message(sl_status status);
static sl_status run_axpby(sl_handle handle, const sl_job *job);
static sl_status run_dot(sl_handle handle, const sl_job *job);
static sl_status run_tagged(sl_handle handle, const sl_job *job);

SL_END

static const struct {
    const char *name;
    sl_operation operation;
    unsigned flags;
} operations[] = {{"axpby", run_axpby, 0}, {"dot", run_dot, 1u << 2}, {"tagged", run_tagged, ~0u}};
static const char *const messages[] = {
#define X(name, text) [name] = text " (" SL_STRING(name) ")",
    SL_STATUSES(X)
#undef X
};
static sl_handle first_handle;
static volatile sig_atomic_t interrupted;
static jmp_buf recovery;
static void (*previous_handler)(int);

__global__ void sl_axpby(const sl_job job, const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= job.n) return;
    const size_t at = i * job.stride;
    y[at] = job.factors.alpha * x[at] + job.factors.beta * job.y[at] + (job.x == x ? 0.0f : 1000.0f);
}

__global__ void sl_tagged(sl_scalar scalar, double *out)
{
    const double value = scalar.kind == SL_REAL ? scalar.real : (double)scalar.integer;
    out[threadIdx.x] = value * (threadIdx.x + 1);
}

__global__ void sl_dot(int n, const float *x, const float *y, float *partial)
{
    __shared__ float products[SL_THREADS];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    products[threadIdx.x] = i < n ? x[i] * y[i] : 0;
    __syncthreads();
    for (int s = SL_THREADS / 2; s; s >>= 1) {
        if (threadIdx.x < s) products[threadIdx.x] += products[threadIdx.x + s];
        __syncthreads();
    }
    if (!threadIdx.x) partial[blockIdx.x] = *products;
}

static sl_status status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess: return SL_SUCCESS;
    case cudaErrorMemoryAllocation: return SL_NO_MEMORY;
    default: return SL_BAD_ARGUMENT;
    }
}

static sl_status run_axpby(sl_handle handle, const sl_job *job)
{
    sl_axpby<<<(job->n + SL_THREADS - 1) / SL_THREADS, SL_THREADS, 0, handle->stream>>>(*job, job->x, job->y);
    return status_of(cudaPeekAtLastError());
}

static sl_status run_dot(sl_handle handle, const sl_job *job)
{
    float *partial;
    int blocks = (job->n + SL_THREADS - 1) / SL_THREADS;
    SL_TRY(status_of(cudaMallocAsync((void **)&partial, blocks * sizeof *partial, handle->stream)));
    sl_dot<<<blocks, SL_THREADS, 0, handle->stream>>>(job->n, job->x, job->y, partial);
    return status_of(cudaFreeAsync(partial, handle->stream));
}

static sl_status run_tagged(sl_handle handle, const sl_job *job)
{
    double *out;
    sl_scalar scalar = {.kind = SL_REAL};
    scalar.real = job->factors.alpha;
    SL_TRY(status_of(cudaMallocManaged(&out, SL_THREADS * sizeof(double), cudaMemAttachGlobal)));
    sl_tagged<<<1, SL_THREADS, 0, handle->stream>>>(scalar, out);
    return status_of(cudaStreamSynchronize(handle->stream));
}

static void on_signal(int number)
{
    interrupted = number;
    longjmp(recovery, 1);
}

SL_BEGIN

sl_status sl_create(sl_handle *handle, const char *name)
{
    size_t length = strlen(name) + 1;
    struct sl_context_st *made = (struct sl_context_st *)calloc(1, sizeof *made + length);
    if (!made) return errno = ENOMEM, SL_NO_MEMORY;
    memcpy(made->name, name, length);
    for (char *c = made->name; *c; c++) *c = (char)toupper((unsigned char)*c);
    made->next = first_handle, first_handle = made;
    if (setjmp(recovery)) goto interrupted_;
    previous_handler = signal(SIGINT, on_signal);
    *handle = made;
    return status_of(cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking));
interrupted_:
    return free(made), SL_BAD_ARGUMENT;
}

sl_status sl_destroy(sl_handle handle)
{
    sl_handle *link;
    for (link = &first_handle; *link && *link != handle; link = &(*link)->next)
        ;
    if (!*link) return SL_BAD_ARGUMENT;
    *link = handle->next;
    free(handle);
    return SL_SUCCESS;
}

const char *sl_message(sl_status status) { return (unsigned)status < SL_N_STATUSES ? messages[status] : "?"; }

sl_status sl_run(sl_handle handle, const char *name, const sl_job *job)
{
    size_t i;
    for (i = 0; i < sizeof(operations) / sizeof(operations[0]); ++i)
        if (!strcmp(operations[i].name, name)) return (*operations[i].operation)(handle, job);
    if (handle->log) handle->log(INT_MAX, "no such operation", handle->user);
    return SL_BAD_ARGUMENT;
}

SL_END
