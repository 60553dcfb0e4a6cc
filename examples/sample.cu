// sample: picks a class for each row of scores, with the probabilities that softmax gives, by tiles of
// cooperative groups.
//
// A tile of SIZE threads owns a row. It finds the greatest score and the sum of the exponentials by reductions,
// then walks through the row with a running sum, which is a scan within the tile, until the sum exceeds the
// row's random number. Nothing but the threads of a tile waits for one another.
//
// Launch:  grid ceil(rows * SIZE / block), block a multiple of SIZE
// rows     rows
// columns  scores in a row
// score    rows x columns, read
// random   rows numbers from [0, 1), read
// picked   rows, written: the first column whose probability and those before it exceed the random number
// best     rows, written: the probability of the greatest score

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// The operation over a row of f(score), which all threads of the tile get.
template <typename Tile, typename F, typename Op>
__device__ float over_row(const Tile &tile, const float *row, int columns, float neutral, F f, Op op)
{
    float value = neutral;
    for (int i = tile.thread_rank(); i < columns; i += tile.size())
        value = op(value, f(row[i]));
    return cg::reduce(tile, value, op);
}

template <int SIZE>
__global__ void sample(int rows, int columns, const float *score, const float *random, int *picked, float *best)
{
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<SIZE>(block);
    const int at = blockIdx.x * (blockDim.x / SIZE) + tile.meta_group_rank();
    if (at >= rows)
        return;

    const float *row = score + (long long)at * columns;
    const float top = over_row(tile, row, columns, row[0], [](float x) { return x; }, cg::greater<float>());
    const auto weight = [top](float x) { return expf(x - top); };
    const float sum = over_row(tile, row, columns, 0.0f, weight, cg::plus<float>());

    const float limit = random[at] * sum;
    float before = 0;
    int choice = columns - 1;
    for (int first = 0; first < columns; first += SIZE) {
        const int i = first + tile.thread_rank();
        const float running = before + cg::inclusive_scan(tile, i < columns ? weight(row[i]) : 0.0f);
        const unsigned beyond = tile.ballot(i < columns && running > limit);
        if (beyond) {
            choice = first + __ffs(beyond) - 1;
            break;
        }
        before = tile.shfl(running, SIZE - 1);
    }
    if (tile.thread_rank() == 0) {
        picked[at] = choice;
        best[at] = 1 / sum;
    }
}

template __global__ void sample<8>(int, int, const float *, const float *, int *, float *);
template __global__ void sample<32>(int, int, const float *, const float *, int *, float *);
