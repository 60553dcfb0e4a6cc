// Sparse matrix and vector product: index and value types, a struct template of the host, aliases.
#include <cstdint>
#include <vector>
#include <string>
using index_t = int32_t;
template <typename I, typename V> struct CsrHost {
    std::vector<I> rows, cols;
    std::vector<V> values;
};
struct CsrDevice {
    index_t *rows;
    index_t *cols;
    double *values;
    index_t n_rows;
};
template <typename I, typename V> __global__ void spmv_scalar(I n, const I *rows, const I *cols, const V *values, const V *x, V *y)
{
    I row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    V sum = 0;
    for (I i = rows[row]; i < rows[row + 1]; i++) sum += values[i] * x[cols[i]];
    y[row] = sum;
}
template <int LANES, typename I, typename V> __global__ void spmv_vector(I n, const I *rows, const I *cols, const V *values, const V *x, V *y)
{
    I row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    V sum = 0;
    if (row < n) for (I i = rows[row] + lane; i < rows[row + 1]; i += LANES) sum += values[i] * x[cols[i]];
    if (row < n && lane == 0) y[row] = sum;
}
void multiply(const CsrDevice &A, const double *x, double *y, const std::string &method)
{
    const int block = 256;
    index_t grid = (A.n_rows + block - 1) / block;
    if (method == "scalar") {
        spmv_scalar<<<grid, block>>>(A.n_rows, A.rows, A.cols, A.values, x, y);
        return;
    }
    const auto per_row = A.rows ? 8 : 4;
    if (per_row < 6) spmv_vector<4><<<grid, block>>>(A.n_rows, A.rows, A.cols, A.values, x, y);
    else if (per_row < 12) spmv_vector<8><<<grid, block>>>(A.n_rows, A.rows, A.cols, A.values, x, y);
    else spmv_vector<32><<<grid, block>>>(A.n_rows, A.rows, A.cols, A.values, x, y);
}
template <typename V> void multiply_host(const CsrHost<int64_t, V> &A, V *d_x)
{
    int64_t *d_rows = nullptr, *d_cols = nullptr;
    V *d_values = nullptr;
    int64_t n = A.rows.size() - 1;
    spmv_scalar<int64_t, V><<<1, 128>>>(n, d_rows, d_cols, d_values, d_x, d_x);
}
int main()
{
    CsrHost<int64_t, float> host;
    float *d_x;
    multiply_host<float>(host, d_x);
    multiply(CsrDevice{}, nullptr, nullptr, "vector");
}
