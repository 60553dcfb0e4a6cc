//@ launch: test grid=1 block=4 shared=64
//@ arg: out=i32[16]
// Dynamic shared memory in a template, as bytes.
template <class T> __device__ T *scratch()
{
    extern __shared__ __align__(16) unsigned char bytes[];
    return reinterpret_cast<T *>(bytes);
}
template <class T> __device__ T neighbour(T a)
{
    T *all = scratch<T>();
    all[threadIdx.x] = a;
    __syncthreads();
    T result = all[threadIdx.x ^ 1];
    __syncthreads();
    return result;
}

extern "C" __global__ void test(int *out)
{
    int i = threadIdx.x;
    out[i] = neighbour(i * 3);
    out[i + 4] = (int)(neighbour(i * 0.25) * 100);
    out[i + 8] = (int)neighbour(make_float4(i, i, i, i + 0.5f)).w;
}
