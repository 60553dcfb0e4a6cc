// tiled_product: C = A * B for matrices of any sizes, with the sizes of the tiles as template parameters.
//
// A block computes BM x BN elements of C, a thread TM x TN of them in registers. Loads outside of a matrix
// give 0, so no size needs to be a multiple of a tile. Sums are of type Sum, which may be wider than T.
//
// Launch:  grid (ceil(n / BN), ceil(m / BM)), block BM / TM * (BN / TN)
// m, n, k  A is m x k, B is k x n, C is m x n
// a, b     the rows of A and of B, one after the other, read
// c        the rows of C, written

template <int BM_, int BN_, int BK_, int TM_, int TN_>
struct Shape {
    static constexpr int BM = BM_, BN = BN_, BK = BK_, TM = TM_, TN = TN_;
    static constexpr int across = BN / TN, threads = BM / TM * across;
    static_assert(BM % TM == 0 && BN % TN == 0, "a tile is a whole number of threads");
};

template <typename T>
struct Matrix {
    const T *data;
    int rows, columns;

    __device__ T get(int row, int column) const
    {
        return row < rows && column < columns ? data[(long long)row * columns + column] : T(0);
    }
};

// Copies a tile of ROWS x COLUMNS elements to shared memory, by all threads of the block.
template <int THREADS, int ROWS, int COLUMNS, typename T>
__device__ void load(T (&tile)[ROWS][COLUMNS], const Matrix<T> &from, int row0, int column0)
{
    for (int i = threadIdx.x; i < ROWS * COLUMNS; i += THREADS)
        tile[i / COLUMNS][i % COLUMNS] = from.get(row0 + i / COLUMNS, column0 + i % COLUMNS);
}

template <typename T, typename Sum, typename Shape>
__global__ void __launch_bounds__(Shape::threads)
tiled_product(int m, int n, int k, const T *__restrict__ a, const T *__restrict__ b, Sum *__restrict__ c)
{
    constexpr int TM = Shape::TM, TN = Shape::TN;
    __shared__ T tile_a[Shape::BM][Shape::BK];
    __shared__ T tile_b[Shape::BK][Shape::BN];

    const Matrix<T> all_a{a, m, k}, all_b{b, k, n};
    const int row0 = blockIdx.y * Shape::BM, column0 = blockIdx.x * Shape::BN;
    const int row = threadIdx.x / Shape::across, column = threadIdx.x % Shape::across;
    Sum sum[TM][TN] = {};

    for (int at = 0; at < k; at += Shape::BK) {
        load<Shape::threads>(tile_a, all_a, row0, at);
        load<Shape::threads>(tile_b, all_b, at, column0);
        __syncthreads();
        for (int i = 0; i < Shape::BK; i++)
            for (int y = 0; y < TM; y++)
                for (int x = 0; x < TN; x++)
                    sum[y][x] += Sum(tile_a[row * TM + y][i]) * Sum(tile_b[i][column + x * Shape::across]);
        __syncthreads();
    }

    for (int y = 0; y < TM; y++)
        for (int x = 0; x < TN; x++) {
            const int to_row = row0 + row * TM + y, to_column = column0 + column + x * Shape::across;
            if (to_row < m && to_column < n)
                c[(long long)to_row * n + to_column] = sum[y][x];
        }
}

using Large = Shape<32, 64, 8, 4, 4>;
using Small = Shape<16, 16, 16, 1, 1>;

template __global__ void tiled_product<float, float, Large>(int, int, int, const float *, const float *, float *);
template __global__ void tiled_product<float, double, Small>(int, int, int, const float *, const float *, double *);
using Byte = signed char;
template __global__ void tiled_product<Byte, int, Small>(int, int, int, const Byte *, const Byte *, int *);
