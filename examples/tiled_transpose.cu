//@ args: --instantiate=tiled_transpose<float,32,8> --instantiate=tiled_transpose<double2,16,4>
// tiled_transpose: out = transpose of x, of any element type.
//
// A block reads a tile by rows and writes it by rows of the result; in between the tile is in shared memory.
// Tile is a class template: it pads its rows by one element, so that a column, too, lies in different banks.
// Nothing in this file says which instances there are, so the command line does:
//     weftc --instantiate 'tiled_transpose<float, 32, 8>' tiled_transpose.cu
//
// Launch:  grid (ceil(columns / SIZE), ceil(rows / SIZE)), block (SIZE, ROWS)
// rows     rows of x
// columns  columns of x
// x        rows x columns elements, read
// out      columns x rows elements, written

template <typename T, int SIZE>
class Tile {
public:
    __device__ T &at(int row, int column) { return cell[row][column]; }

private:
    T cell[SIZE][SIZE + 1];
};

template <typename T>
class MatrixView {
public:
    __device__ MatrixView(T *data, int rows, int columns) : data(data), rows(rows), columns(columns) {}

    __device__ bool contains(int row, int column) const { return row < rows && column < columns; }
    __device__ T &operator()(int row, int column) const { return data[(long long)row * columns + column]; }

private:
    T *data;
    int rows, columns;
};

template <typename T, int SIZE, int ROWS>
__global__ void __launch_bounds__(SIZE *ROWS)
tiled_transpose(int rows, int columns, const T *__restrict__ x, T *__restrict__ out)
{
    static_assert(SIZE % ROWS == 0, "each thread moves the same number of elements");
    __shared__ Tile<T, SIZE> tile;

    const MatrixView<const T> from(x, rows, columns);
    const MatrixView<T> to(out, columns, rows);
    const int row0 = blockIdx.y * SIZE, column0 = blockIdx.x * SIZE;

#pragma unroll
    for (int i = threadIdx.y; i < SIZE; i += ROWS)
        if (from.contains(row0 + i, column0 + threadIdx.x))
            tile.at(i, threadIdx.x) = from(row0 + i, column0 + threadIdx.x);
    __syncthreads();

#pragma unroll
    for (int i = threadIdx.y; i < SIZE; i += ROWS)
        if (to.contains(column0 + i, row0 + threadIdx.x))
            to(column0 + i, row0 + threadIdx.x) = tile.at(threadIdx.x, i);
}
