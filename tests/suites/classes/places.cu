// Objects in each kind of memory: shared, constant, global, of the thread; arrays of them, and in one another.
struct Cell {
    int a[3];
    __device__ int total() const { return a[0] + a[1] + a[2]; }
    __device__ void add(int n) { a[n % 3] += n; }
};
struct Grid {
    Cell cells[2];
    Cell *link;
    __device__ Cell &cell(int i) { return cells[i]; }
    __device__ int total() const
    {
        int sum = 0;
        for (const Cell &cell : cells)
            sum += cell.total();
        return sum + link->total();
    }
};

__constant__ Cell fixed = {{1, 2, 3}};
__device__ Cell kept = {{4, 5, 6}};

__device__ __noinline__ int by_value(Cell cell) { cell.add(1); return cell.total(); }
__device__ __noinline__ Cell made(int n) { return Cell{{n, n, n}}; }

extern "C" __global__ void test(int *out)
{
    __shared__ Cell shared[2];
    shared[1] = fixed;
    shared[1].add(4);
    out[0] = shared[1].total();
    kept.add(7);
    out[1] = kept.total() + fixed.total();
    Grid grid{{kept, fixed}, &shared[1]};
    grid.cell(1).add(8);
    out[2] = grid.total();
    out[3] = by_value(kept) + kept.total();
    out[4] = made(3).total();
    Cell *cells = grid.cells;
    (cells + 1)->add(2);
    out[5] = (*++cells).total() + (out[0] ? kept : grid.cells[0]).total();
}
