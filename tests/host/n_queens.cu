// Queens on a chessboard and a knapsack: constants as static members of structs, used as S::N in device code and in launches.
//@ launch: count_queens grid=2 block=32
//@ arg: counts=u32={0, 0}
//@ arg: 7
//@ launch: count_queens grid=1 block=64
//@ arg: counts=u32={0}
//@ arg: 6
//@ expect: counts={4}
//@ launch: fill_row grid=1 block=64
//@ arg: from=i32[64]=iota
//@ arg: to=i32[64]
//@ arg: {9, 1000}
//@ launch: fill_row grid=1 block=64
//@ arg: from=i32[64]=zeros
//@ arg: to=i32[64]
//@ arg: {60, 25}
//@ expect: to={0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 25, 25, 25}
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Board {
    static const int N = 12;
    static const int PREFIXES = N * N;
    static const unsigned FULL = (1u << N) - 1;
};

struct Knapsack {
    static constexpr int CAPACITY = 63;
    static constexpr int ROW = CAPACITY + 1;
    enum { MAX_ITEMS = 32 };
    int weight;
    int value;
};

struct Limits {
    static const long MAX_STACK = 16;
    static const char SEPARATOR = ';';

  private:
    static long used;
};

long Limits::used = 0;

typedef struct {
    unsigned columns, left, right;
} State;

static __device__ unsigned free_squares(State state, int n)
{
    return ~(state.columns | state.left | state.right) & ((1u << n) - 1) & Board::FULL;
}

static __device__ State placed(State state, unsigned square)
{
    const State next = {state.columns | square, (state.left | square) << 1, (state.right | square) >> 1};
    return next;
}

__global__ void count_queens(unsigned *counts, int n)
{
    __shared__ unsigned block_count;
    State stack[Limits::MAX_STACK];
    unsigned open[Limits::MAX_STACK];
    if (threadIdx.x == 0)
        block_count = 0;
    __syncthreads();
    unsigned count = 0;
    const int first_prefix = blockIdx.x * blockDim.x + threadIdx.x;
    for (int prefix = first_prefix; prefix < Board::PREFIXES; prefix += gridDim.x * blockDim.x) {
        const int first = prefix / Board::N, second = prefix % Board::N;
        if (first >= n || second >= n)
            continue;
        State state = {0, 0, 0};
        state = placed(state, 1u << first);
        if (!(free_squares(state, n) >> second & 1))
            continue;
        int depth = 2;
        stack[depth] = placed(state, 1u << second);
        open[depth] = free_squares(stack[depth], n);
        while (depth >= 2) {
            if (depth == n) {
                count++;
                depth--;
                continue;
            }
            const unsigned square = open[depth] & -open[depth];
            if (square == 0) {
                depth--;
                continue;
            }
            open[depth] ^= square;
            stack[depth + 1] = placed(stack[depth], square);
            depth++;
            open[depth] = depth < n ? free_squares(stack[depth], n) : 0;
        }
    }
    atomicAdd(&block_count, count);
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] = block_count;
}

__global__ void fill_row(const int *from, int *to, Knapsack item)
{
    __shared__ int row[Knapsack::ROW];
    const int room = threadIdx.x;
    if (room <= Knapsack::CAPACITY)
        row[room] = from[room];
    __syncthreads();
    if (room > Knapsack::CAPACITY)
        return;
    int best = row[room];
    if (room >= item.weight && row[room - item.weight] + item.value > best)
        best = row[room - item.weight] + item.value;
    to[room] = best;
}

static long solve(int n)
{
    std::vector<unsigned> counts((Board::PREFIXES + 63) / 64);
    unsigned *d_counts;
    cudaMalloc(&d_counts, counts.size() * sizeof(unsigned));
    count_queens<<<counts.size(), 64>>>(d_counts, n);
    cudaMemcpy(counts.data(), d_counts, counts.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaFree(d_counts);
    long sum = 0;
    for (unsigned count : counts)
        sum += count;
    return sum;
}

int main()
{
    for (int n = 4; n <= Board::N; n++)
        std::printf("%d%c %ld\n", n, Limits::SEPARATOR, solve(n));

    Knapsack items[Knapsack::MAX_ITEMS];
    for (Knapsack &item : items)
        item = {1 + std::rand() % 20, std::rand() % 100};
    int *rows[2];
    for (int i = 0; i < 2; i++) {
        cudaMalloc(rows + i, Knapsack::ROW * sizeof(int));
        cudaMemset(rows[i], 0, Knapsack::ROW * sizeof(int));
    }
    int turn = 0;
    for (auto item = items; item != items + Knapsack::MAX_ITEMS; ++item, turn ^= 1)
        fill_row<<<1, Knapsack::ROW>>>(rows[turn], rows[!turn], *item);
    int best = 0;
    cudaMemcpy(&best, rows[turn] + Knapsack::CAPACITY, sizeof best, cudaMemcpyDeviceToHost);
    std::printf("best %d: %s\n", best, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
