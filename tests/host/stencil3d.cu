// Parboil's style: a 7-point stencil over a 3-D grid, a C library's parameters and timers, binary files.
//@ launch: naive_kernel grid=2,3,1 block=8,4,2
//@ arg: f32:0.1666
//@ arg: f32:0.0278
//@ arg: A0=f32[6,10,14]=random(1)
//@ arg: Anext=f32[6,10,14]=zeros
//@ arg: 14
//@ arg: 10
//@ arg: 6
//@ tolerance: 1e-6 absolute
//@ launch: block2D_hybrid_coarsen_x grid=1,3 block=8,4 shared=256
//@ arg: f32:0.1666
//@ arg: f32:0.0278
//@ arg: A0=f32[6,10,14]=random(2)
//@ arg: Anext=f32[6,10,14]=zeros
//@ arg: 14
//@ arg: 10
//@ arg: 6
//@ tolerance: 1e-6 absolute
#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#if __BYTE_ORDER != __LITTLE_ENDIAN
#error "File I/O is not implemented for this system: wrong endianness."
#endif

#define Index3D(_nx, _ny, _i, _j, _k) ((_i) + _nx * ((_j) + _ny * (_k)))
#define CUERR                                                                            \
    {                                                                                    \
        cudaError_t err;                                                                 \
        if ((err = cudaGetLastError()) != cudaSuccess) {                                 \
            printf("CUDA error: %s, line %d\n", cudaGetErrorString(err), __LINE__);      \
            return -1;                                                                   \
        }                                                                                \
    }

#ifdef __cplusplus
extern "C" {
#endif

/* Command line parameters for benchmarks */
struct pb_Parameters {
    char *outFile;   /* If not NULL, the raw output of the computation should be saved to this file. */
    char **inpFiles; /* A NULL-terminated array of strings holding the input file(s). */
    unsigned synchronizeGpu : 1, : 7;
    signed level : 8;
};

enum pb_TimerState { pb_Timer_STOPPED, pb_Timer_RUNNING, };
enum pb_TimerID {
    pb_TimerID_NONE = 0,
    pb_TimerID_IO,
    pb_TimerID_KERNEL,
    pb_TimerID_COPY,
    pb_TimerID_COMPUTE,
    pb_TimerID_LAST
};
typedef unsigned long long pb_Timestamp;
struct pb_Timer {
    enum pb_TimerState state;
    pb_Timestamp elapsed, init;
};
struct pb_TimerSet {
    enum pb_TimerID current;
    struct pb_Timer timers[pb_TimerID_LAST];
};

struct pb_Parameters *pb_ReadParameters(int *_argc, char **argv);
void pb_SwitchToTimer(struct pb_TimerSet *timers, enum pb_TimerID timer);
float *read_data(float *A0, int nx, int ny, int nz, FILE *fp);

#ifdef __cplusplus
}
#endif

__global__ void naive_kernel(float c0, float c1, float *A0, float *Anext, int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1) return;
    for (int k = threadIdx.z + 1; k < nz - 1; k += blockDim.z)
        Anext[Index3D(nx, ny, i, j, k)] =
            (A0[Index3D(nx, ny, i, j, k + 1)] + A0[Index3D(nx, ny, i, j, k - 1)] + A0[Index3D(nx, ny, i, j + 1, k)] +
             A0[Index3D(nx, ny, i, j - 1, k)] + A0[Index3D(nx, ny, i + 1, j, k)] + A0[Index3D(nx, ny, i - 1, j, k)]) * c1 -
            A0[Index3D(nx, ny, i, j, k)] * c0;
}

__global__ void block2D_hybrid_coarsen_x(float c0, float c1, float *A0, float *Anext, int nx, int ny, int nz)
{
    //thread coarsening along x direction
    const int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    const int i2 = blockIdx.x * blockDim.x * 2 + threadIdx.x + blockDim.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int sh_id = threadIdx.x + threadIdx.y * blockDim.x * 2;
    const int sh_id2 = threadIdx.x + blockDim.x + threadIdx.y * blockDim.x * 2;

    //shared memory
    extern __shared__ float sh_A0[];
    sh_A0[sh_id] = 0.0f;
    sh_A0[sh_id2] = 0.0f;
    __syncthreads();

    const bool w_region = i > 0 && j > 0 && (i < (nx - 1)) && (j < (ny - 1));
    const bool w_region2 = j > 0 && (i2 < nx - 1) && (j < ny - 1);
    const bool x_l_bound = (threadIdx.x == 0);
    const bool x_h_bound = ((threadIdx.x + blockDim.x) == (blockDim.x * 2 - 1));
    const bool y_l_bound = (threadIdx.y == 0);
    const bool y_h_bound = (threadIdx.y == (blockDim.y - 1));

    float bottom = 0.0f, bottom2 = 0.0f, top = 0.0f, top2 = 0.0f;
    if ((i < nx) && (j < ny)) {
        bottom = A0[Index3D(nx, ny, i, j, 0)];
        sh_A0[sh_id] = A0[Index3D(nx, ny, i, j, 1)];
    }
    if ((i2 < nx) && (j < ny)) {
        bottom2 = A0[Index3D(nx, ny, i2, j, 0)];
        sh_A0[sh_id2] = A0[Index3D(nx, ny, i2, j, 1)];
    }
    __syncthreads();

    for (int k = 1; k < nz - 1; k++) {
        if (w_region) {
            top = A0[Index3D(nx, ny, i, j, k + 1)];
            float a_left_right = x_l_bound ? A0[Index3D(nx, ny, i - 1, j, k)] : sh_A0[sh_id - 1];
            float a_up = y_h_bound ? A0[Index3D(nx, ny, i, j + 1, k)] : sh_A0[sh_id + 2 * blockDim.x];
            float a_down = y_l_bound ? A0[Index3D(nx, ny, i, j - 1, k)] : sh_A0[sh_id - 2 * blockDim.x];
            Anext[Index3D(nx, ny, i, j, k)] =
                (top + bottom + a_up + a_down + sh_A0[sh_id + 1] + a_left_right) * c1 - sh_A0[sh_id] * c0;
        }
        if (w_region2) {
            top2 = A0[Index3D(nx, ny, i2, j, k + 1)];
            float a_left_right = x_h_bound ? A0[Index3D(nx, ny, i2 + 1, j, k)] : sh_A0[sh_id2 + 1];
            float a_up = y_h_bound ? A0[Index3D(nx, ny, i2, j + 1, k)] : sh_A0[sh_id2 + 2 * blockDim.x];
            float a_down = y_l_bound ? A0[Index3D(nx, ny, i2, j - 1, k)] : sh_A0[sh_id2 - 2 * blockDim.x];
            Anext[Index3D(nx, ny, i2, j, k)] =
                (top2 + bottom2 + a_up + a_down + a_left_right + sh_A0[sh_id2 - 1]) * c1 - sh_A0[sh_id2] * c0;
        }
        __syncthreads();
        bottom = sh_A0[sh_id], bottom2 = sh_A0[sh_id2];
        sh_A0[sh_id] = top, sh_A0[sh_id2] = top2;
        __syncthreads();
    }
}

static pb_Timestamp get_time()
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return (tv.tv_sec * UINT64_C(1000000) + tv.tv_usec);
}

void pb_SwitchToTimer(struct pb_TimerSet *timers, enum pb_TimerID timer)
{
    if (timers->current != pb_TimerID_NONE) timers->timers[timers->current].elapsed += get_time();
    timers->current = timer;
}

float *read_data(float *A0, int nx, int ny, int nz, FILE *fp)
{
    for (int s = 0; s < nx * ny * nz; s++) fread(A0 + s, sizeof(float), 1, fp);
    return A0;
}

static int outputData(const char *fName, float *h_A0, uint32_t size)
{
    FILE *fid = fopen(fName, "w");
    if (fid == NULL) { fprintf(stderr, "Cannot open output file\n"); exit(-1); }
    fwrite(&size, sizeof(uint32_t), 1, fid);
    return fwrite(h_A0, sizeof(float), size, fid) == size && !fclose(fid);
}

int main(int argc, char **argv)
{
    struct pb_TimerSet timers = {pb_TimerID_NONE};
    int nx = 512, ny = 512, nz = 64, iteration = 100, tx = 32, ty = 4;
    float c0 = 1.0f / 6.0f, c1 = 1.0f / 6.0f / 6.0f, *h_A0, *d_A0, *d_Anext;
    size_t size = (size_t)nx * ny * nz;
    pb_SwitchToTimer(&timers, pb_TimerID_IO);
    h_A0 = (float *)malloc(sizeof(float) * size);
    read_data(h_A0, nx, ny, nz, stdin);
    cudaMalloc((void **)&d_A0, size * sizeof(float)), cudaMalloc((void **)&d_Anext, size * sizeof(float));
    cudaMemset(d_Anext, 0, size * sizeof(float));
    CUERR
    dim3 block(tx, ty, 1), grid((nx + tx * 2 - 1) / (tx * 2), (ny + ty - 1) / ty, 1);
    for (int t = 0; t < iteration; t++) {
        if (t % 2) naive_kernel<<<dim3((nx + tx - 1) / tx, grid.y, 1), block>>>(c0, c1, d_A0, d_Anext, nx, ny, nz);
        else block2D_hybrid_coarsen_x<<<grid, block, tx * 2 * ty * sizeof(float)>>>(c0, c1, d_A0, d_Anext, nx, ny, nz);
        float *d_temp = d_A0;
        d_A0 = d_Anext, d_Anext = d_temp;
    }
    CUERR // check and clear any existing errors
    printf("%" PRIu64 "\n", (uint64_t)timers.timers[pb_TimerID_IO].elapsed);
    return outputData("out.bin", h_A0, size);
}
