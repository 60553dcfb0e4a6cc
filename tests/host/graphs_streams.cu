// Streams, events, graphs, occupancy, attributes, cooperative and extensible launches, managed memory, kernels through pointers and macros.
//@ launch: scale grid=2 block=64
//@ arg: d=f32[100]=iota
//@ arg: f32:0.5
//@ arg: 100
//@ launch: tile_sum grid=2 block=64 shared=256
//@ arg: in=f32[128]=iota
//@ arg: out=f32[2]
//@ expect: out={2016, 6112}
//@ launch: count_calls grid=3 block=32
//@ printed: called
//@ read: n_calls
//@ launch: integrate grid=2 block=32
//@ arg: {&pos, &vel, 40, f32:0.25}
//@ arg: pos=f32[40,4]=random(1)
//@ arg: vel=f32[40,4]=random(2)
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <driver_types.h>
#include <vector_types.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define N_STREAMS 4
#define LAUNCH(kernel, grid, block, ...) kernel<<<(grid), (block)>>>(__VA_ARGS__)
#define LAUNCH_ON(stream, kernel, grid, block, shared, ...) \
    do { kernel<<<grid, block, shared, stream>>>(__VA_ARGS__); CHECK(cudaPeekAtLastError()); } while (false)
#define CHECK(...)                                                                            \
    if (const cudaError_t e_ = (__VA_ARGS__); e_ != cudaSuccess)                              \
        std::fprintf(stderr, "%s:%d: %s -> %s\n", __FILE__, __LINE__, #__VA_ARGS__, cudaGetErrorName(e_)), std::abort()

struct Particles {
    float4 *position, *velocity;
    int n;
    float dt;
};

__managed__ int n_calls = 0;
__managed__ float managed_values[4] = {1, 2, 3, 4};
static __device__ float device_sum;
__device__ __constant__ float4 gravity = {0.0f, -9.75f, 0.0f, 0.0f};

__global__ void scale(float *d, float s, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) d[i] *= s;
}

__global__ void tile_sum(const float *in, float *out)
{
    extern __shared__ __align__(16) unsigned char raw[];
    float *tile = (float *)raw;
    tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned half = blockDim.x >> 1; half != 0; half >>= 1) {
        if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = tile[0];
        atomicAdd(&device_sum, tile[0]);
    }
}

__global__ void count_calls(void)
{
    if (threadIdx.x == 0 && atomicAdd(&n_calls, 1) == 0) printf("called\n");
}

__global__ void integrate(Particles particles, float4 *position, float4 *velocity)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= particles.n) return;
    float4 v = particles.velocity[i], p = particles.position[i];
    v.x += gravity.x * particles.dt;
    v.y += gravity.y * particles.dt;
    v.z += gravity.z * particles.dt;
    p.x += v.x * particles.dt;
    p.y += v.y * particles.dt;
    p.z += v.z * particles.dt;
    if (p.y < 0.0f) p.y = -p.y, v.y = -0.5f * v.y;
    velocity[i] = v;
    position[i] = make_float4(p.x, p.y, p.z, 1.0f);
}

void CUDART_CB on_finished(cudaStream_t stream, cudaError_t status, void *data)
{
    (void)stream;
    *static_cast<bool *>(data) = status == cudaSuccess;
}

static void CUDART_CB host_node(void *data) { ++*reinterpret_cast<int *>(data); }

static size_t shared_for(int block) { return block * sizeof(float); }

static void occupancy()
{
    int grid = 0, block = 0, active = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0));
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, tile_sum, shared_for));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, (const void *)tile_sum, block, shared_for(block)));
    CHECK(cudaFuncSetAttribute(tile_sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
    CHECK(cudaFuncSetAttribute((void *)&integrate, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    CHECK(cudaFuncSetCacheConfig(scale, cudaFuncCachePreferL1));
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, integrate));
    std::printf("%d x %d, %d active, %d registers\n", grid, block, active, attributes.numRegs);
}

static void graph(cudaStream_t stream, float *data, int n)
{
    cudaGraph_t captured, built;
    cudaGraphExec_t executable{};
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    scale<<<(n + 63) / 64, 64, 0, stream>>>(data, 2.0f, n);
    tile_sum<<<n / 64, 64, 64 * sizeof(float), stream>>>(data, data);
    CHECK(cudaStreamEndCapture(stream, &captured));
    CHECK(cudaGraphInstantiate(&executable, captured, 0));
    for (int i = 0; i < 10; ++i) CHECK(cudaGraphLaunch(executable, stream));

    CHECK(cudaGraphCreate(&built, 0));
    cudaGraphNode_t kernel_node, node;
    float s = 0.5f;
    void *arguments[] = {&data, &s, &n};
    cudaKernelNodeParams params = {0};
    params.func = (void *)scale;
    params.gridDim = dim3(4), params.blockDim = dim3(64, 1, 1);
    params.sharedMemBytes = 0;
    params.kernelParams = arguments;
    params.extra = nullptr;
    CHECK(cudaGraphAddKernelNode(&kernel_node, built, nullptr, 0, &params));
    int calls = 0;
    cudaHostNodeParams host{host_node, &calls};
    CHECK(cudaGraphAddHostNode(&node, built, &kernel_node, 1, &host));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(captured));
    CHECK(cudaGraphDestroy(built));
}

int main()
{
    const int n = 1 << 10;
    cudaStream_t streams[N_STREAMS], priority;
    cudaEvent_t start, stop;
    float *data, *managed, *pinned, milliseconds;
    bool finished = false;
    int low, high, device;

    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(cudaStreamCreateWithPriority(&priority, cudaStreamNonBlocking, high));
    for (cudaStream_t &stream : streams) CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreateWithFlags(&start, cudaEventDefault));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaMalloc(&data, n * sizeof(float)));
    CHECK(cudaMallocManaged(&managed, n * sizeof *managed));
    CHECK(cudaHostAlloc((void **)&pinned, n * sizeof(float), cudaHostAllocDefault));
    occupancy();
    CHECK(cudaEventRecord(start, priority));
    for (int i = 0, chunk = n / N_STREAMS; i < N_STREAMS; ++i) {
        CHECK(cudaMemcpyAsync(data + i * chunk, pinned + i * chunk, chunk * sizeof(float), cudaMemcpyHostToDevice, streams[i]));
        LAUNCH_ON(streams[i], scale, chunk / 64, 64, 0, data + i * chunk, 2.0f, chunk);
        LAUNCH_ON(streams[i], tile_sum, dim3(chunk / 64), dim3(64), 64 * sizeof(float), data + i * chunk, managed + i);
        CHECK(cudaStreamAddCallback(streams[i], on_finished, &finished, 0));
    }
    void *no_arguments[] = {nullptr};
    CHECK(cudaLaunchKernel((const void *)count_calls, dim3(3), dim3(32), no_arguments, 0, streams[0]));
    CHECK(cudaLaunchCooperativeKernel(count_calls, 3, 32, no_arguments, 0, priority));
    cudaLaunchConfig_t config = {0};
    config.gridDim = 2, config.blockDim = 32, config.stream = priority;
    Particles particles{(float4 *)data, (float4 *)managed, n / 4, 0.01f};
    CHECK(cudaLaunchKernelEx(&config, integrate, particles, (float4 *)data, reinterpret_cast<float4 *>(managed)));
    void (*const kernel)(float *, float, int) = n > 512 ? &scale : scale;
    LAUNCH(kernel, 4, 64, managed, managed_values[1], n);
    LAUNCH(count_calls, 1, 1);
    graph(streams[1], data, n);
    CHECK(cudaStreamWaitEvent(priority, start, 0));
    CHECK(cudaEventRecord(stop, priority));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaDeviceSynchronize());
    void *address;
    CHECK(cudaGetSymbolAddress(&address, device_sum));
    std::printf("%d calls, %f ms, %p, %d\n", n_calls, milliseconds, address, finished);
    for (auto stream : streams) cudaStreamDestroy(stream);
    cudaFreeHost(pinned), cudaFree(managed), cudaFree(data);
    return cudaDeviceReset();
}
