// small_matrix: solves many small systems of equations A * x = b, a thread for each, with a class template for
// matrices of a fixed size.
//
// The sizes are template parameters: products of sizes that do not fit do not compile, and all loops unroll,
// so that matrices are in registers. The inverse is found by Gauss and Jordan, with row exchanges.
//
// Launch:  grid ceil(n / block), any block
// n        systems
// a        n matrices of N x N, row by row, read
// b        n vectors of N elements, read
// x        n vectors of N elements, written
// off      n elements, written: the greatest absolute element of A * x - b; infinite if A is singular

template <typename T, int ROWS, int COLUMNS = ROWS>
class Matrix {
public:
    static constexpr int size = ROWS * COLUMNS;

    Matrix() = default;
    __device__ explicit Matrix(const T *from)
    {
        for (int i = 0; i < size; i++)
            cell_[i / COLUMNS][i % COLUMNS] = from[i];
    }

    static __device__ Matrix identity()
    {
        static_assert(ROWS == COLUMNS, "only square matrices have an identity");
        Matrix result;
        for (int i = 0; i < size; i++)
            result.cell_[i / COLUMNS][i % COLUMNS] = T(i / COLUMNS == i % COLUMNS);
        return result;
    }

    __device__ T &operator()(int row, int column) { return cell_[row][column]; }
    __device__ const T &operator()(int row, int column) const { return cell_[row][column]; }

    template <int OTHER>
    __device__ Matrix<T, ROWS, OTHER> operator*(const Matrix<T, COLUMNS, OTHER> &other) const
    {
        Matrix<T, ROWS, OTHER> product;
        for (int row = 0; row < ROWS; row++)
            for (int column = 0; column < OTHER; column++) {
                T sum = 0;
                for (int i = 0; i < COLUMNS; i++)
                    sum += cell_[row][i] * other(i, column);
                product(row, column) = sum;
            }
        return product;
    }

    __device__ void store(T *to) const
    {
        for (int i = 0; i < size; i++)
            to[i] = cell_[i / COLUMNS][i % COLUMNS];
    }

private:
    T cell_[ROWS][COLUMNS];
};

template <typename T>
__device__ void exchange(T &a, T &b)
{
    const T kept = a;
    a = b;
    b = kept;
}

// Returns whether there is an inverse.
template <typename T, int N>
__device__ bool invert(Matrix<T, N> a, Matrix<T, N> &inverse)
{
    inverse = Matrix<T, N>::identity();
    for (int step = 0; step < N; step++) {
        for (int row = step + 1; row < N; row++)
            if (fabs(a(row, step)) > fabs(a(step, step)))
                for (int i = 0; i < N; i++) {
                    exchange(a(row, i), a(step, i));
                    exchange(inverse(row, i), inverse(step, i));
                }
        if (a(step, step) == T(0))
            return false;

        const T scale = T(1) / a(step, step);
        for (int i = 0; i < N; i++) {
            a(step, i) *= scale;
            inverse(step, i) *= scale;
        }
        for (int row = 0; row < N; row++) {
            const T factor = row == step ? T(0) : a(row, step);
            for (int i = 0; i < N; i++) {
                a(row, i) -= factor * a(step, i);
                inverse(row, i) -= factor * inverse(step, i);
            }
        }
    }
    return true;
}

template <typename T, int N>
__global__ void solve(int n, const T *a, const T *b, T *x, T *off)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    const Matrix<T, N> matrix(a + i * Matrix<T, N>::size);
    const Matrix<T, N, 1> right(b + i * N);
    Matrix<T, N> inverse;
    if (!invert(matrix, inverse)) {
        off[i] = T(1) / T(0);
        return;
    }
    const auto solution = inverse * right;
    const auto again = matrix * solution;
    solution.store(x + i * N);

    T worst = 0;
    for (int row = 0; row < N; row++)
        worst = fmax(worst, fabs(again(row, 0) - right(row, 0)));
    off[i] = worst;
}

template __global__ void solve<float, 3>(int, const float *, const float *, float *, float *);
template __global__ void solve<double, 4>(int, const double *, const double *, double *, double *);
