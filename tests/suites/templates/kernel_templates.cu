// Kernels that are templates, with shared memory, restricted pointers, launch bounds of a parameter, and helpers.
enum class Op { add, max };
template <Op OP, class T> __device__ __forceinline__ T combine(T a, T b)
{
    if constexpr (OP == Op::add) return a + b;
    else return a > b ? a : b;
}
template <Op OP, class T, int BLOCK> __global__ void __launch_bounds__(BLOCK) reduce(const T *__restrict__ in, T *__restrict__ out, int n)
{
    __shared__ T part[BLOCK];
    T sum = T(0);
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x) sum = combine<OP>(sum, in[i]);
    part[threadIdx.x] = sum;
    __syncthreads();
#pragma unroll
    for (int step = BLOCK / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] = combine<OP>(part[threadIdx.x], part[threadIdx.x + step]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
template __global__ void reduce<Op::add, float, 128>(const float *, float *, int);
template __global__ void reduce<Op::max, int, 256>(const int *, int *, int);

template <int TILE, class T> __global__ void transpose(T *out, const T *in, int width, int height)
{
    __shared__ T tile[TILE][TILE + 1];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    if (x < width && y < height) out[x * height + y] = tile[threadIdx.y][threadIdx.x];
}
template __global__ void transpose<16>(float2 *, const float2 *, int, int);

extern "C" __global__ void test(int *out) { out[0] = combine<Op::max>(3, 4); }
