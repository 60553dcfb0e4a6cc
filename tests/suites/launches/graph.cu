// Breadth-first search: generic lambdas of the host, wrapper functions with kernels as arguments, events.
#include <cstdio>
#include <vector>
#include <chrono>
template <typename Index, bool WEIGHTED> __global__ void expand(const Index *offsets, const Index *targets, int *level, int depth, Index n)
{
    Index v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && level[v] == depth) for (Index e = offsets[v]; e < offsets[v + 1]; e++) if (level[targets[e]] < 0) level[targets[e]] = depth + 1 + WEIGHTED;
}
template <typename T> __global__ void init(T *p, T value, long n) { long i = blockIdx.x * (long)blockDim.x + threadIdx.x; if (i < n) p[i] = value; }
template <typename Kernel, typename... Args> float timed(const char *name, Kernel kernel, dim3 grid, dim3 block, Args... args)
{
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    kernel<<<grid, block>>>(args...);
    cudaEventRecord(stop);
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    printf("%s %f\n", name, ms);
    return ms;
}
template <typename Index> struct GraphView { const Index *offsets; const Index *targets; Index n; };
struct Graph { unsigned *offsets = nullptr, *targets = nullptr; unsigned n = 0; long n_edges = 0; };
int bfs(const Graph &g, unsigned source)
{
    int *level = nullptr;
    init<<<128, 256>>>(level, -1, g.n_edges);
    init<<<1, 1>>>(level + source, 0, 1l);
    auto launch = [&](int depth) {
        expand<unsigned, false><<<(g.n + 255) / 256, 256>>>(g.offsets, g.targets, level, depth, g.n);
    };
    for (int depth = 0; depth < 10; depth++) launch(depth);
    timed("expand", expand<unsigned, true>, dim3(4), dim3(256), g.offsets, g.targets, level, 0, g.n);
    float total = timed("init", init<float>, 1, 32, (float *)level, 1.0f, 32l);
    return (int)total;
}
