//@ launch: test grid=1 block=8
//@ arg: out=i32[16]
// Shared arrays whose length and type are parameters.
template <class T, int N> __device__ T rotated(T a, int by)
{
    __shared__ T all[N];
    all[threadIdx.x] = a;
    __syncthreads();
    T result = all[(threadIdx.x + by) % N];
    __syncthreads();
    return result;
}
template <int ROWS, int COLUMNS> __device__ int transposed()
{
    __shared__ int tile[ROWS][COLUMNS + 1];
    tile[threadIdx.x / COLUMNS][threadIdx.x % COLUMNS] = threadIdx.x;
    __syncthreads();
    int result = tile[threadIdx.x % ROWS][threadIdx.x / ROWS];
    __syncthreads();
    return result;
}
template <class T> __device__ T first_of_block(T a)
{
    __shared__ T value;
    if (threadIdx.x == 0) value = a;
    __syncthreads();
    return value;
}

extern "C" __global__ void test(int *out)
{
    int i = threadIdx.x;
    out[i] = rotated<int, 8>(i * 10, 3) + (int)(rotated<double, 8>(i * 0.5, 1) * 1000);
    out[i + 8] = transposed<2, 4>() * 100 + transposed<4, 2>() + first_of_block(i + 7000) + (int)first_of_block(i + 2.5f);
}
