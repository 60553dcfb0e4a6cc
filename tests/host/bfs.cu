// A C program with graphs: qsort and bsearch, linked lists, CAS loops, warp votes, an edge-list parser, error handling by goto.
//@ launch: bfs_level grid=1 block=32
//@ arg: {&rows, &cols, 8, 12}
//@ arg: i32={0, -1, -1, -1, -1, -1, -1, -1}
//@ arg: next=i32={0, -1, -1, -1, -1, -1, -1, -1}
//@ arg: 0
//@ arg: changed=i32={0}
//@ arg: rows=i32={0, 2, 4, 6, 7, 9, 10, 12, 12}
//@ arg: cols=i32={1, 2, 3, 0, 4, 0, 5, 5, 6, 7, 4, 7}
//@ expect: next={0, 1, 1, -1, -1, -1, -1, -1}
//@ launch: components grid=2 block=32
//@ arg: edges=i32={0, 1, 2, 3, 1, 2, 5, 4, 6, 7, 7, 5, 9, 8}
//@ arg: 7
//@ arg: parent=i32={0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
//@ launch: degrees grid=1 block=40
//@ arg: {&rows, &cols, 8, 12}
//@ arg: histogram=u32[4]=zeros
//@ arg: heavy=u64={0}
//@ arg: rows=i32={0, 2, 4, 6, 7, 9, 10, 12, 12}
//@ arg: cols=i32={1, 2, 3, 0, 4, 0, 5, 5, 6, 7, 4, 7}
//@ expect: histogram={1, 2, 5, 0}
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNVISITED (-1)
#define MAX_LINE 1024
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#define list_for_each(it, list) for (struct node *it = (list)->next; it != (list); it = it->next)
#define likely(x) __builtin_expect(!!(x), 1)
#define MALLOC(type, n) ((type *)malloc((n) * sizeof(type)))

struct node {
    struct node *next, *prev;
};

typedef struct edge {
    int from, to;
    struct node link;
} edge;

typedef struct graph {
    int *rows, *cols;
    int n_nodes;
    int n_edges;
} graph;

struct statistics {
    unsigned long long edges : 40;
    unsigned long long lines : 24;
    double seconds;
};

static struct statistics statistics;
static struct node all_edges = {&all_edges, &all_edges};
static const char *program_name = "bfs";
enum { BY_SOURCE, BY_TARGET };

__device__ static int find_root(volatile int *parent, int v)
{
    while (parent[v] != v) v = parent[v];
    return v;
}

__global__ void bfs_level(graph g, const int *distance, int *next, int level, int *changed, int *rows, int *cols)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n_nodes || distance[v] != level) return;
    assert(g.rows == rows && g.cols == cols);
    for (int e = g.rows[v]; e < g.rows[v + 1]; e++)
        if (atomicCAS(&next[g.cols[e]], UNVISITED, level + 1) == UNVISITED) atomicExch(changed, 1);
}

__global__ void components(const int *edges, int n_edges, int *parent)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n_edges) return;
    int a = edges[2 * e], b = edges[2 * e + 1];
    for (;;) {
        a = find_root(parent, a), b = find_root(parent, b);
        if (a == b) break;
        int high = max(a, b), low = min(a, b);
        if (atomicCAS(parent + high, high, low) == high) break;
    }
}

__global__ void degrees(graph g, unsigned *histogram, unsigned long long *heavy, int *rows, int *cols)
{
    __shared__ unsigned local[4];
    int v = threadIdx.x, degree = v < g.n_nodes ? g.rows[v + 1] - g.rows[v] : -1;
    if (v < 4) local[v] = 0;
    __syncthreads();
    if (degree >= 0) atomicAdd(&local[degree < 3 ? degree : 3], 1u);
    unsigned ballot = __ballot_sync(__activemask(), degree >= 2);
    if (threadIdx.x % warpSize == 0) atomicOr(heavy, (unsigned long long)ballot << (threadIdx.x / warpSize * 32));
    __syncthreads();
    if (v < 4) atomicAdd(histogram + v, local[v]);
    if (__any_sync(__activemask(), degree > 100)) __trap();
}

static int by_source(const void *a, const void *b)
{
    const edge *const *x = (const edge *const *)a, *const *y = (const edge *const *)b;
    return (*x)->from - (*y)->from;
}

static int by_target(const void *a, const void *b) { return (*(edge *const *)a)->to - (*(edge *const *)b)->to; }

static int (*const comparisons[])(const void *, const void *) = {by_source, by_target};

static int (*comparison_named(const char *name))(const void *, const void *)
{
    return strcmp(name, "target") == 0 ? comparisons[BY_TARGET] : comparisons[BY_SOURCE];
}

static void add_edge(int from, int to)
{
    edge *e = MALLOC(edge, 1);
    *e = (edge){from, to, {&all_edges, all_edges.prev}};
    all_edges.prev->next = &e->link;
    all_edges.prev = &e->link;
    statistics.edges++;
}

static int parse(FILE *in)
{
    char line[MAX_LINE], *end;
    while (fgets(line, sizeof line, in)) {
        char *p = line;
        statistics.lines++;
        while (isspace((unsigned char)*p)) p++;
        if (*p == '#' || *p == '%' || !*p) continue;
        errno = 0;
        long from = strtol(p, &end, 10), to = strtol(end, &p, 0);
        if (errno == ERANGE || end == p) {
            fprintf(stderr, "%s: line %" PRIu64 ": two numbers\n", program_name, (uint64_t)statistics.lines);
            return -1;
        }
        add_edge((int)from, (int)to);
    }
    return ferror(in) ? -1 : 0;
}

static graph build(const char *order)
{
    size_t n = statistics.edges, i = 0;
    edge **sorted = MALLOC(edge *, n);
    graph g = {};
    list_for_each(it, &all_edges) sorted[i++] = container_of(it, edge, link);
    qsort(sorted, n, sizeof *sorted, comparison_named(order));
    for (i = 0; i < n; i++) g.n_nodes = g.n_nodes > sorted[i]->from + 1 ? g.n_nodes : sorted[i]->from + 1;
    cudaMallocManaged((void **)&g.rows, (g.n_nodes + 1) * sizeof(int), cudaMemAttachGlobal);
    cudaMallocManaged((void **)&g.cols, n * sizeof(int), cudaMemAttachGlobal);
    for (i = 0; i < n; i++) g.rows[sorted[i]->from + 1]++, g.cols[i] = sorted[i]->to;
    for (int v = 0; v < g.n_nodes; v++) g.rows[v + 1] += g.rows[v];
    free(sorted);
    g.n_edges = (int)n;
    return g;
}

int main(int argc, char **argv)
{
    int result = EXIT_FAILURE, level = 0, *distance = NULL, *next = NULL, *changed = NULL;
    unsigned *histogram;
    unsigned long long *heavy;
    graph g;
    FILE *in = argc > 1 ? fopen(argv[1], "r") : stdin;
    if (!in) { perror(argv[1]); goto done; }
    if (parse(in) < 0) goto close;
    g = build(argc > 2 ? argv[2] : "source");
    if (cudaMallocManaged((void **)&distance, g.n_nodes * sizeof(int)) ||
        cudaMallocManaged((void **)&next, g.n_nodes * sizeof(int)) || cudaMallocManaged(&changed, sizeof(int))) goto close;
    memset(distance, 0xff, g.n_nodes * sizeof(int));
    distance[0] = 0;
    do {
        *changed = 0;
        memcpy(next, distance, g.n_nodes * sizeof(int));
        bfs_level<<<(g.n_nodes + 255) / 256, 256>>>(g, distance, next, level++, changed, g.rows, g.cols);
        if (cudaDeviceSynchronize()) goto close;
        int *swapped = distance;
        distance = next, next = swapped;
    } while (likely(*changed));
    cudaMallocManaged(&histogram, 4 * sizeof *histogram), cudaMallocManaged(&heavy, sizeof *heavy);
    degrees<<<1, 40>>>(g, histogram, heavy, g.rows, g.cols);
    components<<<g.n_edges / 256 + 1, 256>>>(g.cols, g.n_edges / 2, distance);
    result = EXIT_SUCCESS;
close:
    if (in != stdin) fclose(in);
done:
    cudaFree(distance);
    cudaFree(changed);
    return result;
}
