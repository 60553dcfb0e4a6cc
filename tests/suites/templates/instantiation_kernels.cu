// Explicit instantiations of kernels: all arguments, some deduced, of several shapes.
enum Op { ADD, MUL };
template <class T, int N> __global__ void scale(T *a) { a[threadIdx.x] *= N; }
template __global__ void scale<float, 4>(float *);
template __global__ void scale<double, -1>(double *a);
template <class T> __global__ void copy(T *to, const T *from, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}
template __global__ void copy(float4 *, const float4 *, int);
template __global__ void copy<int>(int *, const int *, int);
template <Op OP, bool CHECKED, unsigned BLOCK> __global__ void reduce(const float *in, float *out, int n)
{
    __shared__ float part[BLOCK];
    part[threadIdx.x] = !CHECKED || threadIdx.x < n ? in[threadIdx.x] : OP == ADD ? 0.0f : 1.0f;
    __syncthreads();
    if (threadIdx.x == 0) *out = part[0];
}
template __global__ void reduce<ADD, true, 128>(const float *, float *, int);
template __global__ void reduce<MUL, false, 64u>(const float *, float *, int);

extern "C" __global__ void test(int *out) { out[0] = 1; }
