// Prefix sums: kernels of several levels in a recursive function template of the host.
#include <vector>
#include <algorithm>
template <typename T, int N, bool INCLUSIVE> __global__ void scan_block(const T *in, T *out, T *sums, int n)
{
    __shared__ T temp[2][N];
    int i = blockIdx.x * N + threadIdx.x, from = 0;
    temp[0][threadIdx.x] = i < n ? in[i] : T(0);
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        T value = temp[from][threadIdx.x];
        if (threadIdx.x >= d) value += temp[from][threadIdx.x - d];
        from = 1 - from;
        temp[from][threadIdx.x] = value;
        __syncthreads();
    }
    if (i < n) out[i] = INCLUSIVE ? temp[from][threadIdx.x] : temp[from][threadIdx.x] - in[i];
    if (sums && threadIdx.x == N - 1) sums[blockIdx.x] = temp[from][N - 1];
}
template <typename T> __global__ void add_offsets(T *out, const T *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0) out[i] += sums[blockIdx.x - 1];
}
namespace detail {
static const int kBlock = 256;
inline int divup(int a, int b) { return (a + b - 1) / b; }
template <typename T, bool INCLUSIVE> void scan(const T *d_in, T *d_out, int n)
{
    const int blocks = divup(n, kBlock);
    T *d_sums = nullptr;
    if (blocks > 1) cudaMalloc(&d_sums, blocks * sizeof(T));
    scan_block<T, kBlock, INCLUSIVE><<<blocks, kBlock>>>(d_in, d_out, d_sums, n);
    if (blocks > 1) {
        scan<T, true>(d_sums, d_sums, blocks);
        add_offsets<<<blocks, kBlock>>>(d_out, d_sums, n);
        cudaFree(d_sums);
    }
}
}
template <typename T> void inclusive_scan(const std::vector<T> &in, std::vector<T> &out)
{
    T *d_in, *d_out;
    cudaMalloc(&d_in, in.size() * sizeof(T));
    cudaMalloc(&d_out, in.size() * sizeof(T));
    detail::scan<T, true>(d_in, d_out, (int)in.size());
}
int main()
{
    std::vector<int> numbers(1000, 1), result(1000);
    inclusive_scan<int>(numbers, result);
    float *d_f = nullptr;
    detail::scan<float, false>(d_f, d_f, 77);
    return std::max(result[0], 0);
}
