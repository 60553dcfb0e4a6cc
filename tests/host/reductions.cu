// Reductions in many variants that macros generate, a table of kernels by pointers, warp intrinsics, alignas, attributes of the host.
//@ arch: sm_90
//@ launch: sum_i32 grid=2 block=96
//@ arg: i32[150]=random(1, -100, 100)
//@ arg: 150
//@ arg: out=i32={0}
//@ launch: max_i32 grid=2 block=96
//@ arg: i32[150]=random(2, -100, 100)
//@ arg: 150
//@ arg: out=i32={-1000}
//@ launch: or_u64 grid=2 block=64
//@ arg: u64={1, 2, 4, 8, 16, 1099511627776, 3, 9223372036854775808}
//@ arg: 8
//@ arg: out=u64={0}
//@ launch: minmax_f64 grid=1 block=64
//@ arg: f64[90]=random(3, -5, 5)
//@ arg: 90
//@ arg: out=f64[2]
//@ launch: vote_all grid=1 block=64
//@ arg: i32[64]=random(4, 0, 4)
//@ arg: out=i32[8]=fill(-1)
//@ launch: last_block grid=4 block=32
//@ arg: u32[128]=iota
//@ arg: partial=u32[4]
//@ arg: out=u32[1]
//@ arg: 128
#include <cassert>
#include <cfloat>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#ifdef __GNUC__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define UNUSED __attribute__((unused))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#else
#define ALWAYS_INLINE inline
#define UNUSED
#define PRINTF_LIKE(f, a)
#endif

#define FULL 0xffffffffu
#define EACH_REDUCTION(X)                                               \
    X(sum_i32, int, 0, a + b, atomicAdd)                                \
    X(max_i32, int, INT_MIN, a > b ? a : b, atomicMax)                  \
    X(or_u64, unsigned long long, 0ull, a | b, atomicOr)

struct alignas(2 * sizeof(double)) Range {
    double low, high;
};

typedef struct {
    int all, any, equal, matched;
} Votes;

__device__ unsigned int blocks_done;
static __device__ bool is_last(unsigned n)
{
    __threadfence();
    return atomicInc(&blocks_done, n - 1) == n - 1;
}

#define DEFINE(NAME, TYPE, ZERO, COMBINE, ATOMIC)                                                         \
    static __device__ __forceinline__ TYPE combine_##NAME(TYPE a, TYPE b) { return COMBINE; }             \
    __global__ void NAME(const TYPE *__restrict__ in, int n, TYPE *out)                                   \
    {                                                                                                     \
        __shared__ TYPE of_warp[32];                                                                      \
        TYPE value = ZERO;                                                                                \
        const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, n_warps = (blockDim.x + 31) >> 5;     \
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)           \
            value = combine_##NAME(value, in[i]);                                                         \
        for (int d = 16; d > 0; d >>= 1) value = combine_##NAME(value, __shfl_xor_sync(FULL, value, d));  \
        if (lane == 0) of_warp[warp] = value;                                                             \
        __syncthreads();                                                                                  \
        if (warp != 0) return;                                                                            \
        value = lane < n_warps ? of_warp[lane] : ZERO;                                                    \
        for (int d = 16; d > 0; d >>= 1) value = combine_##NAME(value, __shfl_down_sync(FULL, value, d)); \
        if (lane == 0) ATOMIC(out, value);                                                                \
    }
EACH_REDUCTION(DEFINE)

__global__ void minmax_f64(const double *in, int n, Range *out)
{
    extern __shared__ double unused_tail[];
    __shared__ Range ranges[64];
    Range mine = {DBL_MAX, -DBL_MAX};
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        mine.low = fmin(mine.low, in[i]);
        mine.high = fmax(mine.high, in[i]);
    }
    ranges[threadIdx.x] = mine;
    for (int half = blockDim.x / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x >= half) continue;
        const Range other = ranges[threadIdx.x + half];
        Range *own = ranges + threadIdx.x;
        own->low = fmin(own->low, other.low), own->high = fmax(own->high, other.high);
    }
    if (threadIdx.x == 0) *out = ranges[0];
    (void)unused_tail;
}

__global__ void vote_all(const int *in, Votes *out)
{
    const int value = in[threadIdx.x], warp = threadIdx.x / 32;
    Votes votes;
    votes.all = __all_sync(FULL, value >= 0);
    votes.any = __any_sync(FULL, value == 3) + __popc(__ballot_sync(FULL, value & 1));
    votes.equal = __reduce_add_sync(FULL, value) * 100 + __reduce_max_sync(FULL, value);
    votes.matched = __ffs(__match_any_sync(FULL, value)) + __shfl_sync(FULL, value, 31 - (threadIdx.x & 31));
    if (threadIdx.x % 32 == 5) out[warp] = votes;
}

__global__ void last_block(const unsigned *in, volatile unsigned *partial, unsigned *out, int n)
{
    __shared__ bool last;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned sum = __reduce_add_sync(FULL, i < n ? in[i] : 0);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        last = is_last(gridDim.x);
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        unsigned total = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
        *out = total;
    }
}

#define NAME_OF(NAME, ...) #NAME,
#define SIZE_OF(NAME, TYPE, ...) sizeof(TYPE),
#define ADDRESS_OF(NAME, ...) (const void *)NAME,
static const char *const names[] = {EACH_REDUCTION(NAME_OF) nullptr};
static const size_t sizes[] = {EACH_REDUCTION(SIZE_OF)};
static const void *const kernels[] = {EACH_REDUCTION(ADDRESS_OF)};
enum Reduction {
#define ENUMERATOR(NAME, ...) REDUCTION_##NAME,
    EACH_REDUCTION(ENUMERATOR)
#undef ENUMERATOR
    N_REDUCTIONS
};
static_assert(sizeof names / sizeof *names == N_REDUCTIONS + 1, "one name each");

UNUSED static int verbosity = 1;
UNUSED static void debug(const char *, ...) PRINTF_LIKE(1, 2);
[[maybe_unused]] static double elapsed[N_REDUCTIONS];
alignas(64) static unsigned char scratch[1 << 12];
static thread_local unsigned long seed __attribute__((aligned(16))) = 88172645463325252ul;
static __inline__ __attribute__((noinline, cold)) void die(const char *why) { perror(why), abort(); }
int (*comparison(int kind))(double, double);

static int less(double a, double b) { return a < b; }
static int more(double a, double b) { return a > b; }
int (*comparison(int kind))(double, double) { return kind == 0 ? less : more; }
void (*(*handlers[2])(int))(void);

static void debug(const char *format, ...) { fputs(format, stderr); }

static ALWAYS_INLINE unsigned long next_random()
{
    seed ^= seed << 13, seed ^= seed >> 7;
    return seed ^= seed << 17;
}

#pragma GCC diagnostic pop

int main(int argc, char *argv[])
{
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 12;
    void *in, *out;
    if (cudaMallocManaged(&in, n * sizeof(double)) || cudaMallocManaged(&out, sizeof(Votes) * 8)) die("managed");
    for (int i = 0; i < n; i++) ((int *)in)[i] = (int)(next_random() % 1000);
    for (int r = 0; r < N_REDUCTIONS; ++r) {
        int length = n;
        void *arguments[] = {&in, &length, &out};
        const clock_t begin = clock();
        memset(out, 0, sizes[r]);
        if (cudaLaunchKernel(kernels[r], dim3(16), dim3(96), arguments, 0, nullptr) != cudaSuccess) die(names[r]);
        cudaDeviceSynchronize();
        elapsed[r] = double(clock() - begin) / CLOCKS_PER_SEC;
        if (verbosity) debug(names[r]);
    }
    minmax_f64<<<1, 64, 128>>>((double *)in, n / 2, (Range *)out);
    vote_all<<<1, 64>>>((int *)in, (Votes *)out);
    last_block<<<n / 32, 32>>>((unsigned *)in, (unsigned *)in + n, (unsigned *)out, n);
    assert(comparison(0)(1.0, 2.0) && !(*comparison(1))(1, 2));
    return scratch[0] + cudaDeviceSynchronize();
}
