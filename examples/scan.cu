// scan: running results of an operation, out[i] = x[0] op x[1] op ... op x[i], for vectors of any length.
//
// Three steps: each block scans its own tile and keeps the tile's total; the totals are scanned, by the same
// kernel, as often as it takes; each block but the first adds what the tiles before it have. The operation
// need not be commutative. `inclusive_scan` is the host's function that launches them, and the launches in
// it make the compiler emit the kernels for the types that `main` uses.
//
// scan_tiles:  grid ceil(n / (BLOCK * ITEMS)), block BLOCK
// add_totals:  the same grid without the first block
// x            n elements, read
// out          n elements, written; may be x
// total        one element for each block, written; may be null

#include <cstdio>
#include <cstdlib>

const int BLOCK = 128, ITEMS = 4, TILE = BLOCK * ITEMS;

struct Plus {
    template <typename T>
    __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};

// x -> factor * x + shift; two of them, one after the other, are one again.
struct Affine {
    float factor, shift;
};

struct Then {
    __device__ Affine operator()(const Affine &a, const Affine &b) const
    {
        return {a.factor * b.factor, a.shift * b.factor + b.shift};
    }
};

// The result for this thread's value and those of all threads before it. All threads of the block call it.
template <typename T, typename Op>
__device__ T block_scan(T value, Op op)
{
    __shared__ T buffer[2][BLOCK];
    int from = 0;
    buffer[from][threadIdx.x] = value;
    __syncthreads();
    for (int distance = 1; distance < BLOCK; distance *= 2) {
        if (threadIdx.x >= distance)
            value = op(buffer[from][threadIdx.x - distance], value);
        buffer[1 - from][threadIdx.x] = value;
        from = 1 - from;
        __syncthreads();
    }
    return value;
}

template <typename T, typename Op>
__global__ void __launch_bounds__(BLOCK) scan_tiles(int n, const T *x, T *out, T *total, Op op)
{
    __shared__ T of_thread[BLOCK];

    const int first = blockIdx.x * TILE + threadIdx.x * ITEMS;
    T item[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        if (first + i < n)
            item[i] = x[first + i];
        if (i > 0 && first + i < n)
            item[i] = op(item[i - 1], item[i]);
        else if (i > 0)
            item[i] = item[i - 1];
    }
    // A thread after the end takes part with a value that no other thread uses.
    if (first >= n)
        item[ITEMS - 1] = x[n - 1];
    of_thread[threadIdx.x] = block_scan(item[ITEMS - 1], op);
    __syncthreads();

    for (int i = 0; i < ITEMS && first + i < n; i++) {
        out[first + i] = threadIdx.x == 0 ? item[i] : op(of_thread[threadIdx.x - 1], item[i]);
        if (total && (i == ITEMS - 1 && threadIdx.x == BLOCK - 1))
            total[blockIdx.x] = of_thread[threadIdx.x];
    }
}

template <typename T, typename Op>
__global__ void add_totals(int n, T *out, const T *total, Op op)
{
    const int first = (blockIdx.x + 1) * TILE;
    for (int i = first + threadIdx.x; i < first + TILE && i < n; i += blockDim.x)
        out[i] = op(total[blockIdx.x], out[i]);
}

template <typename T, typename Op>
void inclusive_scan(int n, const T *x, T *out, Op op)
{
    const int tiles = (n + TILE - 1) / TILE;
    T *total = nullptr;
    if (tiles > 1)
        cudaMalloc(&total, tiles * sizeof(T));
    scan_tiles<<<tiles, BLOCK>>>(n, x, out, total, op);
    if (tiles > 1) {
        inclusive_scan(tiles - 1, total, total, op);
        add_totals<<<tiles - 1, BLOCK>>>(n, out, total, op);
        cudaFree(total);
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    int *count;
    Affine *step;
    cudaMalloc(&count, n * sizeof(int));
    cudaMalloc(&step, n * sizeof(Affine));
    cudaMemset(count, 0, n * sizeof(int));
    cudaMemset(step, 0, n * sizeof(Affine));
    inclusive_scan(n, count, count, Plus());
    inclusive_scan(n, step, step, Then());
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
