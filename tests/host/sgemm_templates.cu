// A host library of templates around C-style kernels: expressions, traits, SFINAE, variadic launches, policies, operators.
//@ launch: sgemm_tiled grid=2,2 block=8,8
//@ arg: 12
//@ arg: 10
//@ arg: 14
//@ arg: f32:1.5
//@ arg: A=f32[12,14]=random(1)
//@ arg: B=f32[14,10]=random(2)
//@ arg: f32:0.5
//@ arg: C=f32[12,10]=random(3)
//@ launch: dgemm_naive grid=2,2 block=8,8
//@ arg: 12
//@ arg: 10
//@ arg: 14
//@ arg: f64:1.5
//@ arg: A=f64[12,14]=random(4)
//@ arg: B=f64[14,10]=random(5)
//@ arg: f64:0.5
//@ arg: C=f64[12,10]=random(6)
//@ launch: transpose_f32 grid=2,2 block=16,4
//@ arg: out=f32[20,30]
//@ arg: f32[30,20]=iota
//@ arg: 20
//@ arg: 30
//@ launch: axpy_f64 grid=1 block=32
//@ arg: 30
//@ arg: f64:-3
//@ arg: f64[30]=iota
//@ arg: y=f64[30]=ones
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <numeric>
#include <ostream>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define TILE 8
#define TILE_DIM 16
#define BLOCK_ROWS 4

__global__ void sgemm_tiled(int m, int n, int k, float alpha, const float *A, const float *B, float beta, float *C)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE + 1];
    int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0.0f;
    for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
        int ak = t * TILE + threadIdx.x, bk = t * TILE + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = row < m && ak < k ? A[row * k + ak] : 0.0f;
        b[threadIdx.y][threadIdx.x] = bk < k && col < n ? B[bk * n + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int e = 0; e < TILE; ++e) sum = fmaf(a[threadIdx.y][e], b[e][threadIdx.x], sum);
        __syncthreads();
    }
    if (row < m && col < n) C[row * n + col] = fmaf(alpha, sum, beta * C[row * n + col]);
}

__global__ void dgemm_naive(int m, int n, int k, double alpha, const double *A, const double *B, double beta, double *C)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    double sum = 0.0;
    for (int e = 0; e < k; ++e) sum = fma(A[row * k + e], B[e * n + col], sum);
    C[row * n + col] = fma(alpha, sum, beta * C[row * n + col]);
}

__global__ void transpose_f32(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x, y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void axpy_f64(int n, double a, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fma(a, x[i], y[i]);
}

namespace linalg {

template <typename T> struct Traits;
template <> struct Traits<float> {
    static constexpr const char *name = "float";
    static constexpr auto gemm = &sgemm_tiled;
    enum { tile = TILE };
};
template <> struct Traits<double> {
    static constexpr const char *name = "double";
    static constexpr auto gemm = dgemm_naive;
    static constexpr int tile = 8;
};

template <typename T, typename = void> struct IsSupported : std::false_type {};
template <typename T> struct IsSupported<T, std::void_t<decltype(Traits<T>::gemm)>> : std::true_type {};
template <typename T> inline constexpr bool is_supported_v = IsSupported<T>::value;
static_assert(is_supported_v<float> && is_supported_v<double> && !is_supported_v<int>);

template <typename... Formal, typename... Actual>
void launch(void (*kernel)(Formal...), dim3 grid, dim3 block, Actual &&...actual)
{
    static_assert(sizeof...(Formal) == sizeof...(Actual), "arguments");
    kernel<<<grid, block>>>(static_cast<Formal>(std::forward<Actual>(actual))...);
    [](auto... sizes) { std::clog << (sizes + ...) << " bytes of arguments\n"; }(sizeof(Formal)...);
}

template <typename L, typename R> struct Product {
    const L &left;
    const R &right;
};

template <typename T> class Matrix {
    static_assert(std::is_floating_point<T>::value, "numbers");

  public:
    using value_type = T;
    typedef typename std::vector<T>::iterator iterator;
    Matrix(int rows, int cols) : rows_(rows), cols_(cols), host_(rows * cols) {}
    Matrix(std::initializer_list<std::initializer_list<T>> rows)
        : rows_{int(rows.size())}, cols_{rows.size() ? int(rows.begin()->size()) : 0}
    {
        for (const auto &row : rows) host_.insert(host_.end(), row.begin(), row.end());
    }
    Matrix(Matrix &&other) noexcept : Matrix(0, 0) { swap(*this, other); }
    Matrix &operator=(Matrix other) noexcept { return swap(*this, other), *this; }
    Matrix(const Matrix &) = default;
    ~Matrix() { if (device_) cudaFree(device_); }
    template <typename L, typename R> Matrix &operator+=(const Product<L, R> &product);
    T &operator()(int r, int c) { return host_[r * cols_ + c]; }
    const T *operator[](int r) const { return &host_[r * cols_]; }
    iterator begin() { return host_.begin(); }
    auto end() -> iterator { return host_.end(); }
    T *device() const;
    Matrix transposed() const;
    friend void swap(Matrix &a, Matrix &b) noexcept
    {
        using std::swap;
        swap(a.rows_, b.rows_), swap(a.cols_, b.cols_), swap(a.host_, b.host_), swap(a.device_, b.device_);
    }
    friend std::ostream &operator<<(std::ostream &os, const Matrix &m)
    {
        for (int r = 0; r < m.rows_; ++r)
            std::copy(m[r], m[r] + m.cols_, std::ostream_iterator<T>(os << (r ? "\n" : "") << std::fixed, " "));
        return os;
    }
    int rows_, cols_;

  private:
    std::vector<T> host_;
    mutable T *device_ = nullptr;
};

template <typename T> T *Matrix<T>::device() const
{
    if (!device_) cudaMalloc(&device_, sizeof(T) * host_.size());
    cudaMemcpy(device_, host_.data(), sizeof(T) * host_.size(), cudaMemcpyHostToDevice);
    return device_;
}

template <typename T>
template <typename L, typename R>
Matrix<T> &Matrix<T>::operator+=(const Product<L, R> &product)
{
    constexpr unsigned tile = Traits<T>::tile;
    const dim3 grid((cols_ + tile - 1) / tile, (rows_ + tile - 1) / tile), block(tile, tile);
    launch(Traits<T>::gemm, grid, block, rows_, cols_, product.left.cols_, T(1), product.left.device(),
           product.right.device(), T{1}, device());
    return *this;
}

template <> Matrix<float> Matrix<float>::transposed() const
{
    Matrix out(cols_, rows_);
    transpose_f32<<<dim3((cols_ + 15) / 16, (rows_ + 15) / 16), dim3(TILE_DIM, BLOCK_ROWS)>>>(out.device(), device(), cols_, rows_);
    return out;
}

template <typename T> Product<Matrix<T>, Matrix<T>> operator*(const Matrix<T> &a, const Matrix<T> &b) { return {a, b}; }

template <typename T, std::enable_if_t<std::is_same_v<T, double>, int> = 0>
void axpy(T a, const Matrix<T> &x, Matrix<T> &y)
{
    launch(axpy_f64, 1, 32, x.rows_ * x.cols_, a, x.device(), y.device());
}

template <typename... Ms> auto totals(Ms &...ms)
{
    return std::make_tuple(std::accumulate(ms.begin(), ms.end(), typename Ms::value_type{}, std::plus<>{})...);
}

} // namespace linalg

int main()
{
    using namespace linalg;
    Matrix<float> a{{1, 2, 3}, {4, 5, 6}}, b(3, 2), c(2, 2);
    Matrix<double> x{{1.0, 2.0}}, y(1, 2);
    b(0, 0) = b(2, 1) = 1;
    c += a * b;
    axpy(2.0, x, y);
    c = c.transposed();
    auto [sum, other] = totals(c, y);
    std::cout << c << '\n' << Traits<float>::name << sum << Traits<double>::name << other << std::endl;
    return 0;
}
