// A C program: globals, forward declarations, function pointers, a union, macros that hide code.
//@ launch: count grid=2 block=96
//@ arg: data=f32[500]=random(3, -0.25, 1.25)
//@ arg: 500
//@ arg: flags=u32[500]
//@ read: total
//@ launch: count grid=1 block=32
//@ arg: data=f32={-1, -0.5, 0, 0.5, 1, 1.5}
//@ arg: 6
//@ arg: flags=u32[6]
//@ set: limits=f32={-1, 2}
//@ read: total
//@ expect: flags={1, 1, 0, 0, 0, 0}
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cuda.h>

#define N_BINS 64
#define DIE(...) (fprintf(stderr, __VA_ARGS__), exit(1))

typedef struct {
    unsigned int bins[N_BINS];
} Histogram;

typedef union {
    float f;
    unsigned u;
} Word;

typedef int (*Comparison)(const void *, const void *);

FILE *log_file = NULL;
double started;
int n_errors = 0, n_warnings;
static char buffer[256];
struct timeval start_time, end_time;
const char *const names[] = {"low", "high"};
static Comparison comparison;
extern int optind;

__constant__ float limits[2] = {0.0f, 1.0f};
__device__ Histogram total;
static __device__ int n_outside;

static double seconds(void);
void report(const Histogram *histogram, FILE *out);
static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

__host__ __device__ static int bin_of(float x, float low, float high)
{
    int bin = (int)((x - low) / (high - low) * N_BINS);
    return bin < 0 || bin >= N_BINS ? -1 : bin;
}

__global__ void count(const float *data, int n, unsigned *flags)
{
    __shared__ Histogram own;
    for (int i = threadIdx.x; i < N_BINS; i += blockDim.x)
        own.bins[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        Word word;
        word.f = data[i];
        int bin = bin_of(word.f, limits[0], limits[1]);
        if (bin < 0)
            atomicAdd(&n_outside, 1);
        else
            atomicAdd(&own.bins[bin], 1u);
        flags[i] = word.u >> 31;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < N_BINS; i += blockDim.x)
        atomicAdd(&total.bins[i], own.bins[i]);
}

static double seconds(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec + 1e-6 * now.tv_usec;
}

void report(const Histogram *histogram, FILE *out)
{
    for (int i = 0; i < N_BINS; i++)
        fprintf(out, "%d%c", histogram->bins[i], i % 8 == 7 ? '\n' : ' ');
}

int main(int argc, char **argv)
{
    int option, n = 1 << 20;
    while ((option = getopt(argc, argv, "n:v")) != -1) {
        switch (option) {
        case 'n': n = atoi(optarg); break;
        case 'v': n_warnings++; break;
        default: DIE("usage: %s [-n N]\n", argv[0]);
        }
    }
    float *data = (float *)malloc(n * sizeof *data), *d_data;
    unsigned *flags;
    for (int i = 0; i < n; i++)
        data[i] = rand() / (float)RAND_MAX;
    comparison = compare;
    qsort(data, n, sizeof *data, comparison);
    cudaMalloc((void **)&d_data, n * sizeof *data);
    cudaMalloc((void **)&flags, n * sizeof *flags);
    cudaMemcpy(d_data, data, n * sizeof *data, cudaMemcpyHostToDevice);
    started = seconds();
    count<<<32, 256>>>(d_data, n, flags);
    if (cudaDeviceSynchronize() != cudaSuccess)
        DIE("failed\n");
    Histogram result;
    cudaMemcpyFromSymbol(&result, total, sizeof result);
    report(&result, stdout);
    printf("%s %f %s\n", names[0], seconds() - started, buffer);
    free(data);
    return n_errors;
}
