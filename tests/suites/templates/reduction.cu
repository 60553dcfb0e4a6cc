//@ launch: test grid=1 block=64
//@ arg: out=i32[16]
// The reduction of CUDA's samples: the size of the block is a parameter, and selects the steps.
template <unsigned BLOCK, class T> __device__ T reduced(T mine)
{
    __shared__ T data[BLOCK];
    unsigned tid = threadIdx.x;
    data[tid] = mine;
    __syncthreads();
    if (BLOCK >= 128) { if (tid < 64) data[tid] += data[tid + 64]; __syncthreads(); }
    if (BLOCK >= 64) { if (tid < 32) data[tid] += data[tid + 32]; __syncthreads(); }
    if (tid < 32) {
        mine = data[tid];
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
        if (tid == 0) data[0] = mine;
    }
    __syncthreads();
    T sum = data[0];
    __syncthreads();
    return sum;
}

extern "C" __global__ void test(int *out)
{
    int sum = reduced<64>((int)threadIdx.x);
    float sum_of_halves = reduced<64>(threadIdx.x * 0.5f);
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = (int)sum_of_halves;
    }
}
