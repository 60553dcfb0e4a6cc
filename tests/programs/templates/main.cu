// Templates of the host's language launch kernels of weftc beside their own.
#include <cstdio>
__global__ void fill_ints(int *p, int value, int n);
__global__ void fill_floats(float *p, float value, int n);
__device__ float halved(float x);
template <class T> __global__ void halve(T *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = (T)halved((float)p[i]);
}
template <class T> struct Fill;
template <> struct Fill<int> { static constexpr auto kernel = fill_ints; };
template <> struct Fill<float> { static constexpr auto kernel = fill_floats; };
template <class T, int N> struct Buffer {
    T *p;
    Buffer(T value)
    {
        cudaMalloc(&p, N * sizeof(T));
        Fill<T>::kernel<<<(N + 127) / 128, 128>>>(p, value, N);
    }
    void halve() { ::halve<T><<<(N + 63) / 64, 64>>>(p, N); }
    ~Buffer() { cudaFree(p); }
};
template <class... Args, class Kernel> void run(Kernel *kernel, dim3 grid, Args... args) { kernel<<<grid, 32>>>(args...); }
int main()
{
    Buffer<int, 1000> ints(7);
    Buffer<float, 129> floats(2.5f);
    ints.halve();
    floats.halve();
    auto again = [&](int n) { run(fill_ints, dim3(n, 2), ints.p, n * n, 1000); };
    for (int n = 1; n < 4; n++) again(n);
}
