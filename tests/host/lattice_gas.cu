// Fluid on a lattice, as research groups write it in C: types, tables and global variables declared at once, units in between.
//@ launch: init_cells grid=2,3 block=8,4
//@ arg: {14, 10, f32:0.6, f32:0.05, {f32:0.01, f32:-0.02}}
//@ arg: cells=f32[9,140]
//@ arg: flags=u8[140]=zeros
//@ launch: collide grid=3 block=64
//@ arg: {14, 10, f32:0.6, f32:0.05, {f32:0.01, f32:-0.02}}
//@ arg: cells=f32[9,140]=random(1, 0.05, 0.2)
//@ arg: u8[140]=random(2, 0, 3)
//@ arg: fields=f32[140,3]=zeros
//@ tolerance: 1e-5 absolute
//@ launch: stream grid=3 block=64
//@ arg: {14, 10, f32:0.6, f32:0.05, {f32:0, f32:0}}
//@ arg: f32[9,140]=random(3)
//@ arg: to=f32[9,140]=zeros
//@ arg: u8[140]=random(4, 0, 2)
//@ launch: total_mass grid=1 block=128
//@ arg: u32[9,140]=random(5, 0, 1000)
//@ arg: 1260
//@ arg: sum=u32[1]
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define Q 9
#define SQUARE(x) ((x) * (x))
#define AT(cells, q, i, l) ((cells)[(size_t)(q) * (l).nx * (l).ny + (i)])
#define ALLOC(p, n) \
    if (cudaMalloc((void **)&(p), (n) * sizeof *(p)) != cudaSuccess) { \
        fprintf(stderr, "%s:%d: cannot allocate " #p "\n", __FILE__, __LINE__); \
        return -1; \
    }

// The parameters, and the lattice of the program.
static struct lattice {
    int nx, ny;
    float tau, velocity;
    struct { float x, y; } force;
} lattice = {256, 128, 0.6f, 0.05f, {0, 0}}, *current_lattice = &lattice;

enum cell { FLUID, WALL, INLET, N_CELL_KINDS } inlet_kind = INLET;
enum { REPORT_EVERY = 100, MAX_STEPS = 10000 } schedule;

union bits {
    float value;
    unsigned int word;
} last_mass;

struct probe {
    int x, y;
    const char *label;
} probes[] = {{10, 10, "low"}, {20, 40, "high"}, {0, 0, NULL}};

static const int opposites[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6}, N_THREADS = 64, WARP = 32;
const float cs2 = 1.0f / 3.0f, inverse_cs2 = 3.0f, weights[Q] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
double elapsed, *history = NULL, (*measure)(const float *, int);
int n_steps, n_reports = 0, verbose;
char *program, message[3][80];

__constant__ int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int bounce[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float d_weights[Q] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

static double now(void)
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return tv.tv_sec + tv.tv_usec * 1e-6;
}

__device__ static float equilibrium(int q, float rho, float ux, float uy)
{
    const float cu = inverse_cs2 * (cx[q] * ux + cy[q] * uy);
    return d_weights[q] * rho * (1.0f + cu + 0.5f * SQUARE(cu) - (SQUARE(ux) + SQUARE(uy)) / (2 * cs2));
}

__global__ void init_cells(struct lattice l, float *cells, unsigned char *flags)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= l.nx || y >= l.ny)
        return;
    const int i = y * l.nx + x;
    enum cell kind = FLUID;
    if (y == 0 || y == l.ny - 1)
        kind = WALL;
    else if (x == 0)
        kind = INLET;
    flags[i] = (unsigned char)kind;
    for (int q = 0; q < Q; q++)
        AT(cells, q, i, l) = kind == INLET ? equilibrium(q, 1.0f, l.velocity, 0.0f) : d_weights[q];
}

__global__ void collide(struct lattice l, float *cells, const unsigned char *flags, float (*fields)[3])
{
    const int i = blockIdx.x * N_THREADS + threadIdx.x;
    if (i >= l.nx * l.ny || flags[i] == WALL)
        return;
    float f[Q], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int q = 0; q < Q; q++) {
        f[q] = AT(cells, q, i, l);
        rho += f[q];
        ux += cx[q] * f[q];
        uy += cy[q] * f[q];
    }
    ux = flags[i] == INLET ? l.velocity : ux / rho + l.tau * l.force.x;
    uy = uy / rho + l.tau * l.force.y;
    for (int q = 0; q < Q; q++)
        AT(cells, q, i, l) = f[q] - (f[q] - equilibrium(q, rho, ux, uy)) / l.tau;
    fields[i][0] = rho, fields[i][1] = ux, fields[i][2] = uy;
}

__global__ void stream(struct lattice l, const float *from, float *to, const unsigned char *flags)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= l.nx * l.ny)
        return;
    const int x = i % l.nx, y = i / l.nx;
    for (int q = 0; q < Q; q++) {
        const int sx = (x - cx[q] + l.nx) % l.nx, sy = (y - cy[q] + l.ny) % l.ny, source = sy * l.nx + sx;
        if (flags[source] == WALL)
            AT(to, q, i, l) = AT(from, bounce[q], i, l);
        else
            AT(to, q, i, l) = AT(from, q, source, l);
    }
}

// In fixed point, so that the order does not matter.
__global__ void total_mass(const unsigned *mass, int n, unsigned *sum)
{
    __shared__ unsigned of_warps[128 / WARP];
    unsigned own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        own += mass[i];
    for (int d = WARP / 2; d; d >>= 1)
        own += __shfl_down_sync(0xffffffff, own, d);
    if (threadIdx.x % WARP == 0)
        of_warps[threadIdx.x / WARP] = own;
    __syncthreads();
    if (threadIdx.x == 0)
        *sum = of_warps[0] + of_warps[1] + of_warps[2] + of_warps[3];
}

static double l2(const float *values, int n)
{
    double sum = 0;
    while (n-- > 0)
        sum += SQUARE((double)*values++);
    return sqrt(sum);
}

int run(struct lattice *l, enum cell kind)
{
    const int n = l->nx * l->ny;
    float *cells, *next, *fields, *host;
    unsigned char *flags;
    ALLOC(cells, Q * n)
    ALLOC(next, Q * n)
    ALLOC(fields, 3 * n)
    ALLOC(flags, n)
    if ((host = (float *)calloc(3 * n, sizeof(float))) == NULL) {
        snprintf(message[0], sizeof message[0], "calloc: %s", strerror(errno));
        return -2;
    }
    const dim3 block(32, 4), grid((l->nx + 31) / 32, (l->ny + 3) / 4);
    init_cells<<<grid, block>>>(*l, cells, flags);
    for (int step = 0; step < n_steps && step < MAX_STEPS; step++) {
        collide<<<(n + N_THREADS - 1) / N_THREADS, N_THREADS>>>(*l, cells, flags, (float (*)[3])fields);
        stream<<<(n + 255) / 256, 256>>>(*l, cells, next, flags);
        float *swapped = cells;
        cells = next, next = swapped;
        if (step % REPORT_EVERY)
            continue;
        cudaMemcpy(host, fields, 3 * n * sizeof(float), cudaMemcpyDeviceToHost);
        for (struct probe *probe = probes; probe->label; ++probe)
            printf("%6d %-6s %g\n", step, probe->label, host[3 * (probe->y * l->nx + probe->x) + kind - INLET]);
        last_mass.value = (float)measure(host, n);
        n_reports++;
    }
    total_mass<<<1, 128>>>((unsigned *)fields, n, (unsigned *)next);
    free(host);
    return cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    program = argv[0], measure = l2, schedule = REPORT_EVERY;
    n_steps = argc > 1 ? atoi(argv[1]) : 3 * schedule;
    const double started = now();
    const int status = run(current_lattice, inlet_kind);
    elapsed = now() - started;
    printf("%s: %d steps in %.3f s, mass %08x, %d\n", program, n_steps, elapsed, last_mass.word, opposites[1] + (int)weights[0]);
    return status;
}
