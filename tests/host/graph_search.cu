// Breadth-first search in compressed sparse rows: a graph with constructors of the host is passed to kernels by value.
//@ launch: expand grid=1 block=32
//@ arg: {6, 9, u32={0, 2, 4, 6, 7, 9, 9}, u32={1, 2, 0, 3, 3, 4, 4, 5, 0}}
//@ arg: {u32={1, 2, 0, 0, 0, 0}, 2}
//@ arg: {u32={0, 0, 0, 0, 0, 0}, 0}
//@ arg: level=i32={0, 1, 1, -1, -1, -1}
//@ arg: depth=i32:1
//@ arg: found=u32={0}
//@ expect: level={0, 1, 1, 2, 2, -1}
//@ expect: found={2}
//@ launch: degrees grid=1 block=8
//@ arg: {6, 9, u32={0, 2, 4, 6, 7, 9, 9}, u32={1, 2, 0, 3, 3, 4, 4, 5, 0}}
//@ arg: histogram=u32={0, 0, 0, 0}
//@ expect: histogram={1, 1, 4, 0}
//@ launch: relax grid=1 block=8
//@ arg: {4, 5, u32={0, 2, 4, 5, 5}, u32={1, 2, 2, 3, 3}}
//@ arg: weight=f32={1, 4, 2, 7, 1}
//@ arg: distance=f32={0, inf, inf, inf}
//@ arg: converged=i32={0}
//@ expect: distance={0, 1, 3, 4}
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <utility>
#include <vector>

typedef uint32_t Vertex;
#define UNREACHED (-1)

struct Edges {
    Edges() : n_vertices(0) {}
    std::vector<std::pair<Vertex, Vertex>> pairs;
    Vertex n_vertices;
};

struct Graph {
    Vertex n_vertices = 0;
    Vertex n_edges = 0;
    Vertex *offsets = nullptr;
    Vertex *targets = nullptr;

    Graph() = default;
    Graph(Vertex vertices, Vertex edges) : n_vertices(vertices), n_edges(edges) {}
    explicit Graph(Edges edges);
    void release()
    {
        cudaFree(offsets);
        cudaFree(targets);
    }
    Vertex degree(Vertex v) const { return offsets[v + 1] - offsets[v]; }
};

struct Frontier {
    explicit Frontier(Vertex capacity = 0) : vertices(nullptr), size(0)
    {
        if (capacity)
            cudaMallocManaged(&vertices, capacity * sizeof(Vertex));
    }
    Vertex *vertices;
    Vertex size;
    bool empty() const { return size == 0; }
};

Graph::Graph(Edges edges) : Graph(edges.n_vertices, edges.pairs.size())
{
    std::sort(edges.pairs.begin(), edges.pairs.end());
    cudaMallocManaged(&offsets, (n_vertices + 1) * sizeof *offsets);
    cudaMallocManaged(&targets, n_edges * sizeof(*targets));
    std::fill(offsets, offsets + n_vertices + 1, 0u);
    for (auto const &edge : edges.pairs)
        offsets[edge.first + 1]++;
    for (Vertex v = 0; v < n_vertices; v++)
        offsets[v + 1] += offsets[v];
    std::transform(edges.pairs.begin(), edges.pairs.end(), targets, [](const auto &edge) { return edge.second; });
}

__global__ void expand(const Graph graph, const Frontier current, Frontier next, int *level, int depth, Vertex *found)
{
    const Vertex i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= current.size)
        return;
    const Vertex v = current.vertices[i];
    for (Vertex e = graph.offsets[v]; e < graph.offsets[v + 1]; e++) {
        const Vertex w = graph.targets[e];
        if (atomicCAS(&level[w], UNREACHED, depth + 1) == UNREACHED) {
            const Vertex at = atomicAdd(found, 1u);
            next.vertices[at] = w;
        }
    }
}

__global__ void degrees(Graph graph, unsigned *histogram)
{
    const Vertex v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < graph.n_vertices) {
        const Vertex degree = graph.offsets[v + 1] - graph.offsets[v];
        atomicAdd(histogram + (degree < 3 ? degree : 3), 1);
    }
}

__device__ bool lower(float *distance, float length)
{
    int *const bits = (int *)distance;
    int old = atomicOr(bits, 0);
    while (length < __int_as_float(old)) {
        const int assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(length));
        if (old == assumed)
            return true;
    }
    return false;
}

// Bellman-Ford in one block.
__global__ void relax(Graph graph, const float *weight, float *distance, int *converged)
{
    Vertex round = 0;
    bool changed;
    do {
        changed = false;
        for (Vertex v = threadIdx.x; v < graph.n_vertices; v += blockDim.x) {
            const float start = atomicAdd(&distance[v], 0.0f);
            for (Vertex e = graph.offsets[v]; e < graph.offsets[v + 1]; e++)
                changed |= lower(&distance[graph.targets[e]], start + weight[e]);
        }
    } while (__syncthreads_or(changed) && ++round < graph.n_vertices);
    if (threadIdx.x == 0)
        *converged = round < graph.n_vertices;
}

static std::vector<int> reference(const Graph &graph, Vertex start)
{
    std::vector<int> level(graph.n_vertices, UNREACHED);
    std::queue<Vertex> queue({start});
    for (level[start] = 0; !queue.empty(); queue.pop()) {
        const Vertex v = queue.front();
        for (Vertex k = 0; k < graph.degree(v); ++k)
            if (const Vertex w = graph.targets[graph.offsets[v] + k]; level[w] == UNREACHED) {
                level[w] = level[v] + 1;
                queue.push(w);
            }
    }
    return level;
}

int main()
{
    Edges edges;
    edges.n_vertices = 1 << 12;
    std::srand(7);
    for (int i = 0; i < 1 << 14; ++i)
        edges.pairs.push_back({std::rand() % edges.n_vertices, std::rand() % edges.n_vertices});
    Graph graph(edges);
    Frontier current(graph.n_vertices), next(graph.n_vertices);
    int *level;
    Vertex *found;
    cudaMallocManaged(&level, graph.n_vertices * sizeof(int));
    cudaMallocManaged(&found, 4 * sizeof(Vertex));
    std::fill_n(level, graph.n_vertices, UNREACHED);
    level[0] = 0;
    current.vertices[0] = 0;
    current.size = 1;
    for (int depth = 0; !current.empty(); ++depth) {
        *found = 0;
        expand<<<(current.size + 127) / 128, 128>>>(graph, current, next, level, depth, found);
        cudaDeviceSynchronize();
        next.size = *found;
        std::swap(current, next);
    }
    float *lengths;
    int *converged;
    cudaMallocManaged(&lengths, (graph.n_edges + graph.n_vertices) * sizeof(float));
    cudaMallocManaged(&converged, sizeof(int));
    std::fill_n(lengths, graph.n_edges, 1.5f);
    std::fill_n(lengths + graph.n_edges, graph.n_vertices, HUGE_VALF);
    lengths[graph.n_edges] = *converged = 0;
    relax<<<1, 256>>>(graph, lengths, lengths + graph.n_edges, converged);
    degrees<<<(graph.n_vertices + 127) / 128, 128>>>(graph, found);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    const auto wanted = reference(graph, 0);
    const bool same = *converged && std::equal(wanted.begin(), wanted.end(), level);
    std::printf("%s\n", same ? "same" : "different");
    graph.release();
    return same ? 0 : 1;
}
